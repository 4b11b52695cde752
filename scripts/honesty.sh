#!/usr/bin/env bash
# The study of honesty: what models state about themselves beside rows that they have not seen. Writes docs/honesty.md, and the results of
# single cells to out/honesty.
# Usage: scripts/honesty.sh DATA [options of kore_honesty, such as --part noise --draws 2]
# A run of some parts or cells only leaves the page as it is and writes out/honesty/part.md.
set -euo pipefail

source "$(dirname "${BASH_SOURCE[0]}")/places.sh"
data=$1
shift
output="$made/out/honesty"
page=docs/honesty.md
(($# == 0)) || page=$output/part.md

mkdir -p "$output"
# What mgcv has fitted stays in out/honesty and is not fitted again; delete that folder for a new run.
gamsim=$output/gamsim
if [[ ($# == 0 || "$*" == *gamsim*) && ! -s $gamsim/mgcv.csv ]]; then
  if command -v Rscript >/dev/null && Rscript -e 'library(mgcv)' >/dev/null 2>&1; then
    "$made/build/experiments/kore_honesty" "$data" --gamsim "$gamsim" --make-gamsim
    Rscript experiments/honesty/gamsim.R "$gamsim"
  else
    echo "honesty: R with mgcv is not installed, so that the examples are not compared with it (make bench installs it)" >&2
  fi
fi
"$made/build/experiments/kore_honesty" "$data" --cells "$output" --gamsim "$gamsim" -o "$page" "$@"
