#!/usr/bin/env bash
# Makes a Python environment with LightGBM, pandas and scikit-learn for studies beside boosters, and prints its interpreter.
set -euo pipefail

source "$(dirname "${BASH_SOURCE[0]}")/places.sh"
requirements=benchmarks/whole_tables/requirements.txt
environment="$made/build-whole/venv"
if ! cmp -s "$requirements" "$environment/installed-requirements.txt"; then
  echo "installing LightGBM for the study" >&2
  python3 -m venv --clear "$environment"
  "$environment/bin/python" -m pip install --quiet --disable-pip-version-check --requirement "$requirements"
  cp "$requirements" "$environment/installed-requirements.txt"
fi
echo "$environment/bin/python"
