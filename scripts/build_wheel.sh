#!/usr/bin/env bash
# Builds the wheel of the Python package into build-python/wheels and prints its path. The engine's sources are compiled as for the
# command, so that ccache has the objects of `make build` at hand and only the bindings take time.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
wheels=build-python/wheels
rm -rf "$wheels"
.venv/bin/python -m pip wheel . --quiet --disable-pip-version-check --no-build-isolation --no-deps --wheel-dir "$wheels"
echo "$PWD/$wheels"/*.whl
