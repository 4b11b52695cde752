# Fits: from a formula and data, or from a table of features and a target, to one call of the engine.

kore <- function(x, ...) UseMethod("kore")

kore.formula <- function(formula, data = environment(formula), family = "auto", weights, subset,
                         na.action = stats::na.pass, offset, exposure, precision, group, positive = NULL, ...,
                         model = TRUE) {
  call <- match.call()
  roles <- as.list(call)[intersect(role_names, names(call))]
  parts <- parts_of_formula(formula, without_roles(data, roles))
  frame_call <- call[c(1, match(c("data", "subset", names(roles)), names(call), 0))]
  frame_call[[1]] <- quote(stats::model.frame)
  frame_call$formula <- plain_formula(parts, environment(formula))
  frame_call$na.action <- na.action
  frame <- evaluated(eval(frame_call, parent.frame()), "data")
  if (nrow(frame) == 0) refuse("`data` has no rows", if ("subset" %in% names(call)) " in `subset`", ".")
  options <- check_options(list(...))
  if (is.null(options$pairs) && length(parts$pairs) > 0)
    options$pairs <- check_pairs(lapply(parts$pairs, column_names))
  by_smooth <- setdiff(column_names(parts$cyclic), columns_named(list(...)$cyclic))
  if (length(by_smooth) > 0)
    options$cyclic <- c(options$cyclic, stats::setNames(as.list(rep(0, length(by_smooth))), by_smooth))
  terms <- attr(frame, "terms")
  beside <- c(attr(terms, "response"), attr(terms, "offset"))
  features <- frame[setdiff(seq_along(attr(terms, "variables")[-1]), beside)]
  names(features) <- column_names(parts$features)
  given <- list(weights = stats::model.weights(frame), offset = stats::model.offset(frame),
                exposure = frame[["(exposure)"]], precision = frame[["(precision)"]], group = frame[["(group)"]])
  roles$offset <- offset_expression(parts$offsets, roles$offset)
  object <- fit_table(as.list(features), stats::model.response(frame), given[!vapply(given, is.null, TRUE)],
                      vapply(roles, one_line, ""), column_names(parts$target), family, positive, options,
                      origin_of(call$data), model)
  tell_periods(object, by_smooth)
  object$call <- call
  object$formula <- formula
  object$terms <- stats::delete.response(terms)
  object$role_calls <- roles[names(roles) %in% c("offset", "exposure")]
  object$data_names <- names(data)
  object$na.action <- attr(frame, "na.action")
  object$row_names <- attr(frame, "row.names")
  object
}

kore.default <- function(x, y, family = "auto", weights = NULL, offset = NULL, exposure = NULL, precision = NULL,
                         group = NULL, positive = NULL, target = "y", ..., model = TRUE) {
  call <- match.call()
  if (missing(y)) refuse("`y` is missing: kore() takes a formula and `data`, or features `x` and a target `y`.")
  features <- as_features(x, "x")
  rows <- nrow(features)
  given <- list(weights = weights, offset = offset, exposure = exposure, precision = precision, group = group)
  given <- given[!vapply(given, is.null, TRUE)]
  for (name in names(given))
    if (length(given[[name]]) != rows)
      refuse("`", name, "` has ", length(given[[name]]), " values, and `x` has ", rows, " rows.")
  if (NROW(y) != rows) refuse("`y` has ", NROW(y), " values, and `x` has ", rows, " rows.")
  if (rows == 0) refuse("`x` has no rows.")
  object <- fit_table(as.list(features), y, given, stats::setNames(names(given), names(given)), target, family,
                      positive, check_options(list(...)), origin_of(call$x), model)
  object$call <- call
  object$row_names <- attr(features, "row.names")
  object
}

# A column that is not there, or of a type that no model takes.
evaluated <- function(frame, argument) {
  tryCatch(frame, error = function(problem) {
    if (inherits(problem, "kore_error")) stop(problem)
    refuse("`formula` cannot be evaluated in `", argument, "`: ", conditionMessage(problem), ".")
  })
}

columns_named <- function(by_column) if (is.character(by_column)) by_column else names(by_column)

# mgcv takes the range of the values as the period, and the engine one more, of whole numbers from 0 or 1: 24 of the hours 0
# to 23. Neither may be what was meant, so that the engine's sentence is shown.
tell_periods <- function(object, columns) {
  for (column in columns) for (note in unlist(object$info$notes))
    if (startsWith(note, paste0("'", column, "' begins again after")))
      message(note, " Where the period is another, say so: cyclic = list(", as_argument(column), " = ...).")
}

as_argument <- function(column) if (make.names(column) == column) column else paste0("`", column, "`")

role_names <- c("weights", "offset", "exposure", "precision", "group")

# Offsets of the formula and of the argument add up.
offset_expression <- function(in_formula, argument) {
  inside <- lapply(in_formula, function(text) str2lang(text)[[2]])
  Reduce(function(left, right) call("+", left, right), c(inside, if (!is.null(argument)) list(argument)))
}

origin_of <- function(expression) {
  if (is.name(expression)) paste0("the data frame '", as.character(expression), "'") else "the table"
}

fit_table <- function(features, y, roles, role_words, target_name, family, positive, options, origin, keep) {
  target <- engine_target(y, family_word(family), positive, roles$weights)
  if (!is.null(target$weights)) {
    roles$weights <- target$weights
    if (!"weights" %in% names(role_words)) role_words[["weights"]] <- "trials"
  }
  target_name <- free_name(target_name, names(features))
  taken <- c(names(features), target_name)
  settings <- list(target = target_name)
  for (role in names(roles)) {
    name <- free_name(as.character(column_names(role_words[[role]])), taken)
    taken <- c(taken, name)
    settings[[role]] <- name
    features[[name]] <- check_role(roles[[role]], role)
  }
  features[[target_name]] <- target$values
  settings$family <- target$family
  settings$positive <- target$positive
  settings$origin <- origin
  settings <- c(settings, options)
  if (is.null(settings$threads)) settings$threads <- default_threads()
  table <- engine_table(features)
  handle <- called(.Call(r_fit, table$columns, as.double(table$rows), as_json(settings)))
  object <- new_kore(handle)
  object$settings <- settings
  object$levels <- target$levels
  object$y <- target$y
  columns <- features[setdiff(names(features), unlist(settings[c("target", "weights", "precision", "group")]))]
  object$fitted.values <- fitted_values(object, columns)
  if (keep) object$model <- features
  object
}

check_role <- function(values, role) {
  if (role == "group") return(if (is.factor(values)) as.character(values) else values)
  if (!is.numeric(values) || !is.null(dim(values)))
    refuse("`", role, "` must be numbers, one for each row, and it is ", described(values), ".")
  as.double(values)
}

# A target as the engine takes it: numbers, truth values, or texts of which the last level of two counts as yes. `y` is
# the same as numbers, for residuals; of classes it is the factor.
engine_target <- function(y, family, positive, weights) {
  if (is.matrix(y) && ncol(y) == 1) y <- y[, 1]
  if (is.matrix(y)) return(shares_of_successes(y, family, weights))
  names(y) <- NULL
  if (is.factor(y)) y <- droplevels(y)
  if (is.numeric(y) && is.null(dim(y)) && !inherits(y, c("Date", "POSIXt", "difftime"))) {
    y <- as.double(y)
    known <- if (is.null(positive)) y else as.double(y == as.double(positive))
    return(list(values = y, family = family, positive = text_or_null(positive), y = known))
  }
  if (is.logical(y))
    return(list(values = y, family = family, positive = text_or_null(positive), y = as.double(y),
                levels = c("FALSE", "TRUE")))
  if (!is.factor(y) && !is.character(y))
    refuse("The target is of class '", class(y)[1], "'. It must be numbers, truth values, texts or a factor.")
  target_of_texts(y, family, positive)
}

text_or_null <- function(value) if (is.null(value)) NULL else as.character(value)

target_of_texts <- function(y, family, positive) {
  if (!family %in% c("auto", "binomial", "multinomial"))
    refuse("The target is ", if (is.factor(y)) "a factor" else "text", ", and `family` '", family, "' needs numbers.")
  values <- as.character(y)
  if (is.factor(y) && nlevels(y) == 2 && is.null(positive)) positive <- levels(y)[2]
  if (is.factor(y) && nlevels(y) > 2 && is.null(positive) && family == "auto") family <- "multinomial"
  list(values = values, family = family, positive = text_or_null(positive), y = y,
       levels = if (is.factor(y)) levels(y))
}

# cbind(successes, failures), as in glm: shares, each as often as there were trials.
shares_of_successes <- function(y, family, weights) {
  if (ncol(y) != 2 || !is.numeric(y)) refuse("A target of columns must be cbind(successes, failures).")
  if (!family %in% c("auto", "binomial"))
    refuse("A target of successes and failures needs `family` 'binomial', and it is '", family, "'.")
  trials <- as.double(y[, 1] + y[, 2])
  share <- ifelse(trials > 0, y[, 1] / trials, NA)
  list(values = share, family = "binomial", y = share, weights = trials * if (is.null(weights)) 1 else weights)
}

# An object around a model that the engine holds.
new_kore <- function(handle) {
  object <- structure(list(engine = new_engine(handle)), class = "kore")
  object$info <- called(.Call(r_info, handle))
  object$family <- object$info$family
  object$classes <- if (object$family == "multinomial") object$info$classes
  object
}

is_classes <- function(object) !is.null(object$classes)

# The most a target of two values or of classes can be compared with: 0 and 1 as numbers.
target_as_numbers <- function(object) {
  y <- object$y
  if (is.numeric(y) || is.null(y)) return(y)
  as.double(as.character(y) == object$info$target_levels[2])
}

fitted_values <- function(object, columns) {
  found <- predicted(object, engine_table(columns), list(), quiet = TRUE)
  if (is_classes(object)) class_probabilities(object, found) else found$prediction
}
