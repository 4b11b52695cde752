#!/usr/bin/env bash
# The tests of the R package, installed into build-r/library with the engine that is built in build/. Arguments are the names of
# test files without "test-" and ".R".
set -euo pipefail

source "$(dirname "${BASH_SOURCE[0]}")/places.sh"
export KORE_LIBRARY="$made/build/src/libkore.so" KORE_COMMAND="$made/build/kore" KORE_SHARED="$PWD/../shared" KORE_PROJECT="$PWD"
export R_LIBS="$made/build-r/library"
mkdir -p "$R_LIBS"
package="$(scripts/stage_r_package.sh "$made/build-r/linked")"
R CMD INSTALL --no-docs --no-test-load --library="$R_LIBS" "$package" >"$made/build-r/install.log" 2>&1 || {
  cat "$made/build-r/install.log" >&2
  exit 1
}
Rscript --vanilla - "$PWD/r/tests/testthat" "$@" <<'END'
arguments <- commandArgs(trailingOnly = TRUE)
filter <- if (length(arguments) > 1) paste(arguments[-1], collapse = "|")
library(kore)
testthat::test_dir(arguments[1], package = "kore", load_package = "installed", filter = filter, reporter = "summary",
                   stop_on_failure = TRUE)
END
