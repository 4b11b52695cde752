# tidy(), glance() and augment() of the package 'generics', registered where it is there.

tidy.kore <- function(x, ...) {
  refuse_classes(x, "A table of terms")
  term_table(x$info)
}

glance.kore <- function(x, ...) {
  info <- x$info
  if (is_classes(x))
    return(data.frame(family = "multinomial", nobs = info$n, classes = length(x$classes),
                      log.loss = info$accuracy$log_loss, error.rate = info$accuracy$error_rate))
  one <- function(value) if (is.null(value)) NA_real_ else value
  fit <- function(part) tryCatch(as.numeric(part(x)), kore_bad_argument = function(refused) NA_real_)
  data.frame(family = info$family, nobs = info$n, edf = info$parameters, df.residual = df.residual.kore(x),
             deviance = fit(deviance.kore), logLik = fit(logLik.kore), rmse.new = one(info$accuracy$rmse),
             r.squared.new = one(info$accuracy$r2), deviance.explained.new = one(info$accuracy$family$deviance_explained),
             r.squared.loo = one(info$r2_loo), stringsAsFactors = FALSE)
}

augment.kore <- function(x, data, newdata = NULL, se_fit = FALSE, ...) {
  no_others(list(...))
  refuse_classes(x, "A table of rows")
  if (!isTRUE(se_fit) && !isFALSE(se_fit)) refuse("`se_fit` must be TRUE or FALSE, and it is ", described(se_fit), ".")
  if (!is.null(newdata) && !missing(data)) refuse("`data` and `newdata` cannot both be given.")
  if (is.null(newdata) && !missing(data)) newdata <- data
  of_fit <- is.null(newdata)
  rows <- if (of_fit) model.frame.kore(x) else newdata
  fitted <- if (of_fit) x$fitted.values else predict.kore(x, newdata)
  target <- if (of_fit) target_as_numbers(x) else numbers_of_target(x, newdata)
  rows$.fitted <- unname(fitted)
  # Standard errors belong to the sum of the effects, which is the prediction where there is no link and no other scale.
  if (se_fit) rows$.se.fit <- (if (of_fit) predict.kore(x, type = "link", se.fit = TRUE) else
    suppressWarnings(predict.kore(x, newdata, type = "link", se.fit = TRUE)))$se.fit
  if (!is.null(target)) rows$.resid <- unname(target - fitted)
  rows
}

# The target of other rows as numbers, as residuals need it; NULL where the rows have none.
numbers_of_target <- function(object, rows) {
  expression <- if (is.null(object$formula)) as.name(object$info$target) else object$formula[[2]]
  if (!all(all.vars(expression) %in% names(rows))) return(NULL)
  y <- target_of_rows(object, rows, object$info$target)
  if (is.matrix(y) && ncol(y) == 2) return(shares_of_successes(y, "binomial", NULL)$y)
  if (is.factor(y) || is.character(y)) return(as.double(as.character(y) == object$info$target_levels[2]))
  positive <- object$settings$positive
  if (is.logical(y) || is.null(positive)) as.double(y) else as.double(y == as.double(positive))
}
