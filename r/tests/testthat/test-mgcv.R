# Beside mgcv, given the right formula: errors to the truth, standard errors and bands.
beside_gam <- function(data, formula, truth, family = stats::gaussian(), ...) {
  theirs <- mgcv::gam(formula, data = data, method = "REML", family = family)
  ours <- kore(formula, data, family = family, ...)
  error <- function(model) sqrt(mean((predict(model, data, type = "link") - truth)^2))
  list(ours = ours, theirs = theirs, ratio = error(ours) / error(theirs))
}

test_that("gamSim 1, four curves: errors, standard errors, formula of mgcv", {
  skip_if_not_installed("mgcv")
  set.seed(1)
  data <- simulated(1, n = 400, scale = 2)
  both <- beside_gam(data, y ~ s(x0) + s(x1) + s(x2) + s(x3), data$f)
  expect_lt(both$ratio, 1.3)
  new <- utils::head(data, 50)
  ours <- predict(both$ours, new, type = "link", se.fit = TRUE)
  theirs <- predict(both$theirs, new, type = "link", se.fit = TRUE)
  expect_gt(mean(ours$se.fit) / mean(theirs$se.fit), 0.6)
  expect_lt(mean(ours$se.fit) / mean(theirs$se.fit), 1.8)
  band <- predict(both$ours, data, interval = "confidence")
  expect_gt(mean(band[, "lwr"] < data$f & data$f < band[, "upr"]), 0.85)
  interval <- predict(both$ours, data, interval = "prediction", level = 0.9)
  expect_gt(mean(interval[, "lwr"] < data$y & data$y < interval[, "upr"]), 0.84)
  expect_equal(nobs(both$ours), nobs(both$theirs))
})

test_that("gamSim 2, a surface", {
  skip_if_not_installed("mgcv")
  set.seed(2)
  data <- simulated(2, n = 400, scale = 0.05)$data
  both <- beside_gam(data, y ~ te(x, z), data$f)
  expect_lt(both$ratio, 1.5)
  expect_true(any(lengths(lapply(kore_info(both$ours)$effects, `[[`, "features")) == 2))
})

test_that("gamSim 1 as counts", {
  skip_if_not_installed("mgcv")
  set.seed(3)
  data <- simulated(1, n = 400, dist = "poisson", scale = 0.2)
  both <- beside_gam(data, y ~ s(x0) + s(x1) + s(x2) + s(x3), data$f, stats::poisson())
  expect_lt(both$ratio, 1.3)
  expect_equal(stats::deviance(both$ours) / stats::deviance(both$theirs), 1, tolerance = 0.1)
  expect_equal(as.numeric(stats::logLik(both$ours)), as.numeric(stats::logLik(both$theirs)), tolerance = 0.05)
})

test_that("gamSim 1 as yes and no", {
  skip_if_not_installed("mgcv")
  set.seed(4)
  data <- simulated(1, n = 500, dist = "binary", scale = 0.3)
  both <- beside_gam(data, y ~ s(x0) + s(x1) + s(x2) + s(x3), data$f, stats::binomial())
  expect_lt(both$ratio, 1.4)
  expect_equal(stats::deviance(both$ours) / stats::deviance(both$theirs), 1, tolerance = 0.1)
})

test_that("gamSim 5, a factor beside curves: effects of its levels", {
  skip_if_not_installed("mgcv")
  set.seed(5)
  data <- simulated(5, n = 400, scale = 2)
  truth <- with(data, 2 * as.integer(x0) + exp(2 * x1) + 0.2 * x2^11 * (10 * (1 - x2))^6 + 10 * (10 * x2)^3 * (1 - x2)^10)
  both <- beside_gam(data, y ~ x0 + s(x1) + s(x2) + s(x3), truth, scale = "identity")
  expect_lt(both$ratio, 1.4)
  ours <- coef(both$ours)[paste0("x0=", 1:4)]
  theirs <- c(0, coef(both$theirs)[paste0("x0", 2:4)])
  expect_lt(max(abs((ours - ours[1]) - theirs)), 0.4)
})
