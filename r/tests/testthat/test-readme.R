# README's example prints what README says.
test_that("README shows what R prints", {
  readme <- file.path(Sys.getenv("KORE_PROJECT", "no folder"), "README.md")
  skip_if(!file.exists(readme), "KORE_PROJECT does not name the folder of the project")
  skip_if(Sys.getenv("KORE_LIBRARY") == "", "the package was compiled with R's own BLAS")
  lines <- readLines(readme, encoding = "UTF-8")
  begin <- which(lines == "```r")
  expect_length(begin, 1)
  fences <- which(lines == "```")
  end <- fences[fences > begin][1]
  code <- lines[(begin + 1):(end - 1)]
  begin <- which(lines == "```text" & seq_along(lines) > end)[1]
  shown <- lines[(begin + 1):(fences[fences > begin][1] - 1)]
  printed <- utils::capture.output(for (expression in parse(text = code)) {
    value <- withVisible(eval(expression, globalenv()))
    if (value$visible) print(value$value)
  })
  expect_identical(trimws(printed, "right"), trimws(shown, "right"))
})

test_that("the programs of docs/r.md run", {
  page <- file.path(Sys.getenv("KORE_PROJECT", "no folder"), "docs", "r.md")
  skip_if(!file.exists(page), "KORE_PROJECT does not name the folder of the project")
  lines <- readLines(page, encoding = "UTF-8")
  begins <- which(lines == "```r")
  expect_gt(length(begins), 0)
  folder <- tempfile("page")
  dir.create(folder)
  before <- setwd(folder)
  grDevices::pdf("plots.pdf")
  on.exit({
    grDevices::dev.off()
    setwd(before)
    unlink(folder, recursive = TRUE)
  })
  names <- new.env(parent = globalenv())
  printed <- NULL
  for (begin in begins) {
    ends <- which(lines == "```")
    code <- lines[(begin + 1):(ends[ends > begin][1] - 1)]
    printed <- c(printed, utils::capture.output(for (expression in parse(text = code)) {
      value <- withVisible(eval(expression, names))
      if (value$visible) print(value$value)
    }))
  }
  expect_true(any(grepl("On new rows", printed)))
  expect_match(paste(readLines("cars.html", warn = FALSE), collapse = "\n"), "</html>", fixed = TRUE)
  cars <- cbind(mtcars, "factor(cyl)" = factor(mtcars$cyl))  # a file has no formula
  expect_equal(unname(predict(kore_load("cars.kore"), cars)), unname(predict(names$model, mtcars)))
})
