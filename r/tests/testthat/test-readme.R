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
