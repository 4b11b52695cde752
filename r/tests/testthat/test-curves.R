# Options that say what single columns are, and how many terms there may be.
set.seed(8)
hours <- data.frame(hour = sample(0:23, 400, TRUE), x = runif(400), z = runif(400))
hours$y <- sin(hours$hour / 24 * 2 * pi) + 2 * hours$x + 0.05 * hours$z + rnorm(400, sd = 0.2)

ends_of <- function(model, column) {
  curve <- effects(model)[[column]]
  curve[c(1, nrow(curve)), ]
}
note_of <- function(model) grep("begins again", unlist(kore_info(model)$notes), value = TRUE)

test_that("cyclic curves meet themselves, by option and by mgcv's basis", {
  by_option <- quick(y ~ hour + x, hours, cyclic = list(hour = 24))
  expect_match(note_of(by_option), "'hour' begins again after 24: its effects at 24 are those at 0", fixed = TRUE)
  ends <- predict(by_option, data.frame(hour = c(0, 24), x = 0.5))
  expect_equal(ends[1], ends[2], tolerance = 1e-10)
  expect_message(by_smooth <- quick(y ~ s(hour, bs = "cc", k = 8) + s(x), hours), "say so: cyclic = list(hour = ...)", fixed = TRUE)
  expect_identical(predict(by_smooth, hours), predict(by_option, hours))
  expect_identical(predict(quick(y ~ hour + x, hours, cyclic = "hour"), hours), predict(by_option, hours))
  expect_identical(predict(quick(y ~ hour + x, hours, cyclic = list(hour = TRUE, x = FALSE)), hours), predict(by_option, hours))
  expect_no_message(given <- quick(y ~ s(hour, bs = "cc") + x, hours, cyclic = c(hour = 30)))
  expect_match(note_of(given), "after 30")
  expect_no_message(straight <- quick(y ~ s(hour, bs = "cc") + x, hours, cyclic = list(hour = FALSE)))
  expect_length(note_of(straight), 0)
  expect_false(isTRUE(all.equal(predict(straight, hours), predict(by_option, hours))))
  expect_equal(quick(hours[c("hour", "x")], hours$y, cyclic = c(hour = 24))$fitted.values, by_option$fitted.values)
})

test_that("which columns of a smooth are cyclic", {
  cyclic <- function(formula) kore:::parts_of_formula(formula, hours)$cyclic
  expect_identical(cyclic(y ~ te(hour, x, bs = c("cc", "tp"))), "hour")
  expect_identical(cyclic(y ~ te(hour, x, bs = "cc") + s(z, bs = "ps")), c("hour", "x"))
  expect_identical(cyclic(y ~ s(log(x), bs = "cp", by = z)), "log(x)")
  expect_identical(cyclic(y ~ s(hour) + x), character())
})

test_that("straight lines, largest resolutions, few terms and simple models", {
  model <- quick(y ~ hour + x + z, hours, linear = "x", max_resolutions = c(hour = 3), scale = "identity")
  at <- predict(model, data.frame(hour = 12, x = c(0.1, 0.4, 0.7), z = 0.5))
  expect_equal(diff(at)[1], diff(at)[2], tolerance = 1e-8)
  resolutions <- function(model, column) {
    found <- Filter(function(effect) identical(effect$features[[1]], column), kore_info(model)$effects)
    unlist(lapply(found, `[[`, "resolutions"))
  }
  expect_lte(max(resolutions(model, "hour")), 3)
  expect_gt(max(resolutions(quick(y ~ hour + x + z, hours), "hour")), 3)
  few <- quick(y ~ hour + x + z, hours, max_terms = 2)
  expect_length(kore_info(few)$effects, 2)
  expect_length(kore_info(quick(y ~ hour + x + z, hours))$effects, 3)
  expect_lt(length(kore_info(kore(y ~ ., hours, simple = TRUE, referee_folds = 5))$effects),
            length(kore_info(kore(y ~ ., hours, referee_folds = 5))$effects))
  small <- quick(y ~ hour + x + z, hours, max_columns = 12)
  expect_lte(kore_info(small)$columns, 12)
  expect_gt(kore_info(quick(y ~ hour + x + z, hours))$columns, 12)
})
