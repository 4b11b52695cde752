#!/usr/bin/env bash
# The study of honesty: what models state about themselves beside rows that they have not seen. Writes docs/honesty.md, and the results of
# single cells to out/honesty.
# Usage: scripts/honesty.sh DATA [options of kore_honesty, such as --part noise --draws 2]
# A run of some parts or cells only leaves the page as it is and writes out/honesty/part.md.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
data=$1
shift
output=out/honesty
page=docs/honesty.md
(($# == 0)) || page=$output/part.md

mkdir -p "$output"
build/experiments/kore_honesty "$data" --cells "$output" -o "$page" "$@"
