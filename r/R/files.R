# Models as files, reports, and models in other forms.

kore_save <- function(model, file) {
  check_model(model)
  called(.Call(r_save, handle_of(model), check_path(file)))
  invisible(model)
}

kore_load <- function(file) new_kore(called(.Call(r_load, check_path(file))))

kore_report <- function(model, data, file) {
  check_model(model)
  refuse_classes(model, "A report")
  if (missing(data)) data <- model$model
  if (is.null(data)) refuse("`data` is needed: the model does not keep the rows it was fitted to.")
  table <- engine_table(report_columns(model, data))
  called(.Call(r_report, handle_of(model), table$columns, as.double(table$rows), as_json(report_settings(model)),
               check_path(file)))
  invisible(file)
}

# What is what in the table of a report: as in the fit, or as the model file says.
report_settings <- function(model) {
  kept <- c("target", "weights", "precision", "group", "exposure", "offset", "positive", "family", "origin")
  settings <- model$settings[intersect(kept, names(model$settings))]
  if (length(settings) > 0) return(settings)
  info <- model$info
  settings <- list(target = info$target, offset = info$offset, exposure = if (is.null(info$offset)) info$exposure)
  settings$family <- info$family
  settings[!vapply(settings, is.null, TRUE)]
}

# The rows of the fit as they are, or new ones with their target.
report_columns <- function(model, data) {
  if (identical(data, model$model)) return(data)
  columns <- new_columns(model, data, NULL, NULL)
  target <- report_settings(model)$target
  columns[[target]] <- engine_target(target_of_rows(model, data, target), model$family, NULL, NULL)$values
  for (role in c("weights", "precision")) {
    name <- model$settings[[role]]
    if (!is.null(name) && is.null(data[[name]])) refuse("`data` has no column '", name, "', the ", role, " of the fit.")
    if (!is.null(name)) columns[[name]] <- data[[name]]
  }
  columns
}

# By the formula, or the column of the target's name.
target_of_rows <- function(model, data, name) {
  expression <- if (is.null(model$formula)) as.name(name) else model$formula[[2]]
  missing <- setdiff(all.vars(expression), names(data))
  if (length(missing) > 0) refuse("`data` has no column '", missing[1], "', which the target of the model needs.")
  eval(expression, data, environment(model$formula))
}

kore_export <- function(model, file = NULL, to = c("sql", "c", "onnx", "json"), dialect = NULL, table = NULL, keep = NULL,
                        name = NULL, float = FALSE) {
  check_model(model)
  to <- one_of(to, "to", c("sql", "c", "onnx", "json"))
  options <- list(to = to, dialect = dialect, table = table, keep = if (!is.null(keep)) json_list(keep), name = name,
                  float = if (isTRUE(float)) TRUE)
  bytes <- called(.Call(r_export, handle_of(model), as_json(options[!vapply(options, is.null, TRUE)])))
  if (!is.null(file)) {
    writeBin(bytes, check_path(file))
    return(invisible(file))
  }
  if (to == "onnx") return(bytes)
  text <- rawToChar(bytes)
  Encoding(text) <- "UTF-8"
  text
}

# The model of one class, which tells it from all others.
kore_class <- function(model, class) {
  check_model(model)
  if (!is_classes(model)) refuse("`model` does not tell classes apart.")
  if (!is.character(class) || length(class) != 1 || !class %in% model$classes)
    refuse("`class` must be one of '", paste(model$classes, collapse = "', '"), "', and it is ", described(class), ".")
  one <- new_kore(called(.Call(r_class, handle_of(model), class)))
  one$settings <- model$settings
  one$settings$family <- "binomial"
  one$settings$positive <- class
  for (part in c("call", "formula", "terms", "role_calls", "data_names", "na.action", "row_names", "model"))
    one[[part]] <- model[[part]]
  if (!is.null(model$y)) {
    one$y <- as.character(model$y)
    one$y <- ifelse(is.na(one$y), NA, as.double(one$y == class))
    if (!is.null(one$model)) one$fitted.values <- fitted_values(one, training_columns(one, "newdata"))
  }
  one
}

kore_info <- function(model) {
  check_model(model)
  model$info
}

check_model <- function(model) {
  if (!inherits(model, "kore")) refuse("`model` must be a model of kore(), and it is of class '", class(model)[1], "'.")
}

check_path <- function(file) {
  if (!is.character(file) || length(file) != 1 || is.na(file) || file == "")
    refuse("`file` must be the name of a file, and it is ", described(file), ".")
  path.expand(file)
}
