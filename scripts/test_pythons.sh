#!/usr/bin/env bash
# The Python package under every version of Python that it declares and this machine has, each with the newest libraries that pip
# finds for it: `pip install .` as a user types it, then the tests. Versions can be given; 3.10 to 3.13 otherwise.
set -euo pipefail

source "$(dirname "${BASH_SOURCE[0]}")/places.sh"
versions=("$@")
(( ${#versions[@]} )) || versions=(3.10 3.11 3.12 3.13)

tested=0
for version in "${versions[@]}"; do
  python="$(scripts/find_python.sh "$version")"
  if [[ -z $python ]]; then
    echo "Python $version is not on this machine."
    continue
  fi
  environment="$made/build-python/venv-$version"
  "$python" -m venv --clear "$environment"
  "$environment/bin/python" -m pip install --quiet --disable-pip-version-check \
    --config-settings="build-dir=$made/build-python/{wheel_tag}" . pandas polars pyarrow pytest pytest-xdist hypothesis
  echo "== $("$environment/bin/python" --version)"
  "$environment/bin/python" -m pytest -o cache_dir="$made/build-python/pytest" --quiet --numprocesses 2
  tested=$((tested + 1))
done
(( tested )) || { echo "None of the versions ${versions[*]} is on this machine." >&2; exit 1; }
