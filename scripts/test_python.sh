#!/usr/bin/env bash
# The tests of the Python package, from its wheel in a new environment. Arguments go to pytest.
set -euo pipefail

source "$(dirname "${BASH_SOURCE[0]}")/places.sh"
wheel="$(scripts/build_wheel.sh)"
scripts/python_environment.sh "$made/build-python/venv" "$wheel"
python="$made/build-python/venv/bin/python"
source="$PWD"
# Types are checked where users have them: in the installed package.
(cd "$made/build-python" && "$python" -m mypy --config-file "$source/pyproject.toml" --no-error-summary -p kore)
# Tests that share a session of Spark stay in one process.
"$python" -m pytest -o cache_dir="$made/build-python/pytest" --numprocesses 2 --dist loadgroup "$@"
