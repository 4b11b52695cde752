#!/usr/bin/env bash
# Builds the wheel of the Python package for this machine into build-python/wheels and prints its path. Where there is a build for the
# tests, the module is linked from its libraries, its command is taken, and only the bindings are compiled; else everything is.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
wheels=build-python/wheels
rm -rf "$wheels"
settings=()
if [[ -f build/kore-built.cmake ]]; then
  cmake --build build --target kore kore_arrow kore_story kore_report kore_command >&2
  settings=(--config-settings="build-dir=build-python/linked" --config-settings="cmake.define.KORE_BUILT=$PWD/build")
fi
.venv/bin/python -m pip wheel . --quiet --disable-pip-version-check --no-build-isolation --no-deps --wheel-dir "$wheels" "${settings[@]}"
echo "$PWD/$wheels"/*.whl
