#!/usr/bin/env bash
# Builds the site into build-site (`make docs`). Arguments go to website/build.py.
set -euo pipefail

source "$(dirname "${BASH_SOURCE[0]}")/places.sh"
wheel="$(scripts/build_wheel.sh)"
scripts/python_environment.sh "$made/build-python/site" "$wheel"
"$made/build-python/site/bin/python" website/build.py "$made/build/kore" "$@"
"$made/build-python/site/bin/python" website/check_site.py "$made/build-site"
echo "The site, to be opened in a browser: $made/build-site/index.html"
