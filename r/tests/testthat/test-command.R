# The same table gives the same model in R and in the command, bit for bit, where both use the same engine.
same_engine <- function() {
  skip_if(Sys.getenv("KORE_LIBRARY") == "", "the package was compiled with R's own BLAS")
}

# Fits in both, and compares the predictions of the two models.
compare_with_command <- function(frame, target, words = character(), ...) {
  file <- write_table(frame, tempfile(fileext = ".csv"))
  model_file <- tempfile(fileext = ".kore")
  run_command("fit", file, "--target", target, "--referee-folds", "2", "--max-order", "2", words, "-q", "-o", model_file)
  formula <- stats::as.formula(paste0("`", target, "` ~ ."))
  arguments <- as.list(substitute(list(...)))[-1]
  model <- eval(as.call(c(quote(kore), formula, quote(frame), referee_folds = 2, max_order = 2, arguments)))
  theirs <- kore_load(model_file)
  expect_identical(kore_info(model)$accuracy, kore_info(theirs)$accuracy)
  columns <- setdiff(names(frame), target)
  ours <- predict(model, frame[columns])
  expect_identical(unname(ours), unname(predict(theirs, frame[columns])))
  saved <- tempfile(fileext = ".kore")
  kore_save(model, saved)
  output <- tempfile(fileext = ".csv")
  run_command("predict", saved, file, "-q", "-o", output)
  predicted <- utils::read.csv(output, check.names = FALSE)
  if (is.matrix(ours)) predicted <- as.matrix(predicted[paste0("probability:", colnames(ours))]) else
    predicted <- predicted$prediction
  expect_equal(unname(predicted), unname(ours), tolerance = 1e-14)
  invisible(model)
}

test_that("numbers: quakes", {
  same_engine()
  compare_with_command(utils::head(quakes, 300), "mag")
})

test_that("dates, times, truth values, categories and gaps", {
  same_engine()
  compare_with_command(bicycles(), "riders")
})

test_that("gaps of numbers: airquality", {
  same_engine()
  compare_with_command(airquality, "Ozone")
})

test_that("classes: iris", {
  same_engine()
  compare_with_command(iris, "Species")
})

test_that("yes and no: a factor whose second level is yes", {
  same_engine()
  frame <- transform(mtcars, am = factor(ifelse(am == 1, "manual", "automatic"), levels = c("automatic", "manual")))
  compare_with_command(frame[c("wt", "hp", "qsec", "am")], "am")
})

test_that("counts over exposures, weights", {
  same_engine()
  set.seed(9)
  frame <- data.frame(age = runif(300, 18, 80), years = runif(300, 0.2, 2))
  frame$claims <- rpois(300, frame$years * exp(sin(frame$age / 10)))
  model <- compare_with_command(frame, "claims", c("--family", "poisson", "--exposure", "years"), family = "poisson",
                                exposure = years)
  expect_equal(predict(model, transform(frame, years = 2)), predict(model, transform(frame, years = 1)) * 2)
  frame$weight <- sample(1:3, 300, TRUE)
  compare_with_command(frame, "claims", c("--weights", "weight", "--scale", "sqrt"), weights = weight, scale = "sqrt")
})

test_that("groups, pairs and other options", {
  same_engine()
  frame <- utils::head(quakes, 300)
  frame$station <- paste0("s", frame$stations %/% 10)
  frame$stations <- NULL
  compare_with_command(frame, "mag", c("--group", "station", "--pairs", "lat:long", "--degree", "2"), group = station,
                       pairs = list(c("lat", "long")), degree = 2)
})

for (name in c("abalone", "cars", "red_wine")) local({
  table <- name
  test_that(paste("shared table:", table), {
    same_engine()
    frame <- shared_table(table)
    compare_with_command(frame, names(frame)[ncol(frame)])
  })
})

test_that("reports and exports are those of the command", {
  same_engine()
  model <- quick(mpg ~ wt + hp, mtcars)
  saved <- tempfile(fileext = ".kore")
  kore_save(model, saved)
  for (to in c("sql", "c", "json")) {
    expected <- paste(run_command("export", saved, "--to", to), collapse = "\n")
    expect_identical(trimws(kore_export(model, to = to)), trimws(expected))
  }
  expect_identical(kore_info(kore_load(saved)), kore_info(model))
})
