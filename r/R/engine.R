# What R asks of the engine: every call of the C interface, with its failures as errors of R.

# A result, or an error of the classes "kore_error" and "kore_<reason>". Reasons never change; sentences may.
called <- function(result) {
  if (!inherits(result, "kore_failure")) return(result)
  stop(errorCondition(result$sentence, class = c(paste0("kore_", result$reason), "kore_error"), call = NULL))
}

# An error about an argument of a function of this package.
refuse <- function(...) {
  stop(errorCondition(paste0(...), class = c("kore_bad_argument", "kore_error"), call = NULL))
}

# The engine keeps models; R keeps a handle, and the bytes of the model file, which survive saveRDS(). Both live in an
# environment, so that a handle that was made again is made once for all copies of an object.
new_engine <- function(handle) {
  engine <- new.env(parent = emptyenv())
  engine$handle <- handle
  engine$bytes <- called(.Call(r_to_bytes, handle))
  engine
}

handle_of <- function(object) {
  engine <- object$engine
  if (!.Call(r_is_alive, engine$handle)) engine$handle <- called(.Call(r_from_bytes, engine$bytes))
  engine$handle
}

# Options as JSON: a named list of texts, numbers and truth values, of vectors of texts, and of lists of these.
as_json <- function(value) {
  if (is.null(value)) return("null")
  if (is.list(value) && !is.null(names(value))) {
    members <- vapply(value, as_json, "")
    return(paste0("{", paste0(json_text(names(value)), ": ", members, collapse = ", "), "}"))
  }
  if (is.list(value)) return(paste0("[", paste(vapply(value, as_json, ""), collapse = ", "), "]"))
  texts <- if (is.character(value)) json_text(value) else if (is.logical(value)) tolower(as.character(value)) else
    formatC(as.double(value), digits = 17, format = "g", width = 1)
  if (length(texts) == 1 && !inherits(value, "kore_list")) texts else paste0("[", paste(texts, collapse = ", "), "]")
}

# A vector that is a list also where it has one element.
json_list <- function(texts) structure(texts, class = "kore_list")

json_text <- function(text) {
  text <- enc2utf8(as.character(text))
  text <- gsub("\\", "\\\\", text, fixed = TRUE)
  text <- gsub("\"", "\\\"", text, fixed = TRUE)
  for (code in c(1:31)) {
    letter <- rawToChar(as.raw(code))
    text <- gsub(letter, sprintf("\\u%04x", code), text, fixed = TRUE)
  }
  paste0("\"", text, "\"")
}

check_engine <- function() {
  engine <- .Call(r_engine)
  if (engine$abi != engine$header)
    stop("The library of KORE that was loaded (", engine$version, ") is not the one this package was built for.")
}

.onLoad <- function(libname, pkgname) check_engine()
