options(kore.threads = 2L)

# Small searches: what is tested is what R does with the engine.
quick <- function(...) {
  arguments <- as.list(substitute(list(...)))[-1]
  defaults <- list(max_order = 1, referee_folds = 2)
  eval(as.call(c(quote(kore), arguments, defaults[setdiff(names(defaults), names(arguments))])), parent.frame())
}

# The command, where the project was built.
command_path <- function() {
  path <- Sys.getenv("KORE_COMMAND")
  skip_if(path == "" || !file.exists(path), "KORE_COMMAND does not name the command 'kore'")
  path
}

run_command <- function(...) {
  output <- suppressWarnings(system2(command_path(), shQuote(c(...)), stdout = TRUE, stderr = TRUE))
  expect_null(attr(output, "status"), info = paste(output, collapse = "\n"))
  output
}

# Every digit of a double, so that the command reads the same table.
write_table <- function(frame, file) {
  text <- lapply(frame, function(column) {
    words <- if (is.double(column) && is.null(attr(column, "class"))) sprintf("%.17g", column) else
      if (is.logical(column)) tolower(as.character(column)) else
      if (inherits(column, "POSIXct")) format(column, "%Y-%m-%d %H:%M:%OS6", tz = "UTC") else
      paste0("\"", as.character(column), "\"")
    if (!is.character(column) && !is.factor(column) && !inherits(column, "POSIXct"))
      words <- gsub("\"", "", words, fixed = TRUE)
    ifelse(is.na(column), "", words)
  })
  lines <- do.call(paste, c(unname(text), sep = ","))
  writeLines(c(paste0("\"", names(frame), "\"", collapse = ","), lines), file, useBytes = TRUE)
  file
}

shared_table <- function(name, rows = 400) {
  file <- file.path(Sys.getenv("KORE_SHARED", "no folder"), "data", paste0(name, ".csv.gz"))
  skip_if(!file.exists(file), "KORE_SHARED does not name the folder of shared tables")
  utils::head(utils::read.csv(file, check.names = FALSE), rows)
}

# gamSim() of mgcv prints what it simulates.
simulated <- function(...) {
  utils::capture.output(data <- mgcv::gamSim(..., verbose = FALSE))
  data
}

bicycles <- function() {
  set.seed(4)
  n <- 300
  day <- as.Date("2023-01-01") + sample(0:364, n, TRUE)
  hour <- as.POSIXct("2023-01-01", tz = "UTC") + round(runif(n, 0, 3e7))
  wet <- runif(n) < 0.3
  weather <- factor(sample(c("clear", "mist", "storm"), n, TRUE))
  heat <- runif(n, -5, 30)
  riders <- 50 + 3 * heat - 25 * wet + 10 * sin(as.integer(day) / 58) + rnorm(n, sd = 5)
  heat[seq(5, n, 17)] <- NA
  weather[seq(3, n, 23)] <- NA
  riders[seq(8, n, 41)] <- NA
  data.frame(day, hour, wet, weather, heat, riders)
}
