# mgcv's bam with the right formula on the tables that truths.py wrote: its linear predictor for fresh rows, and its curves with their errors.
# Usage: Rscript truths.R FOLDER   writes FOLDER/NAME.predictor.csv and FOLDER/NAME.curves.csv beside every FOLDER/NAME.train.csv
suppressMessages(library(mgcv))

families <- list(
  normal = gaussian(), binomial = binomial(), poisson = poisson(),
  gamma = Gamma(link = "log"), negative_binomial = nb()
)
functions <- 20 # of a curve; mgcv's own 10 are too few for the two humps in many rows

study <- function(folder, name) {
  train <- read.csv(file.path(folder, paste0(name, ".train.csv")))
  fresh <- read.csv(file.path(folder, paste0(name, ".fresh.csv")))
  points <- read.csv(file.path(folder, paste0(name, ".points.csv")))
  columns <- names(points)
  formula <- as.formula(paste("y ~", paste(sprintf("s(%s, bs = 'cr', k = %d)", columns, functions), collapse = " + ")))
  family <- families[[sub("_[0-9]+_[0-9]+$", "", name)]]
  model <- bam(formula, data = train, family = family, method = "fREML")
  write.csv(data.frame(predictor = as.numeric(predict(model, fresh))), file.path(folder, paste0(name, ".predictor.csv")), row.names = FALSE)
  curves <- predict(model, points, type = "terms", se.fit = TRUE)
  write.csv(
    data.frame(effect = curves$fit, error = curves$se.fit),
    file.path(folder, paste0(name, ".part")),
    row.names = FALSE
  )
  invisible(file.rename(file.path(folder, paste0(name, ".part")), file.path(folder, paste0(name, ".curves.csv"))))
}

folder <- commandArgs(trailingOnly = TRUE)[1]
for (file in list.files(folder, pattern = "\\.train\\.csv$")) {
  name <- sub("\\.train\\.csv$", "", file)
  if (!file.exists(file.path(folder, paste0(name, ".curves.csv")))) study(folder, name)
}
