#!/bin/sh
# Uses the command as people do, and leaves in a folder what it makes and says, for comparison with other systems.
# Usage: use_archive.sh KORE FOLDER    (beside cars.json)
set -eu

kore="$1"
out="$2"
[ "$("$kore" --version)" ]
"$kore" fit cars.json --target Miles_per_Gallon --drop Name -o "$out/cars.kore" >"$out/fit.txt"
"$kore" predict "$out/cars.kore" cars.json --interval 0.9 --keep Name -o "$out/predicted.csv" -q
"$kore" explain "$out/cars.kore" cars.json -o "$out/explained.csv" -q
"$kore" effects "$out/cars.kore" >"$out/effects.txt"
"$kore" report "$out/cars.kore" cars.json -o "$out/cars.html" -q
for form in sql c onnx json; do "$kore" export "$out/cars.kore" --to "$form" -o "$out/cars.$form"; done
# A link on the path finds what lies beside the program.
ln -s "$kore" "$out/link"
"$out/link" predict "$out/cars.kore" cars.json -q >"$out/again.csv"
rm "$out/link"
# Parquet and queries, for which DuckDB fetches nothing.
"$kore" predict "$out/cars.kore" cars.json --keep Horsepower,Weight_in_lbs -o "$out/rows.parquet" -q
"$kore" fit "SELECT prediction, Horsepower, Weight_in_lbs FROM '$out/rows.parquet'" --target prediction -o "$out/query.kore" >"$out/query.txt"
"$kore" predict "$out/query.kore" "$out/rows.parquet" -q >"$out/query.csv"
# Bad input is refused with a sentence, and with the status that says so.
if "$kore" fit missing.csv --target y 2>"$out/refused.txt"; then exit 1; else [ $? -eq 2 ]; fi
[ -s "$out/refused.txt" ]
