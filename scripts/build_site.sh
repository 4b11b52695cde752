#!/usr/bin/env bash
# Builds the site into build-site (`make docs`), with every program run: those of R in the package that is built here, too. Arguments go
# to website/build.py; with --leave-out something may be missing.
set -euo pipefail

source "$(dirname "${BASH_SOURCE[0]}")/places.sh"
wheel="$(scripts/build_wheel.sh)"
scripts/python_environment.sh "$made/build-python/site" "$wheel"
R_LIBS="$(scripts/r_library.sh)"
export R_LIBS
[[ " $* " == *" --leave-out "* ]] || set -- --whole "$@"
"$made/build-python/site/bin/python" website/build.py "$made/build/kore" "$@"
"$made/build-python/site/bin/python" website/check_site.py "$made/build-site"
echo "The site, to be opened in a browser: $made/build-site/index.html"
