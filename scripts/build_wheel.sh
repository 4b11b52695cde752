#!/usr/bin/env bash
# Builds the wheel of the Python package for this machine into build-python/wheels and prints its path. Where there is a build for the
# tests, the module is linked from its libraries, its command is taken, and only the bindings are compiled; else everything is.
set -euo pipefail

source "$(dirname "${BASH_SOURCE[0]}")/places.sh"
wheels="$made/build-python/wheels"
rm -rf "$wheels"
settings=(--config-settings="build-dir=$made/build-python/{wheel_tag}")
if [[ -f $made/build/kore-built.cmake ]]; then
  cmake --build "$made/build" --target kore kore_arrow kore_story kore_report kore_command >&2
  settings=(--config-settings="build-dir=$made/build-python/linked" --config-settings="cmake.define.KORE_BUILT=$made/build")
fi
"$made/.venv/bin/python" -m pip wheel . --quiet --disable-pip-version-check --no-build-isolation --no-deps --wheel-dir "$wheels" "${settings[@]}"
echo "$wheels"/*.whl
