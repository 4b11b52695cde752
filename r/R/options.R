# Options of the engine by their names, and families by the words or objects that R has for them.

engine_options <- c("profile", "structure", "pairs", "scale", "loss", "degree", "max_order", "referee_folds",
                    "max_resolution_additive", "max_resolution_pairwise", "max_levels", "max_columns", "max_terms", "simple",
                    "threads", "categorical", "linear", "cyclic", "max_resolutions")

# What a user gave by name, checked as far as R must: ranges and words are the engine's to refuse.
check_options <- function(options) {
  if (length(options) == 0) return(list())
  names <- names(options)
  if (is.null(names) || any(names == ""))
    refuse("Every option needs a name: ", paste(engine_options, collapse = ", "), ".")
  for (name in names) {
    if (!name %in% engine_options) {
      near <- engine_options[which.min(utils::adist(name, engine_options))]
      refuse("There is no argument `", name, "`. The nearest is `", near, "`; all options are ",
             paste(engine_options, collapse = ", "), ".")
    }
    options[[name]] <- check_option(name, options[[name]])
  }
  options[!vapply(options, is.null, TRUE)]
}

check_option <- function(name, value) {
  if (is.null(value)) return(NULL)
  if (name %in% c("categorical", "linear")) {
    if (!is.character(value)) refuse("`", name, "` must be names of columns, and it is of class '", class(value)[1], "'.")
    return(json_list(value))
  }
  if (name == "pairs") return(check_pairs(value))
  if (name == "cyclic") return(check_cyclic(value))
  if (name == "max_resolutions") return(check_resolutions(value))
  if (name == "simple") {
    if (!is.logical(value) || length(value) != 1 || is.na(value))
      refuse("`simple` must be TRUE or FALSE, and it is ", described(value), ".")
    return(value)
  }
  if (length(value) != 1 || is.na(value) || !(is.character(value) || is.numeric(value)))
    refuse("`", name, "` must be one word or number, and it is ", described(value), ".")
  value
}

# Periods by columns. TRUE in place of one, or names alone: the values tell it, which the engine knows as 0.
check_cyclic <- function(value) {
  if (is.character(value)) value <- stats::setNames(as.list(rep(TRUE, length(value))), value)
  if (is.list(value)) {
    value <- value[!vapply(value, identical, TRUE, FALSE)]
    told <- vapply(value, identical, TRUE, TRUE)
    if (length(value) == 0) return(NULL)
  } else {
    told <- rep(FALSE, length(value))
  }
  periods <- numbers_by_column(replace(as.list(value), told, list(1)), "cyclic", "list(hour = 24, day = TRUE)")
  for (name in names(periods)[!told])
    if (periods[[name]] <= 0)
      refuse("`cyclic` gives '", name, "' the period ", periods[[name]], "; a period is a number above 0, or TRUE where the ",
             "values tell it.")
  periods[told] <- 0
  periods
}

check_resolutions <- function(value) {
  value <- numbers_by_column(value, "max_resolutions", "c(hour = 24)")
  for (name in names(value))
    if (value[[name]] < 1 || value[[name]] != round(value[[name]]))
      refuse("`max_resolutions` gives '", name, "' the resolution ", value[[name]], "; it must be a whole number of 1 or more.")
  value
}

# A list of one number for each of the columns that are named.
numbers_by_column <- function(value, argument, example) {
  value <- as.list(value)
  one <- vapply(value, function(number) is.numeric(number) && length(number) == 1 && is.finite(number), TRUE)
  if (length(value) == 0) return(NULL)
  if (is.null(names(value)) || any(names(value) == "") || anyDuplicated(names(value)) || !all(one))
    refuse("`", argument, "` must have one number for each column that it names, such as ", example, ".")
  value
}

# "auto", "all", "none", or pairs of names.
check_pairs <- function(value) {
  if (is.character(value) && length(value) == 1) return(value)
  if (is.character(value) && length(value) == 2) value <- list(value)
  good <- is.list(value) && all(vapply(value, function(pair) is.character(pair) && length(pair) == 2, TRUE))
  if (!good)
    refuse("`pairs` must be \"auto\", \"all\", \"none\" or a list of pairs of names, such as list(c(\"a\", \"b\")); it is ",
           described(value), ".")
  unname(lapply(value, function(pair) json_list(unname(pair))))
}

described <- function(value) {
  if (is.null(value)) return("NULL")
  if (is.atomic(value) && length(value) == 1) return(encodeString(format(value), quote = if (is.character(value)) "\"" else ""))
  paste0("of class '", class(value)[1], "' and length ", length(value))
}

default_threads <- function() getOption("kore.threads", 0L)

families <- c("auto", "normal", "binomial", "poisson", "gamma", "negative_binomial", "multinomial")

# The engine's word for a family: its own, that of R, or an object of stats or mgcv.
family_word <- function(family) {
  if (is.function(family)) family <- family()
  link <- NULL
  if (inherits(family, "family")) {
    link <- family$link
    family <- family$family
  }
  if (!is.character(family) || length(family) != 1)
    refuse("`family` must be a word or a family object such as poisson(), and it is ", described(family), ".")
  word <- tolower(sub("\\(.*\\)$", "", family))
  word <- switch(gsub("[ .]", "_", word), gaussian = "normal", nb = "negative_binomial", quasipoisson = "poisson",
                 multinom = "multinomial", gsub("[ .]", "_", word))
  if (!word %in% families)
    refuse("`family` is '", family, "'; KORE has ", paste(families, collapse = ", "), ".")
  check_link(word, link)
  word
}

links <- c(normal = "identity", binomial = "logit", poisson = "log", gamma = "log", negative_binomial = "log")

check_link <- function(word, link) {
  wanted <- if (word %in% names(links)) links[[word]]
  if (is.null(link) || is.null(wanted) || identical(link, wanted)) return(invisible())
  constructor <- c(normal = "gaussian", gamma = "Gamma", negative_binomial = "nb")
  name <- if (word %in% names(constructor)) constructor[[word]] else word
  refuse("`family` has the link '", link, "'. The ", word, " family of KORE has the link '", wanted, "': give ", name,
         "(link = \"", wanted, "\").")
}

# The family as R knows it, for its variance and deviance; NULL where R has none.
stats_family <- function(word) {
  switch(word, normal = stats::gaussian(), binomial = stats::binomial(), poisson = stats::poisson(),
         gamma = stats::Gamma(link = "log"), NULL)
}
