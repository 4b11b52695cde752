# What a model is, in the shape of summary() of gam(). All numbers are those of kore_info().

summary.kore <- function(object, ...) {
  if (is_classes(object)) {
    models <- lapply(object$info$models, summary_of_one, formula = object$formula)
    names(models) <- object$classes
    return(structure(list(classes = object$classes, accuracy = object$info$accuracy, n = object$info$n,
                          target = object$info$target, models = models, notes = unlist(object$info$notes),
                          formula = object$formula), class = c("summary.kore_classes", "summary.kore")))
  }
  summary_of_one(object$info, object$formula)
}

summary_of_one <- function(info, formula) {
  structure(list(family = info$family, link = link_of(info), formula = formula, target = info$target, n = info$n,
                 dropped = info$dropped_rows, terms = term_table(info), constant = constant_of(info),
                 edf = info$parameters, noise = info$noise, r2_loo = info$r2_loo, accuracy = info$accuracy,
                 verdict = info$verdict, notes = unlist(info$notes), levels = info$target_levels,
                 overdispersion = info$overdispersion), class = "summary.kore")
}

# The scale on which effects add up.
link_of <- function(info) {
  if (info$family == "binomial") return("logit")
  if (info$family %in% c("poisson", "gamma", "negative_binomial")) return("log")
  info$scale
}

constant_of <- function(info) if (is.null(info$purified)) NA_real_ else info$purified$constant

effect_label <- function(effect) {
  by_value <- if (is.null(effect$by_value)) rep(FALSE, length(effect$features)) else effect$by_value
  paste0(effect$features, ifelse(by_value, " by value", ""), collapse = " x ")
}

# One row for each term: effective degrees of freedom and tests are of the terms as fitted, shares of the purified ones.
# A test says what its term adds to the others; of a term that is part of a larger one it would say nothing.
term_table <- function(info) {
  effects <- info$effects
  if (length(effects) == 0)
    return(data.frame(term = character(), edf = numeric(), share = numeric(), p.value = numeric(), concurvity = numeric()))
  number <- function(name) vapply(effects, function(effect) if (is.null(effect[[name]])) NA_real_ else effect[[name]], 0)
  labels <- vapply(effects, function(effect) paste(effect$features, collapse = " x "), "")
  inside <- vapply(seq_along(effects), function(t) is_part_of_another(effects, t), TRUE)
  table <- data.frame(term = labels, edf = number("parameters"), share = number("covariance_share"),
                      p.value = ifelse(inside, NA_real_, number("p_value")),
                      concurvity = ifelse(inside, NA_real_, number("concurvity")), stringsAsFactors = FALSE)
  shown <- info$purified$effects
  if (length(shown) > 0) {
    keys <- vapply(shown, function(effect) paste(effect$features, collapse = " x "), "")
    sums <- tapply(vapply(shown, `[[`, 0, "covariance_share"), keys, sum)
    first <- !duplicated(labels)
    table$share <- ifelse(first, as.numeric(sums[labels]), NA_real_)
  }
  table
}

is_part_of_another <- function(effects, place) {
  own <- effects[[place]]$features
  any(vapply(effects[-place], function(other) length(other$features) > length(own) && all(own %in% other$features), TRUE))
}

print.summary.kore <- function(x, digits = max(3, getOption("digits") - 3), ...) {
  cat("Family: ", x$family, "\nLink or scale: ", x$link, "\n\n", sep = "")
  if (!is.null(x$formula)) cat("Formula:\n", one_line(x$formula), "\n\n", sep = "")
  print_terms(x$terms, digits)
  cat("\n", accuracy_lines(x, digits), sep = "")
  cat("n = ", x$n, if (x$dropped > 0) paste0(" (", x$dropped, " rows without a target left out)"),
      ", effective parameters = ", format(x$edf, digits = digits), if (!is.null(x$noise) && !is.na(x$noise))
        paste0(", scale est. = ", format(x$noise, digits = digits)), "\n", sep = "")
  if (length(x$overdispersion) == 1 && isTRUE(x$overdispersion > 1))
    cat("Counts vary ", format(x$overdispersion, digits = digits), " times as much as their family says; tests allow for it.\n",
        sep = "")
  if (length(x$verdict) == 1) cat("Verdict: ", x$verdict, "\n", sep = "")
  for (note in x$notes) cat("Note: ", note, "\n", sep = "")
  invisible(x)
}

print_terms <- function(terms, digits) {
  if (nrow(terms) == 0) {
    cat("No column predicts the target: the model is a constant.\n")
    return(invisible())
  }
  cat("Approximate significance of effects:\n")
  shown <- data.frame(edf = formatC(terms$edf, digits = 3, format = "f"), share = percent(terms$share),
                      "p-value" = ifelse(is.na(terms$p.value), "", format.pval(terms$p.value, digits = 3, eps = 2e-16)),
                      row.names = make.unique(terms$term), check.names = FALSE)
  shown$edf[is.na(terms$edf)] <- ""
  print(shown)
  if (anyNA(terms$p.value)) cat("Effects that are part of a larger one have no test of their own.\n")
}

# Adding 0 takes the sign of a rounded zero away.
percent <- function(share) ifelse(is.na(share), "", paste0(formatC(round(100 * share, 1) + 0, digits = 1, format = "f"), " %"))

# The referee's errors: those to expect on new rows.
accuracy_lines <- function(x, digits) {
  accuracy <- x$accuracy
  if (is.null(accuracy)) return(paste0("R-sq.(leave-one-out) = ", format(x$r2_loo, digits = digits), "\n"))
  family <- accuracy$family
  paste0("On new rows: R-sq. = ", format(accuracy$r2, digits = 3),
         if (!is.null(family)) paste0(", deviance explained = ", percent(family$deviance_explained)),
         ", RMSE = ", format(accuracy$rmse, digits = digits),
         if (!is.null(accuracy$mae) && !is.na(accuracy$mae)) paste0(", MAE = ", format(accuracy$mae, digits = digits)),
         if (!is.null(family) && !is.null(family$auc) && !is.na(family$auc)) paste0(", AUC = ", format(family$auc, digits = 3)),
         "\n(", accuracy$how, ")\n")
}

print.summary.kore_classes <- function(x, digits = max(3, getOption("digits") - 3), ...) {
  cat("Family: multinomial, a binomial model for each of ", length(x$classes), " classes\n\n", sep = "")
  if (!is.null(x$formula)) cat("Formula:\n", one_line(x$formula), "\n\n", sep = "")
  cat("On new rows: ", percent(1 - x$accuracy$error_rate), " get their class (", percent(1 - x$accuracy$null_error_rate),
      " by the most frequent class alone), log loss = ", format(x$accuracy$log_loss, digits = digits), "\nn = ", x$n, "\n",
      sep = "")
  cat("summary(kore_class(model, \"", x$classes[1], "\")) tells of one class.\n", sep = "")
  for (note in x$notes) cat("Note: ", note, "\n", sep = "")
  invisible(x)
}

print.kore <- function(x, ...) {
  cat(called(.Call(r_summary, handle_of(x))))
  invisible(x)
}
