# Data frames as the engine reads them: each column as a list of its kind, its values and, of a factor, its levels.

# The kind of a column is what Arrow needs to know; R/src/stream.c makes the arrays.
engine_column <- function(values, name) {
  whole <- function(days) suppressWarnings(as.integer(floor(as.double(days))))
  plain <- function(kind, values, levels = NULL) list(kind, values, levels)
  if (is.matrix(values) && ncol(values) == 1) values <- as.vector(values)
  if (!is.null(dim(values)))
    refuse("The column '", name, "' is a matrix. Give each of its columns as a column of its own; curves, such as those of ",
           "poly() or bs(), are found by KORE itself.")
  if (is.factor(values)) return(plain("factor", as.integer(values), enc2utf8(levels(values))))
  if (inherits(values, "Date")) return(plain("date", whole(unclass(values))))
  if (inherits(values, "POSIXt")) return(plain("moment", as.double(as.POSIXct(values))))
  if (inherits(values, "integer64"))
    refuse("The column '", name, "' is of class 'integer64'. Make it numbers by as.double().")
  if (is.character(values)) return(plain("text", unclass(values)))
  if (is.logical(values)) return(plain("logical", as.logical(values)))
  if (is.integer(values)) return(plain("integer", as.integer(values)))
  if (is.numeric(values)) return(plain("number", as.double(values)))
  refuse("The column '", name, "' is of class '", class(values)[1],
         "'. KORE takes numbers, texts, factors, truth values, dates and times.")
}

engine_table <- function(frame) {
  names <- names(frame)
  if (anyDuplicated(names) > 0)
    refuse("Two columns have the name '", names[duplicated(names)][1], "'. Names of columns must differ.")
  rows <- if (is.data.frame(frame)) nrow(frame) else length(frame[[1]])
  list(columns = stats::setNames(Map(engine_column, frame, names), names), rows = rows)
}

# A name that none of the others has.
free_name <- function(name, others) {
  while (name %in% others) name <- paste0(".", name)
  name
}

# A table of features from what a user gave: a data frame, a matrix, or a vector as a single column.
as_features <- function(x, what) {
  if (is.data.frame(x)) return(x)
  if (is.matrix(x)) {
    if (is.null(colnames(x))) colnames(x) <- paste0("x", seq_len(ncol(x)))
    return(as.data.frame(x, stringsAsFactors = FALSE))
  }
  if (is.atomic(x) && is.null(dim(x))) return(data.frame(x = x))
  refuse("`", what, "` must be a data frame or a matrix, and it is of class '", class(x)[1], "'.")
}
