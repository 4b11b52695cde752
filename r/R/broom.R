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
  data.frame(family = info$family, nobs = info$n, edf = info$parameters, rmse.new = one(info$accuracy$rmse),
             r.squared.new = one(info$accuracy$r2), deviance.explained.new = one(info$accuracy$family$deviance_explained),
             r.squared.loo = one(info$r2_loo), stringsAsFactors = FALSE)
}

augment.kore <- function(x, data, ...) {
  refuse_classes(x, "A table of rows")
  given <- !missing(data)
  if (!given) data <- model.frame.kore(x)
  data$.fitted <- if (given) predict.kore(x, data) else x$fitted.values
  if (!given) data$.resid <- target_as_numbers(x) - x$fitted.values
  data
}
