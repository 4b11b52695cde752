#!/usr/bin/env bash
# Builds the R package with the engine's sources into build-r, by `R CMD build`, and prints the path of the archive. With --check
# it also runs `R CMD check --as-cran`, which compiles the engine, and prints what the check found. The vignette is made with the
# library that is built in build/, where there is one.
set -euo pipefail

source "$(dirname "${BASH_SOURCE[0]}")/places.sh"
scripts/stage_r_package.sh "$made/build-r/kore" >&2
built="$made/build/src/libkore.so"
cd "$made/build-r"
rm -f kore_*.tar.gz
if [[ -f $built ]]; then KORE_LIBRARY="$built" R CMD build kore >&2; else R CMD build kore >&2; fi
archive="$(ls -t kore_*.tar.gz | head -n 1)"
if [[ ${1:-} == --check ]]; then
  # Examples and tests of a check may use two cores. What needs the network is left out.
  export _R_CHECK_CRAN_INCOMING_REMOTE_=false _R_CHECK_CRAN_INCOMING_=false
  # The manual as PDF is made by LaTeX, which the set-up does not install.
  manual=()
  command -v pdflatex >/dev/null || manual=(--no-manual)
  MAKEFLAGS="${MAKEFLAGS:--j$(nproc)}" R CMD check --as-cran "${manual[@]}" "$archive" >&2
  grep -E '^\* checking .*\.\.\. .*(NOTE|WARNING|ERROR)|^Status' kore.Rcheck/00check.log >&2
  ! grep -qE '^Status:.*(WARNING|ERROR)' kore.Rcheck/00check.log
fi
echo "$PWD/$archive"
