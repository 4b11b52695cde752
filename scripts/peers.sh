#!/usr/bin/env bash
# Installs KORE's peers for comparisons, R with mgcv through apt and the others through pip into build-bench/venv, and prints the path
# of the Python there.
set -euo pipefail

source "$(dirname "${BASH_SOURCE[0]}")/places.sh"
environment="$made/build-bench/venv"
requirements=benchmarks/comparison/requirements.txt

if ! command -v Rscript >/dev/null || ! Rscript -e 'library(mgcv)' >/dev/null 2>&1; then
  echo "peers: installing R with mgcv" >&2
  as_root=()
  [[ $(id -u) == 0 ]] || as_root=(sudo)
  "${as_root[@]}" apt-get update -qq >&2
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends r-base-core r-cran-mgcv >&2
fi
if ! cmp -s "$requirements" "$environment/installed-requirements.txt"; then
  echo "peers: installing the others" >&2
  python3 -m venv --clear "$environment"
  "$environment/bin/python" -m pip install --quiet --disable-pip-version-check --requirement "$requirements" >&2
  cp "$requirements" "$environment/installed-requirements.txt"
fi
echo "$environment/bin/python"
