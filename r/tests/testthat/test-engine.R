test_that("the JSON of the engine is read as 'jsonlite' reads it", {
  skip_if_not_installed("jsonlite")
  texts <- c('{"a": [1, 2.5, null, -3e-5], "b": ["x", null, "\\u00e4\\n\\"\\\\ \\ud83d\\ude00"], "c": [true, false, null]}',
             '[[1, 2], [3]]', '[{"n": 1}, {"n": [2]}]', '{"e": {}, "l": [], "none": null, "deep": [[["a"], ["b", "c"]]]}',
             '{"mixed": [1, "a", {"b": false}]}', '"text"', '17', '[null, null]', ' [ 1 , 2 ] ')
  for (text in texts) {
    expected <- jsonlite::fromJSON(text, simplifyDataFrame = FALSE, simplifyMatrix = FALSE)
    found <- .Call(kore:::r_parse_json, text)
    same <- function(a, b) isTRUE(all.equal(a, b, check.attributes = FALSE)) && identical(names(a), names(b))
    if (text == '[null, null]') expect_identical(found, c(NA_real_, NA_real_)) else expect_true(same(found, expected), info = text)
  }
  for (text in c("", "{", "[1,", "\"a", "{\"a\" 1}", "nul", "[1] 2", "{1: 2}", "\"\\u12g4\""))
    expect_error(.Call(kore:::r_parse_json, text), "JSON")
})

test_that("options are written as JSON that 'jsonlite' reads back", {
  skip_if_not_installed("jsonlite")
  options <- list(target = "a \"b\"\\\n\u00e4", level = 0.9, count = 3L, yes = TRUE, names = kore:::json_list("one"),
                  pairs = list(kore:::json_list(c("a", "b"))))
  read <- jsonlite::fromJSON(kore:::as_json(options), simplifyMatrix = FALSE)
  expect_identical(read$target, options$target)
  expect_identical(read$level, 0.9)
  expect_equal(read$count, 3)
  expect_true(read$yes)
  expect_identical(read$names, "one")
  expect_identical(read$pairs, list(c("a", "b")))
})

test_that("a model survives saveRDS and a session that ends", {
  model <- quick(mpg ~ wt + hp, mtcars)
  file <- tempfile(fileext = ".rds")
  saveRDS(model, file)
  again <- readRDS(file)
  expect_identical(predict(again, mtcars), predict(model, mtcars))
  expect_error(.Call(kore:::r_info, 3), "handle")
})

test_that("a fit can be interrupted", {
  table <- kore:::engine_table(list(x = mtcars$wt, z = mtcars$hp, y = mtcars$mpg))
  interrupted <- function() tryCatch({
    tools::pskill(Sys.getpid(), tools::SIGINT)
    .Call(kore:::r_fit, table$columns, 32, "{\"target\": \"y\"}")
  }, interrupt = function(condition) "before the call")
  # R itself may notice the signal before it calls the engine.
  for (attempt in 1:20) if (!identical(result <- interrupted(), "before the call")) break
  expect_s3_class(result, "kore_failure")
  expect_identical(result$reason, "interrupted")
  expect_error(kore:::called(result), "interrupted", class = "kore_interrupted")
})

test_that("errors have classes by their reasons", {
  failed <- tryCatch(kore(mpg ~ wt, mtcars, degree = 99), error = identity)
  expect_s3_class(failed, "kore_error")
  expect_match(conditionMessage(failed), "degree")
  expect_error(kore(mpg ~ wt, mtcars, scale = "cubic"), class = "kore_unknown_word")
})
