#!/usr/bin/env bash
# Makes a new virtual environment in the given folder with nothing in it but the given wheel. What the wheel depends on, and what
# the tests need, is seen through from .venv, where scripts/setup.sh keeps it: installing it anew would take a minute and test pip.
# So is what makes the site, from .venv-docs.
# Usage: scripts/python_environment.sh FOLDER WHEEL
set -euo pipefail

folder="$(realpath -m -- "$1")"
wheel="$(realpath -- "$2")"
source "$(dirname "${BASH_SOURCE[0]}")/places.sh"
python="$made/.venv/bin/python"
"$python" -m venv --clear "$folder"
site="$("$folder/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')"
for environment in "$made/.venv" "$made/.venv-docs"; do
  [[ ! -x $environment/bin/python ]] || "$environment/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))'
done >"$site/dependencies.pth"
"$folder/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps --no-index "$wheel"
# Everything that the wheel says it needs must be there.
"$folder/bin/python" -m pip check --quiet --disable-pip-version-check
