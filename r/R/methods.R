# What R users ask of a fitted model.

residuals.kore <- function(object, type = c("response", "pearson", "deviance", "left_out"), ...) {
  type <- one_of(type, "type", c("response", "pearson", "deviance", "left_out"))
  refuse_classes(object, "Residuals")
  y <- target_as_numbers(object)
  if (is.null(y)) refuse("The model was loaded, and a model file has no rows: it has no residuals.")
  raw <- y - object$fitted.values
  values <- switch(type, response = raw, left_out = left_out_residuals(object), pearson = raw / sqrt(variance_of(object)),
                   deviance = sign(raw) * sqrt(unit_deviance(object, y, object$fitted.values)))
  stats::naresid(object$na.action, named_as_rows(object, values))
}

named_as_rows <- function(object, values) {
  if (is.character(object$row_names)) names(values) <- object$row_names
  values
}

# Of the fit without the row, given terms and penalties. The engine goes over the rows again.
left_out_residuals <- function(object) {
  if (is.null(object$model)) refuse("`type` 'left_out' needs the rows of the fit; fit with model = TRUE.")
  table <- engine_table(object$model)
  found <- called(.Call(r_residuals, handle_of(object), table$columns, as.double(table$rows), as_json(object$settings)))
  values <- rep(NA_real_, nrow_of(object$model))
  values[!is.na(object$y)] <- found$left_out
  values
}

nrow_of <- function(columns) length(columns[[1]])

# Of a target around its mean, up to the dispersion: the variance function of the family.
variance_of <- function(object) {
  mean <- object$fitted.values
  switch(object$family, normal = rep(1, length(mean)), binomial = mean * (1 - mean), poisson = mean, gamma = mean^2,
         negative_binomial = mean + mean^2 / object$info$family_parameter)
}

unit_deviance <- function(object, y, mean) {
  if (object$family == "negative_binomial") {
    theta <- object$info$family_parameter
    return(2 * (ifelse(y > 0, y * log(pmax(y, 1) / mean), 0) - (y + theta) * log((y + theta) / (mean + theta))))
  }
  known <- !is.na(y)
  values <- rep(NA_real_, length(y))
  values[known] <- stats_family(object$family)$dev.resids(y[known], mean[known], rep(1, sum(known)))
  values
}

row_weights <- function(object) {
  name <- object$settings$weights
  if (is.null(name)) return(rep(1, length(object$fitted.values)))
  if (is.null(object$model)) refuse("The weights of the rows are needed; fit with model = TRUE.")
  object$model[[name]]
}

deviance.kore <- function(object, ...) {
  refuse_classes(object, "The deviance")
  y <- target_as_numbers(object)
  if (is.null(y)) refuse("The model was loaded, and a model file has no rows: it has no deviance.")
  sum(row_weights(object) * unit_deviance(object, y, object$fitted.values), na.rm = TRUE)
}

logLik.kore <- function(object, ...) {
  refuse_classes(object, "The log-likelihood")
  if (!object$family %in% c("normal", "binomial", "poisson") || !is.null(object$settings$exposure) ||
      isTRUE(object$info$loss == "robust") || (object$family == "binomial" && !all(target_as_numbers(object) %in% c(0, 1, NA))) || (object$family == "normal" && !on_own_scale(object)))
    refuse("logLik() is defined for the normal family on the identity scale, for yes and no and for counts. Compare models ",
           "by their errors on new rows: anova() has them.")
  known <- !is.na(object$y)
  y <- target_as_numbers(object)[known]
  mean <- object$fitted.values[known]
  weights <- row_weights(object)[known]
  edf <- object$info$parameters
  if (object$family == "normal") {
    variance <- sum(weights * (y - mean)^2) / sum(weights)
    value <- -sum(weights) / 2 * (log(2 * pi * variance) + 1)
    edf <- edf + 1
  } else if (object$family == "poisson") {
    value <- sum(weights * (y * log(mean) - mean - lgamma(y + 1)))
  } else {
    value <- sum(weights * (y * log(mean) + (1 - y) * log1p(-mean)))
  }
  structure(value, df = edf, nobs = sum(known), class = "logLik")
}

refuse_classes <- function(object, what) {
  if (is_classes(object))
    refuse(what, " of a model of ", length(object$classes), " classes is that of one class: take it with kore_class(model, \"",
           object$classes[1], "\").")
}

fitted.kore <- function(object, ...) {
  if (is.null(object$fitted.values)) refuse("The model was loaded, and a model file has no rows: it has no fitted values.")
  if (is.matrix(object$fitted.values)) return(object$fitted.values)
  stats::naresid(object$na.action, named_as_rows(object, object$fitted.values))
}

nobs.kore <- function(object, ...) as.integer(object$info$n)

formula.kore <- function(x, ...) {
  if (is.null(x$formula)) refuse("The model was not fitted by a formula.")
  x$formula
}

family.kore <- function(object, ...) {
  found <- stats_family(object$family)
  if (is.null(found)) refuse("R has no family object for '", object$family, "'.")
  found
}

df.residual.kore <- function(object, ...) {
  refuse_classes(object, "The number of residual degrees of freedom")
  object$info$weight - object$info$parameters
}

# The effects that are single numbers: those of the levels of categories, around zero, and the constant. Curves have no
# coefficients that mean anything; effects() has their values.
coef.kore <- function(object, ...) {
  refuse_classes(object, "Coefficients")
  found <- called(.Call(r_effects, handle_of(object)))
  values <- c("(constant)" = found$constant)
  for (term in found$terms)
    if (identical(term$kind, "levels") && length(term$features) == 1)
      values <- c(values, stats::setNames(term$effect, paste0(term$features, "=", term$points[[1]])))
  values
}

weights.kore <- function(object, ...) row_weights(object)

model.frame.kore <- function(formula, ...) {
  if (is.null(formula$model)) refuse("The model does not keep the rows it was fitted to.")
  as.data.frame(formula$model, optional = TRUE, stringsAsFactors = FALSE)
}

# Models side by side, by their errors on rows that they have not seen.
anova.kore <- function(object, ...) {
  models <- list(object, ...)
  if (!all(vapply(models, inherits, TRUE, "kore"))) refuse("anova() compares models of kore() with each other.")
  for (model in models) refuse_classes(model, "A comparison")
  same <- function(part) length(unique(vapply(models, part, ""))) == 1
  if (!same(function(model) paste(model$info$target, model$info$n, model$family)))
    refuse("The models differ in their target, their rows or their family, so that their errors cannot be compared.")
  number <- function(part) vapply(models, function(model) {
    value <- part(model$info)
    if (is.null(value)) NA_real_ else value
  }, 0)
  table <- data.frame(edf = number(function(i) i$parameters), terms = number(function(i) length(i$effects)),
                      "new rows RMSE" = number(function(i) i$accuracy$rmse), "R-sq." = number(function(i) i$accuracy$r2),
                      check.names = FALSE)
  if (object$family != "normal") table[["deviance explained"]] <- number(function(i) i$accuracy$family$deviance_explained)
  names <- vapply(models, function(model) if (is.null(model$formula)) "(no formula)" else one_line(model$formula), "")
  structure(table, heading = c(
    "Errors on new rows: of each model, the fit was repeated without the rows it then predicted.\n",
    paste0("Model ", seq_along(models), ": ", names, collapse = "\n"), ""), class = c("anova", "data.frame"))
}
