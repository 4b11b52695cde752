# mgcv's bam on one table: seconds of fit and predict, memory beyond the data, test error, as one JSON object on the last line.
# Usage: Rscript gam.R CONTENDER FOLDER
suppressMessages(library(mgcv))

arguments <- commandArgs(trailingOnly = TRUE)
discrete <- arguments[1] == "mgcv bam discrete"
home <- arguments[2]

shape <- paste(readLines(file.path(home, "shape.json"), warn = FALSE), collapse = "")
number <- function(key) as.integer(sub(paste0('.*"', key, '": ([0-9]+).*'), "\\1", shape))
pairs <- regmatches(shape, gregexpr("\\[[0-9]+, [0-9]+\\]", shape))[[1]]
free_pairs <- grepl('"free_pairs": true', shape)
family <- if (grepl('"family": "binomial"', shape)) binomial() else gaussian()

doubles <- function(name, count) readBin(file.path(home, paste0(name, ".f64")), "double", count)
frame <- function(suffix, rows) {
  table <- as.data.frame(matrix(doubles(paste0("X", suffix), rows * number("features")), rows))
  names(table) <- paste0("x", seq_along(table))
  table$y <- doubles(paste0("y", suffix), rows)
  table
}
status <- function(field) {
  line <- grep(paste0("^", field), readLines("/proc/self/status"), value = TRUE)
  as.numeric(gsub("[^0-9]", "", line)) / 1024
}

train <- frame("", number("rows"))
test <- frame("_test", number("test"))
# Real columns may have few values; a smooth needs fewer functions than a column has values.
basis <- function(name, most) min(most, length(unique(train[[name]])) - 1)
features <- setdiff(names(train), "y")
smooth <- sprintf("s(%s, bs = 'ps', k = %d)", features, sapply(features, basis, most = 18))
if (free_pairs) pairs <- combn(seq_along(features) - 1, 2, function(p) sprintf("[%d, %d]", p[1], p[2]))
for (pair in pairs) {
  members <- paste0("x", as.integer(regmatches(pair, gregexpr("[0-9]+", pair))[[1]]) + 1)
  smooth <- c(smooth, sprintf("ti(%s, k = 5)", paste(members, collapse = ", ")))
}
formula <- as.formula(paste("y ~", paste(smooth, collapse = " + ")))

invisible(gc())
try(writeLines("5", "/proc/self/clear_refs"), silent = TRUE)
before <- status("VmRSS")
start <- proc.time()
model <- if (discrete) bam(formula, family, train, discrete = TRUE, nthreads = 2) else bam(formula, family, train, method = "fREML")
taken <- proc.time() - start
peak <- status("VmHWM")
started <- proc.time()[["elapsed"]]
predicted <- as.numeric(predict(model, test))
ended <- proc.time()[["elapsed"]]
cat(sprintf(
  '{"fit": %.6f, "processor": %.6f, "predict_rows_per_second": %.6f, "memory_mb": %.3f, "rmse": %.12g}\n',
  taken[["elapsed"]], taken[["user.self"]] + taken[["sys.self"]], nrow(test) / max(ended - started, 1e-3), max(peak - before, 0), sqrt(mean((predicted - test$y)^2))
))
