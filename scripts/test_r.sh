#!/usr/bin/env bash
# The tests of the R package, installed into build-r/library with the engine that is built in build/. Arguments are the names of
# test files without "test-" and ".R".
set -euo pipefail

source "$(dirname "${BASH_SOURCE[0]}")/places.sh"
export KORE_LIBRARY="$made/build/src/libkore.so" KORE_COMMAND="$made/build/kore" KORE_SHARED="$PWD/../shared" KORE_PROJECT="$PWD"
R_LIBS="$(scripts/r_library.sh)"
export R_LIBS
Rscript --vanilla - "$PWD/r/tests/testthat" "$@" <<'END'
arguments <- commandArgs(trailingOnly = TRUE)
filter <- if (length(arguments) > 1) paste(arguments[-1], collapse = "|")
library(kore)
testthat::test_dir(arguments[1], package = "kore", load_package = "installed", filter = filter, reporter = "summary",
                   stop_on_failure = TRUE)
END
