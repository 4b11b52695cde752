#!/usr/bin/env bash
# The study of whole tables: KORE's command beside a tuned LightGBM on tables of more than 2,500 rows (a quarter of an hour).
# Usage: scripts/whole_tables.sh DATA [options of benchmarks/whole_tables/whole_tables.py, such as --tables abalone,fifa]
# With `--lightgbm out/whole_tables/lightgbm.json` LightGBM's results are kept in that file, and KORE alone is measured again.
# Usage: scripts/whole_tables.sh --families COMMAND DATA: the study of families in the same environment.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
study=benchmarks/whole_tables
environment=build-whole/venv
if ! cmp -s "$study/requirements.txt" "$environment/installed-requirements.txt"; then
  echo "whole tables: installing LightGBM" >&2
  python3 -m venv --clear "$environment"
  "$environment/bin/python" -m pip install --quiet --disable-pip-version-check --requirement "$study/requirements.txt"
  cp "$study/requirements.txt" "$environment/installed-requirements.txt"
fi
if [[ ${1:-} == --families ]]; then
  "$environment/bin/python" benchmarks/families.py "${@:2}"
else
  "$environment/bin/python" "$study/whole_tables.py" "$@"
fi
