#!/usr/bin/env bash
# The tests of kore.spark and kore.dask in full, on clusters of several processes on this machine. Arguments go to pytest.
set -euo pipefail

source "$(dirname "${BASH_SOURCE[0]}")/places.sh"
wheel="$(scripts/build_wheel.sh)"
scripts/python_environment.sh "$made/build-python/venv" "$wheel"
"$made/build-python/venv/bin/python" -m pytest -o cache_dir="$made/build-python/pytest" tests/cluster "$@"
