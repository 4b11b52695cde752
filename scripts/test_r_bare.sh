#!/usr/bin/env bash
# The R package where there is R and nothing else: in a new system that has Debian's r-base-dev alone and no network, it is compiled
# and installed from its archive and used by tests/r/bare.R. Its predictions are compared with those of the command here.
# Usage: scripts/test_r_bare.sh [RELEASE[=MIRROR]]   (default: bookworm)
set -euo pipefail

source "$(dirname "${BASH_SOURCE[0]}")/places.sh"
release="${1:-bookworm}"
scripts/bare_root.sh make "$release" with-r r-base-dev
archive="$(scripts/build_r_package.sh)"
given="$made/build-r/bare"
rm -rf "$given"
mkdir -p "$given/library" "$given/files"
cp "$archive" tests/r/bare.R "$given"

inside() { scripts/bare_root.sh run "${release%%=*}-with-r" "$given" "$@"; }
echo "test_r_bare: installing $(basename "$archive") without a network; this compiles the engine"
inside env MAKEFLAGS="${MAKEFLAGS:--j$(nproc)}" R CMD INSTALL --library=/given/library "/given/$(basename "$archive")" >"$given/install.log" 2>&1 || {
  tail -n 40 "$given/install.log" >&2
  exit 1
}
inside env R_LIBS=/given/library Rscript --vanilla /given/bare.R /given/files

# The same table, fitted by the command. Another BLAS rounds differently, and the fit repeats what it is given: nearly equal.
"$made/build/kore" fit "$given/files/cars.csv" --target mpg -o "$given/files/command.kore" >/dev/null
"$made/build/kore" predict "$given/files/command.kore" "$given/files/cars.csv" -o "$given/files/command.csv" >/dev/null
# The model that R saved is the same numbers wherever it is used.
"$made/build/kore" predict "$given/files/cars.kore" "$given/files/cars.csv" -o "$given/files/saved.csv" >/dev/null
scripts/compare_predictions.py "$given/files/predictions.csv" "$given/files/saved.csv" 0
scripts/compare_predictions.py "$given/files/predictions.csv" "$given/files/command.csv" 1e-10
