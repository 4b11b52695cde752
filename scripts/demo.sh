#!/usr/bin/env bash
# The tour of `make demo`: an equation of the paper and a real table, fitted, explained and predicted. Results are in out/demo.
set -euo pipefail

source "$(dirname "${BASH_SOURCE[0]}")/places.sh"
kore="$made/build/kore"
cars=examples/data/cars.json
# What is typed is short where all lies in one folder.
[[ $made == "$PWD" ]] || cars="$PWD/$cars"
cd "$made"
mkdir -p out/demo

say() { printf '\n\033[1m$ kore %s\033[0m\n' "$*"; }
run() {
  say "$@"
  "$kore" "$@"
}

echo "An equation of the paper, with noise:"
run example friedman-1 -o out/demo/friedman.csv
run fit out/demo/friedman.csv --target y -o out/demo/friedman.kore

echo
echo "A real table, with dates, a category and missing values: what decides how far a car goes on a gallon?"
run fit "$cars" --target Miles_per_Gallon --drop Name -o out/demo/cars.kore | tee out/demo/report.txt
run predict out/demo/cars.kore "$cars" --interval 0.9 --keep Name,Miles_per_Gallon -o out/demo/cars.csv
head -n 4 out/demo/cars.csv
run effects out/demo/cars.kore -o out/demo/effects
run report out/demo/cars.kore "$cars" -o out/demo/cars.html
echo
echo "Written: out/demo/report.txt, the models, the predictions and every curve in out/demo/effects."
echo "The report, to be opened in a browser: ${KORE_BUILD:+$made/}out/demo/cars.html"
