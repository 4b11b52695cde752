#!/usr/bin/env bash
# The study of whole tables: KORE's command beside a tuned LightGBM on tables of more than 2,500 rows (a quarter of an hour).
# Usage: scripts/whole_tables.sh DATA [options of benchmarks/whole_tables/whole_tables.py, such as --tables abalone,fifa]
# With `--lightgbm out/whole_tables/lightgbm.json` LightGBM's results are kept in that file, and KORE alone is measured again.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
python=$(scripts/booster_environment.sh)
"$python" benchmarks/whole_tables/whole_tables.py "$@"
