# Formulas. A formula says which columns (or expressions of them) are features, and which of them may interact; it does
# not say how: curves are found by the engine. s(), te(), ti() and t2() of mgcv mean their arguments, and with a cyclic basis
# that the curves of these meet themselves. `k` is not taken as a limit: in mgcv it is set to save time, which costs nothing here.

smooths <- c("s", "te", "ti", "t2")

# The parts of a formula: the features as expressions, the pairs of them that may interact, and the offsets.
parts_of_formula <- function(formula, data) {
  found <- stats::terms(formula, specials = smooths, data = data, keep.order = TRUE)
  if (attr(found, "response") == 0) refuse("`formula` has no target: write it to the left of '~'.")
  if (attr(found, "intercept") == 0)
    refuse("`formula` takes the constant away, and a KORE model always has one. Leave out '- 1' or '+ 0'.")
  variables <- as.list(attr(found, "variables"))[-1]
  used <- attr(found, "factors")
  features <- list()
  pairs <- list()
  for (term in seq_along(attr(found, "term.labels"))) {
    members <- unlist(lapply(variables[used[, term] > 0], variables_of_smooth), recursive = FALSE)
    features <- c(features, members)
    words <- vapply(members, one_line, "")
    if (length(words) > 1) pairs <- c(pairs, utils::combn(words, 2, simplify = FALSE))
  }
  words <- vapply(features, one_line, "")
  if (length(words) == 0) refuse("`formula` has no columns to predict from. Use '.' for all columns of `data`.")
  offsets <- vapply(variables[attr(found, "offset")], one_line, "")
  cyclic <- unique(unlist(lapply(variables, cyclic_of_smooth)))
  list(target = one_line(variables[[1]]), features = unique(words), pairs = unique(pairs), offsets = offsets,
       cyclic = if (is.null(cyclic)) character() else cyclic)
}

cyclic_bases <- c("cc", "cp")

# The columns of a smooth that begin again: x of s(x, bs = "cc"), and of te(x, z, bs = c("cc", "tp")).
cyclic_of_smooth <- function(term) {
  if (!is.call(term) || !as.character(term[[1]])[1] %in% smooths || is.null(term$bs)) return(NULL)
  bases <- tryCatch(eval(term$bs, baseenv()), error = function(problem) NULL)
  if (!is.character(bases)) return(NULL)
  arguments <- as.list(term)[-1]
  columns <- arguments[names(arguments) == ""]
  vapply(columns[rep_len(bases, length(columns)) %in% cyclic_bases], one_line, "")
}

one_line <- function(expression) {
  paste(trimws(deparse(expression, width.cutoff = 500L, backtick = TRUE)), collapse = " ")
}

# The columns of a term: those of s(x, z, by = f) are x, z and f; those of anything else itself.
variables_of_smooth <- function(term) {
  if (!is.call(term) || !as.character(term[[1]])[1] %in% smooths) return(list(term))
  arguments <- as.list(term)[-1]
  names <- if (is.null(names(arguments))) rep("", length(arguments)) else names(arguments)
  unname(arguments[names %in% c("", "by")])
}

# The name of a feature as a column of a table: that of the column, or the expression.
column_names <- function(expressions) {
  vapply(expressions, function(text) {
    parsed <- str2lang(text)
    if (is.name(parsed)) as.character(parsed) else text
  }, "", USE.NAMES = FALSE)
}

# The formula with every feature once, without smooths.
plain_formula <- function(parts, environment) {
  right <- paste(c(parts$features, parts$offsets), collapse = " + ")
  stats::as.formula(paste(parts$target, "~", right), env = environment)
}

# Columns of `data` that have a part already, such as weights, are no features where '.' stands for all columns.
without_roles <- function(data, roles) {
  taken <- unlist(lapply(roles, function(role) if (is.name(role)) as.character(role)))
  if (is.data.frame(data)) data[setdiff(names(data), taken)] else data
}
