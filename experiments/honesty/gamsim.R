# mgcv with the right formula on the data sets that `kore_honesty --make-gamsim` wrote: its errors to the truth on the fresh rows.
# Usage: Rscript gamsim.R FOLDER   writes FOLDER/mgcv.csv
suppressMessages(library(mgcv))

four_curves <- y ~ s(x0) + s(x1) + s(x2) + s(x3)
formulas <- list(
  four_curves,
  y ~ s(x, z),
  y ~ s(x2, by = x1),
  y ~ fac + s(x2, by = fac) + s(x0) + s(x1),
  y ~ x0 + s(x1) + s(x2) + s(x3),
  y ~ s(fac, bs = "re") + s(x0) + s(x1) + s(x2) + s(x3),
  four_curves
)
categories <- list(NULL, NULL, NULL, "fac", "x0", "fac", NULL)

error_of <- function(file, example) {
  table <- read.csv(file)
  for (column in categories[[example]]) table[[column]] <- factor(table[[column]])
  model <- gam(formulas[[example]], data = table[table$fresh == 0, ], method = "REML")
  fresh <- table[table$fresh == 1, ]
  sqrt(mean((as.numeric(predict(model, fresh)) - fresh$truth)^2))
}

folder <- commandArgs(trailingOnly = TRUE)[1]
names <- sub("\\.csv$", "", list.files(folder, pattern = "^example[0-9]_[0-9]+\\.csv$"))
errors <- sapply(names, function(name) error_of(file.path(folder, paste0(name, ".csv")), as.integer(substr(name, 8, 8))))
part <- file.path(folder, "mgcv.part")
write.csv(data.frame(name = names, rmse = sprintf("%.12g", errors)), part, row.names = FALSE, quote = FALSE)
invisible(file.rename(part, file.path(folder, "mgcv.csv")))
