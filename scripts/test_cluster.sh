#!/usr/bin/env bash
# The tests of kore.spark and kore.dask in full, on clusters of several processes on this machine. Arguments go to pytest.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
wheel="$(scripts/build_wheel.sh)"
scripts/python_environment.sh build-python/venv "$wheel"
build-python/venv/bin/python -m pytest tests/cluster "$@"
