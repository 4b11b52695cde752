# Predictions: newdata to the columns that the model needs, one call of the engine, and its columns as R users expect.

predict.kore <- function(object, newdata, type = c("response", "link", "terms", "class"), se.fit = FALSE,
                         interval = c("none", "prediction", "confidence"), level = 0.95, offset = NULL,
                         exposure = NULL, outside = FALSE, raw = FALSE, threads = default_threads(), ...) {
  no_others(list(...))
  type <- one_of(type, "type", c("response", "link", "terms", "class"))
  interval <- one_of(interval, "interval", c("none", "prediction", "confidence"))
  check_predict(object, type, se.fit, interval, level)
  if (missing(newdata) || is.null(newdata)) {
    table <- engine_table(training_columns(object, "newdata"))
  } else {
    table <- engine_table(new_columns(object, newdata, offset, exposure))
  }
  options <- list(interval = if (interval == "prediction") level, band = if (interval == "confidence") level,
                  link = if (type == "link") TRUE, errors = if (se.fit) TRUE, explain = if (type == "terms") TRUE,
                  raw = if (raw) TRUE, outside = if (outside) TRUE, threads = threads)
  found <- predicted(object, table, options[!vapply(options, is.null, TRUE)])
  result <- shaped(object, found, type, se.fit, interval)
  if (outside) attr(result, "outside") <- found$outside
  result
}

# Which parts of the engine's result a user asked for.
shaped <- function(object, found, type, se.fit, interval) {
  if (type == "class") return(predicted_classes(object, found))
  if (is_classes(object)) return(class_probabilities(object, found))
  if (type == "terms") return(term_matrix(found))
  value <- if (type == "link") found$eta else found$prediction
  if (interval == "prediction") return(cbind(fit = value, lwr = found$lower, upr = found$upper))
  if (interval == "confidence") return(cbind(fit = value, lwr = found$band_lower, upr = found$band_upper))
  if (se.fit) list(fit = value, se.fit = found$eta_error) else value
}

predicted <- function(object, table, options, quiet = FALSE) {
  if (length(options) == 0) options <- list(threads = default_threads())
  found <- called(.Call(r_predict, handle_of(object), table$columns, as.double(table$rows), as_json(options)))
  sentences <- strsplit(attr(found, "warnings"), "\n", fixed = TRUE)[[1]]
  if (!quiet) for (sentence in sentences) warning(sentence, call. = FALSE)
  attr(found, "warnings") <- NULL
  found
}

check_predict <- function(object, type, se.fit, interval, level) {
  if (interval != "none" && !(is.numeric(level) && length(level) == 1 && !is.na(level) && level > 0 && level < 1))
    refuse("`level` must be a number between 0 and 1, such as 0.95, and it is ", described(level), ".")
  if (is_classes(object) && (type %in% c("link", "terms") || se.fit || interval != "none"))
    refuse("The model tells ", length(object$classes), " classes apart and predicts their probabilities. For `type` '", type,
           "', intervals and `se.fit` take the model of one class: kore_class(model, \"", object$classes[1], "\").")
  if (type == "class" && !is_classes(object) && object$family != "binomial")
    refuse("`type` 'class' needs a target of yes and no or of classes; the family of the model is ", object$family, ".")
  if (interval == "prediction" && object$family == "binomial")
    refuse("`interval` 'prediction' is about numbers, and the model predicts a probability. `interval` 'confidence' gives ",
           "the band of the probability.")
  if (interval != "none" && type != "response")
    refuse("`interval` goes with `type` 'response', in whose units it is.")
  if (se.fit && type == "terms") refuse("`se.fit` goes with `type` 'link'; the bands of terms are in effects().")
  if (se.fit && type == "response" && !on_own_scale(object))
    refuse("`se.fit` is on the scale of the sum of effects: use `type` 'link', or `interval` 'confidence' for a band in ",
           "units of the target.")
}

# Effects add up to the prediction itself.
on_own_scale <- function(object) object$family == "normal" && object$info$scale == "identity"

no_others <- function(others) {
  if (length(others) == 0) return(invisible())
  name <- if (is.null(names(others)) || names(others)[1] == "") "without a name" else paste0("`", names(others)[1], "`")
  refuse("There is no argument ", name, ".")
}

one_of <- function(value, name, choices) {
  if (identical(value, choices)) return(choices[1])
  if (!is.character(value) || length(value) != 1 || !value %in% choices)
    refuse("`", name, "` must be one of '", paste(choices, collapse = "', '"), "', and it is ", described(value), ".")
  value
}

class_probabilities <- function(object, found) {
  values <- do.call(cbind, found[paste0("probability:", object$classes)])
  colnames(values) <- object$classes
  values
}

predicted_classes <- function(object, found) {
  if (is_classes(object)) {
    levels <- if (is.null(object$levels)) object$classes else object$levels
    return(factor(object$classes[found$class + 1], levels = levels))
  }
  levels <- object$info$target_levels
  factor(levels[(found$prediction > 0.5) + 1], levels = if (is.null(object$levels)) levels else object$levels)
}

# A column for every effect; the constant is an attribute, as in predict() of gam().
term_matrix <- function(found) {
  effects <- found[startsWith(names(found), "effect of ")]
  values <- if (length(effects) > 0) do.call(cbind, effects) else matrix(0, length(found$sum), 0)
  colnames(values) <- sub("^effect of ", "", names(effects))
  attr(values, "constant") <- if (length(found$constant) > 0) found$constant[1] else NA_real_
  values
}

# The columns of the rows of the fit, without the target.
training_columns <- function(object, argument) {
  if (is.null(object$model))
    refuse("`", argument, "` is needed: the model does not keep the rows it was fitted to.")
  object$model[setdiff(names(object$model), object$settings$target)]
}

# What the model needs of new rows: its features, and its exposure or offset where there is one.
new_columns <- function(object, newdata, offset, exposure) {
  newdata <- as_features(newdata, "newdata")
  columns <- if (is.null(object$terms)) plain_columns(object, newdata) else formula_columns(object, newdata)
  for (role in c("offset", "exposure")) {
    value <- if (role == "offset") offset else exposure
    name <- object$info[[role]]
    if (!is.null(value) && is.null(name)) refuse("`", role, "`: the model was fitted without one.")
    if (is.null(value)) value <- known_part(object, newdata, role)
    if (is.null(value) || is.null(name)) next
    if (!is.numeric(value) || length(value) != nrow(newdata))
      refuse("`", role, "` must be numbers, one for each of the ", nrow(newdata), " rows of `newdata`.")
    columns[[name]] <- as.double(value)
  }
  columns
}

# Exposures and offsets as they were written in the call, of new rows; nothing where their columns are not there.
known_part <- function(object, newdata, role) {
  expression <- object$role_calls[[role]]
  if (is.null(expression)) return(newdata[[as.character(object$info[[role]])[1]]])
  if (!all(all.vars(expression) %in% names(newdata))) return(NULL)
  eval(expression, newdata, environment(object$formula))
}

plain_columns <- function(object, newdata) {
  needed <- object$info$features
  needed <- vapply(if (is_classes(object)) object$info$models[[1]]$features else needed, `[[`, "", "name")
  refuse_missing_columns(needed, newdata)
  as.list(newdata)
}

formula_columns <- function(object, newdata) {
  terms <- object$terms
  variables <- as.list(attr(terms, "variables"))[-1]
  if (length(attr(terms, "offset")) > 0) variables <- variables[-attr(terms, "offset")]
  features <- vapply(variables, one_line, "")
  known <- intersect(unlist(lapply(variables, all.vars)), object$data_names)
  refuse_missing_columns(if (is.null(object$data_names)) character() else known, newdata)
  terms <- stats::terms(stats::reformulate(features), data = newdata)
  environment(terms) <- environment(object$terms)
  attr(terms, "predvars") <- predvars_of_features(object$terms, variables)
  frame <- evaluated(stats::model.frame(terms, newdata, na.action = stats::na.pass), "newdata")
  stats::setNames(as.list(frame), column_names(features))
}

# Expressions with what they remember of the rows of the fit, such as the mean in scale(x).
predvars_of_features <- function(terms, variables) {
  remembered <- attr(terms, "predvars")
  if (is.null(remembered)) return(NULL)
  kept <- as.list(remembered)[-1]
  if (length(attr(terms, "offset")) > 0) kept <- kept[-attr(terms, "offset")]
  as.call(c(list(as.name("list")), kept))
}

refuse_missing_columns <- function(needed, newdata) {
  missing <- setdiff(needed, names(newdata))
  if (length(missing) == 0) return(invisible())
  near <- names(newdata)[which.min(utils::adist(missing[1], names(newdata)))]
  refuse("`newdata` has no column '", missing[1], "', which the model needs.",
         if (length(near) == 1) paste0(" The nearest name is '", near, "'."))
}
