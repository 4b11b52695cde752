# Effects: on grids, of single rows, and as pictures.

# Every effect on a grid as a data frame, largest share first: the features, `effect`, and where the model has them
# `se`, `lower` and `upper`.
effects.kore <- function(object, ...) {
  refuse_classes(object, "Effects")
  found <- called(.Call(r_effects, handle_of(object)))
  kinds <- kinds_of_columns(object)
  result <- lapply(found$terms, effect_frame, kinds = kinds)
  names(result) <- make.unique(vapply(result, attr, "", "label"))
  attr(result, "constant") <- found$constant
  result
}

kinds_of_columns <- function(object) {
  features <- object$info$features
  stats::setNames(vapply(features, `[[`, "", "kind"), vapply(features, `[[`, "", "name"))
}

effect_frame <- function(term, kinds) {
  columns <- Map(in_units, term$points, kinds[term$features])
  names(columns) <- make.unique(term$features)
  frame <- data.frame(columns, effect = term$effect, check.names = FALSE, stringsAsFactors = FALSE)
  if (!is.null(term$standard_error)) frame[c("se", "lower", "upper")] <- list(term$standard_error, term$lower, term$upper)
  attr(frame, "features") <- names(columns)
  attr(frame, "label") <- paste(term$features, collapse = " x ")
  attr(frame, "kind") <- term$kind
  attr(frame, "share") <- term$covariance_share
  frame
}

# Days since 1970 as dates or times; names of levels as a factor in their order.
in_units <- function(values, kind) {
  if (is.character(values)) return(factor(values, levels = unique(values)))
  if (identical(unname(kind), "date")) return(as.Date(values, origin = "1970-01-01"))
  if (identical(unname(kind), "timestamp")) return(as.POSIXct(86400 * values, origin = "1970-01-01", tz = "UTC"))
  values
}

explain <- function(object, ...) UseMethod("explain")

# What each effect adds to the prediction of each row.
explain.kore <- function(object, newdata, raw = FALSE, threads = default_threads(), ...) {
  no_others(list(...))
  refuse_classes(object, "An explanation")
  table <- if (missing(newdata)) training_columns(object, "newdata") else new_columns(object, newdata, NULL, NULL)
  found <- predicted(object, engine_table(table), list(explain = TRUE, raw = raw, threads = threads))
  as.data.frame(unclass(found), optional = TRUE)
}

plot.kore <- function(x, select = NULL, pages = 0, se = TRUE, ylim = NULL, ...) {
  effects <- chosen_effects(x, select)
  if (length(effects) == 0) {
    message("The model is a constant: there is nothing to draw.")
    return(invisible(effects))
  }
  before <- if (pages > 0) graphics::par(mfrow = panels(ceiling(length(effects) / pages)))
  if (!is.null(before)) on.exit(graphics::par(before))
  ask <- pages == 0 && length(effects) > prod(graphics::par("mfcol")) && grDevices::dev.interactive()
  if (ask) {
    asked <- grDevices::devAskNewPage(TRUE)
    on.exit(grDevices::devAskNewPage(asked), add = TRUE)
  }
  curves <- effects[lengths(lapply(effects, attr, "features")) == 1]
  if (is.null(ylim) && length(curves) > 0) ylim <- common_range(curves, se)
  for (effect in effects) draw_effect(effect, se, ylim, ...)
  invisible(effects)
}

chosen_effects <- function(object, select) {
  effects <- effects.kore(object)
  if (is.null(select)) return(effects[seq_along(effects)])
  known <- if (is.character(select)) select %in% names(effects) else select %in% seq_along(effects)
  if (!all(known))
    refuse("`select` has '", select[!known][1], "'; the effects of the model are ", paste(names(effects), collapse = ", "), ".")
  effects[select]
}

panels <- function(count) {
  columns <- ceiling(sqrt(count))
  c(ceiling(count / columns), columns)
}

# All curves in one scale, as in plot() of gam().
common_range <- function(curves, se) {
  range(unlist(lapply(curves, function(curve) if (se) curve[intersect(c("effect", "lower", "upper"), names(curve))] else
    curve$effect)), na.rm = TRUE)
}

draw_effect <- function(effect, se, ylim, ...) {
  features <- attr(effect, "features")
  if (length(features) == 1 && is.factor(effect[[1]])) return(draw_levels(effect, se, ylim, ...))
  if (length(features) == 1) return(draw_curve(effect, se, ylim, ...))
  if (length(features) == 2) return(draw_surface(effect, attr(effect, "label"), ...))
  for (slice in split(effect, effect[[3]]))
    draw_surface(slice, paste0(attr(effect, "label"), ", ", features[3], " = ", format(slice[[3]][1])), ...)
}

effect_title <- function(effect) paste0("effect of ", attr(effect, "label"))

draw_curve <- function(effect, se, ylim, ...) {
  x <- effect[[1]]
  graphics::plot(x, effect$effect, type = "n", ylim = ylim, xlab = attr(effect, "features"), ylab = effect_title(effect), ...)
  if (se && !is.null(effect$lower))
    graphics::polygon(c(x, rev(x)), c(effect$lower, rev(effect$upper)), col = "grey85", border = NA)
  graphics::abline(h = 0, lty = 3)
  if (identical(attr(effect, "kind"), "values")) graphics::points(x, effect$effect, pch = 19) else
    graphics::lines(x, effect$effect, lwd = 2)
}

draw_levels <- function(effect, se, ylim, ...) {
  at <- seq_along(effect$effect)
  graphics::plot(at, effect$effect, type = "n", ylim = ylim, xaxt = "n", xlab = attr(effect, "features"),
                 ylab = effect_title(effect), xlim = range(at) + c(-0.5, 0.5), ...)
  graphics::axis(1, at, as.character(effect[[1]]))
  graphics::abline(h = 0, lty = 3)
  if (se && !is.null(effect$lower)) graphics::segments(at, effect$lower, at, effect$upper, col = "grey60", lwd = 2)
  graphics::points(at, effect$effect, pch = 19)
}

draw_surface <- function(effect, title, ...) {
  features <- attr(effect, "features")
  if (is.null(features)) features <- names(effect)[1:2]
  x <- unique(effect[[1]])
  y <- unique(effect[[2]])
  place <- function(axis) if (is.factor(axis)) seq_along(axis) else as.numeric(axis)
  z <- matrix(NA_real_, length(x), length(y))
  z[cbind(match(effect[[1]], x), match(effect[[2]], y))] <- effect$effect
  graphics::image(place(x), place(y), z, col = grDevices::hcl.colors(24, "Blue-Red"), xlab = features[1], ylab = features[2],
                  main = title, zlim = c(-1, 1) * max(abs(z), na.rm = TRUE), xaxt = axis_of(x), yaxt = axis_of(y), ...)
  if (is.factor(x)) graphics::axis(1, seq_along(x), as.character(x))
  if (is.factor(y)) graphics::axis(2, seq_along(y), as.character(y))
  if (!is.factor(x) && !is.factor(y)) graphics::contour(place(x), place(y), z, add = TRUE)
}

axis_of <- function(values) if (is.factor(values)) "n" else "s"

utils::globalVariables(".data")

# For ggplot2: the curves and levels with their bands, in the order of their shares.
autoplot.kore <- function(object, select = NULL, ...) {
  if (!requireNamespace("ggplot2", quietly = TRUE)) refuse("autoplot() needs the package 'ggplot2'.")
  effects <- chosen_effects(object, select)
  curves <- Filter(function(effect) length(attr(effect, "features")) == 1 && is.numeric(effect[[1]]), effects)
  if (length(curves) == 0) refuse("`select` has no curve; plot() draws levels and surfaces.")
  rows <- lapply(curves, function(effect)
    data.frame(term = attr(effect, "label"), x = effect[[1]], effect = effect$effect,
               lower = if (is.null(effect$lower)) NA_real_ else effect$lower,
               upper = if (is.null(effect$upper)) NA_real_ else effect$upper))
  rows <- do.call(rbind, unname(rows))
  rows$term <- factor(rows$term, levels = unique(rows$term))
  ggplot2::ggplot(rows, ggplot2::aes(x = .data$x, y = .data$effect)) +
    ggplot2::geom_ribbon(ggplot2::aes(ymin = .data$lower, ymax = .data$upper), alpha = 0.2, na.rm = TRUE) +
    ggplot2::geom_line() + ggplot2::facet_wrap(ggplot2::vars(.data$term), scales = "free_x") +
    ggplot2::labs(x = NULL, y = "effect")
}
