library(testthat)
library(kore)
test_check("kore")
