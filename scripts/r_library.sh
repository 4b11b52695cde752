#!/usr/bin/env bash
# Installs the R package into build-r/library, with the engine that is built in build/, and prints the path of that library.
set -euo pipefail

source "$(dirname "${BASH_SOURCE[0]}")/places.sh"
export KORE_LIBRARY="$made/build/src/libkore.so" R_LIBS="$made/build-r/library"
mkdir -p "$R_LIBS"
package="$(scripts/stage_r_package.sh "$made/build-r/linked")"
R CMD INSTALL --no-docs --no-test-load --library="$R_LIBS" "$package" >"$made/build-r/install.log" 2>&1 || {
  cat "$made/build-r/install.log" >&2
  exit 1
}
echo "$R_LIBS"
