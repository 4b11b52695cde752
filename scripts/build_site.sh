#!/usr/bin/env bash
# Builds the site into build-site (`make docs`). Arguments go to website/build.py.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
wheel="$(scripts/build_wheel.sh)"
scripts/python_environment.sh build-python/site "$wheel"
build-python/site/bin/python website/build.py build/kore "$@"
build-python/site/bin/python website/check_site.py build-site
echo "The site, to be opened in a browser: build-site/index.html"
