#!/usr/bin/env bash
# The tests of the Python package, from its wheel in a new environment. Arguments go to pytest.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
wheel="$(scripts/build_wheel.sh)"
scripts/python_environment.sh build-python/venv "$wheel"
python="$PWD/build-python/venv/bin/python"
# Types are checked where users have them: in the installed package.
(cd build-python && "$python" -m mypy --config-file ../pyproject.toml --no-error-summary -p kore)
# Tests that share a session of Spark stay in one process.
"$python" -m pytest --numprocesses 2 --dist loadgroup "$@"
