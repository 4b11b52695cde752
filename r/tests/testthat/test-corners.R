# What formulas, columns and rows can be, beside what examples have.
set.seed(21)
n <- 120
corners <- data.frame(x = runif(n), z = runif(n), f = factor(sample(c("a", "b", "c"), n, TRUE), levels = c("c", "nobody", "b", "a")))
corners[["my column"]] <- runif(n)
corners[["say \"x\" \\ y"]] <- runif(n)
corners$y <- with(corners, sin(5 * x) + z * x + (f == "b") + corners[["my column"]] + rnorm(n, sd = 0.1))

used <- function(formula) kore:::parts_of_formula(formula, corners)

test_that("formulas name features and pairs in every way that formulas can", {
  expect_identical(used(y ~ . - z)$features, c("x", "f", "`my column`", "`say \"x\" \\\\ y`"))
  expect_identical(used(y ~ (x + z + f)^2)$pairs, list(c("x", "z"), c("x", "f"), c("z", "f")))
  expect_identical(used(y ~ x:z)$features, c("x", "z"))
  expect_identical(used(y ~ x * z - x:z)$pairs, list())
  expect_identical(used(y ~ x * z * f)$features, c("x", "z", "f"))
  expect_identical(used(y ~ f / x)$pairs, list(c("f", "x")))
  expect_identical(used(y ~ I(x^2) + log1p(z) + cut(x, 3))$features, c("I(x^2)", "log1p(z)", "cut(x, 3)"))
  expect_identical(used(log(y + 3) ~ x)$target, "log(y + 3)")
  long <- stats::as.formula(paste("y ~", paste0("I(x + ", 1:40, ")", collapse = " + ")))
  expect_length(used(long)$features, 40)
  nested <- stats::as.formula(paste0("y ~ ", strrep("log1p(", 40), "x", strrep(")", 40)))
  expect_identical(used(nested)$features, paste0(strrep("log1p(", 40), "x", strrep(")", 40)))
})

test_that("names in backticks are those of the table", {
  model <- quick(y ~ `my column` + `say "x" \\ y` + x, corners)
  expect_identical(vapply(kore_info(model)$features, `[[`, "", "name"), c("my column", "say \"x\" \\ y", "x"))
  expect_identical(predict(model, corners), unname(fitted(model)))
  expect_error(predict(model, corners["x"]), "my column", class = "kore_error")
  expect_identical(names(quick(`my column` ~ x, corners)$model), c("x", "my column"))
  expect_match(kore_export(model, to = "sql"), "say \"\"x\"\" \\ y", fixed = TRUE)
})

test_that("functions in a formula are those of its environment, also for new rows", {
  local({
    twice <- function(v) 2 * v
    threshold <- 0.5
    model <- quick(y ~ twice(x) + I(z > threshold) + cut(`my column`, c(-1, 0.3, 0.6, 2)), corners)
    expect_identical(predict(model, corners[5:9, ]), predict(model, corners)[5:9])
    expect_identical(predict(model, corners[7, ]), predict(model, corners)[7])
  })
})

test_that("without `data`, variables come from the environment", {
  x <- corners$x
  y <- corners$y
  model <- quick(y ~ x)
  expect_identical(predict(model, data.frame(x = x)), unname(fitted(model)))
  expect_identical(unname(fitted(model)), unname(fitted(quick(y ~ x, corners))))
})

test_that("levels without rows, ordered factors and texts are the same categories", {
  plain <- quick(y ~ f + x, corners)
  fitted_with <- function(f) unname(fitted(quick(y ~ f + x, transform(corners, f = f))))
  expect_equal(fitted_with(droplevels(corners$f)), unname(fitted(plain)), tolerance = 1e-9)
  expect_equal(fitted_with(as.character(corners$f)), unname(fitted(plain)), tolerance = 1e-9)
  expect_equal(fitted_with(factor(corners$f, ordered = TRUE)), unname(fitted(plain)), tolerance = 1e-9)
  expect_false("nobody" %in% as.character(effects(plain)$f$f))
  new <- corners[1:3, ]
  new$f <- factor(c("nobody", "a", NA), levels = c("nobody", "a"))
  found <- suppressWarnings(predict(plain, new))
  expect_warning(predict(plain, new[1, ]), "'f'")
  expect_true(all(is.finite(found)))
  expect_identical(found[2], predict(plain, transform(corners[2, ], f = "a")))
})

test_that("a moment is the same moment in every zone, and a date is none", {
  data <- corners
  data$t <- as.POSIXct("2024-03-30 12:00:00", tz = "UTC") + 3600 * seq_len(n)
  data$y <- sin(seq_len(n) / 15)
  model <- quick(y ~ t + x, data)
  for (zone in c("Europe/Berlin", "Pacific/Auckland", "America/St_Johns")) {
    moved <- data
    attr(moved$t, "tzone") <- zone
    expect_identical(predict(model, moved), unname(fitted(model)))
    expect_identical(predict(quick(y ~ t + x, moved), data), unname(fitted(model)))
  }
  by_table <- quick(data["t"], data$y)
  expect_identical(predict(by_table, list2DF(list(t = as.POSIXlt(data$t)))), predict(by_table, data["t"]))
  days <- transform(corners, d = as.Date("2024-02-28") + seq_len(n) + 0.7)
  expect_identical(unname(fitted(quick(y ~ d, days))), unname(fitted(quick(y ~ d, transform(days, d = as.Date("2024-02-28") + seq_len(n))))))
})

test_that("weights of zero leave rows out, and no weights may be missing", {
  counts <- rep(c(0, 1, 2), length.out = n)
  weighted <- quick(y ~ x + z, corners, weights = counts, scale = "identity", referee_folds = 1)
  without <- quick(y ~ x + z, corners[counts > 0, ], weights = counts[counts > 0], scale = "identity", referee_folds = 1)
  expect_equal(predict(weighted, corners), predict(without, corners), tolerance = 1e-6)
  expect_error(quick(y ~ x, corners, weights = replace(counts, 3, NA)), class = "kore_error")
  expect_error(quick(y ~ x, corners, weights = rep(0, n)), class = "kore_error")
})

test_that("subset is taken before anything else", {
  some <- quick(y ~ x + f, corners, subset = f != "b" & x > 0.2, weights = z)
  same <- quick(y ~ x + f, corners[corners$f != "b" & corners$x > 0.2, ], weights = z)
  expect_identical(unname(fitted(some)), unname(fitted(same)))
  expect_identical(names(fitted(quick(y ~ x, data.frame(corners, row.names = paste0("r", 1:n)), subset = 1:40))), paste0("r", 1:40))
})

test_that("targets with gaps, targets in a matrix of one column, constant targets", {
  gaps <- transform(corners, y = replace(y, c(1, 5, n), NA))
  model <- quick(y ~ x, gaps)
  expect_equal(nobs(model), n - 3)
  expect_identical(which(is.na(residuals(model))), c(1L, 5L, 120L), ignore_attr = TRUE)
  expect_identical(unname(fitted(quick(scale(y) ~ x, corners))), unname(fitted(quick(as.vector(scale(y)) ~ x, corners))))
  expect_identical(predict(quick(as.matrix(corners["x"]), as.matrix(corners["y"])), corners["x"]),
                   predict(quick(corners["x"], corners$y), corners["x"]))
  expect_error(quick(y ~ x, transform(corners, y = NA_real_)), class = "kore_error")
  expect_error(quick(y ~ x, transform(corners, y = c(NaN, Inf, y[-(1:2)]))), "y", class = "kore_error")
})

test_that("new rows: other order of columns, more columns, other types, none at all", {
  model <- quick(y ~ x + z + f, corners)
  expect_identical(predict(model, corners[rev(names(corners))]), unname(fitted(model)))
  expect_identical(predict(model, transform(corners, x = as.character(x))), unname(fitted(model)), tolerance = 1e-12)
  expect_length(predict(model, corners[0, ]), 0)
  expect_true(is.finite(suppressWarnings(predict(model, data.frame(x = NA_real_, z = 0.5, f = NA)))))
  expect_error(predict(model, transform(corners, x = Inf)), "x", class = "kore_error")
  expect_error(predict(model, transform(corners, x = x + 1i)), "complex", class = "kore_error")
  expect_error(predict(model, corners[c("x", "f")]), "'z'", class = "kore_error")
})

test_that("texts in another encoding are the same texts", {
  latin <- iconv("K\u00f6ln", "UTF-8", "latin1")
  data <- transform(corners, town = ifelse(x > 0.5, "K\u00f6ln", "Rome"))
  model <- quick(y ~ town + z, data)
  expect_identical(predict(model, data.frame(town = latin, z = 0.5)), predict(model, data.frame(town = "K\u00f6ln", z = 0.5)))
  data[[iconv("stra\u00dfe", "UTF-8", "latin1")]] <- data$x
  expect_identical(unname(fitted(quick(stats::reformulate("`stra\u00dfe`", "y"), data))), unname(fitted(quick(y ~ x, data))))
})

test_that("tables of other packages are data frames", {
  data <- corners
  class(data) <- c("tbl_df", "tbl", "data.frame")
  model <- quick(y ~ x + f, data)
  expect_identical(predict(model, corners), predict(quick(y ~ x + f, corners), data))
})

test_that("the engine's calls survive a collection at every allocation", {
  skip_on_cran()
  table <- kore:::engine_table(list(x = corners$x[1:30], t = rep(c("a", NA, "b"), 10), f = corners$f[1:30], y = corners$y[1:30]))
  gctorture(TRUE)
  on.exit(gctorture(FALSE))
  handle <- .Call(kore:::r_fit, table$columns, 30, "{\"target\": \"y\", \"max_order\": 1, \"referee_folds\": 1, \"threads\": 1}")
  info <- .Call(kore:::r_info, handle)
  found <- .Call(kore:::r_predict, handle, table$columns, 30, "{\"interval\": 0.8}")
  gctorture(FALSE)
  expect_identical(info$target, "y")
  expect_length(found$prediction, 30)
})
