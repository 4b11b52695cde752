#!/usr/bin/env bash
# Fetches iframe-worker, with which the site is searched where it lies in a folder: browsers start no worker there. It goes into
# third_party/iframe-worker. Running it again does nothing as long as the files are whole. Needs npm, tar and sha256sum.
set -euo pipefail

readonly package=iframe-worker@1.0.4
readonly sums='e8e412dbcfea9b7e31b5ffa288d7b6035915e714c542f4176a0cdbe262fc9609  shim.js
dd69737a4768aab9f934a5aed9efab9561ac4062d4fdbe490d44369a2cf48b6b  LICENSE'

source "$(dirname "${BASH_SOURCE[0]}")/places.sh"
target="$made/third_party/iframe-worker"

die() {
  echo "fetch_iframe_worker: $*" >&2
  exit 1
}

whole() { (cd "$1" 2>/dev/null && sha256sum --check --status <<<"$sums" 2>/dev/null); }

whole "$target" && exit
command -v npm >/dev/null || die "npm is needed to fetch $package; please install it."
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cd "$work"
archive="$(npm pack --silent "$package" | tail -n 1)" || die "npm could not fetch $package."
tar -xzf "$archive"
mkdir fetched
cp package/shim/index.js fetched/shim.js
cp package/LICENSE fetched/LICENSE
whole fetched || die "what npm delivered does not have the pinned SHA-256 sums; nothing was installed."
mkdir -p "$target"
cp fetched/* "$target/"
