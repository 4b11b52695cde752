#!/usr/bin/env bash
# Fetches DuckDB's C library and its header, both of the same release, into third_party/duckdb (or the folder given).
# Running it again does nothing as long as the files are whole. Needs npm, tar and sha256sum.
set -euo pipefail

readonly library_package='@duckdb/node-bindings-linux-x64@1.4.4-r.4'
readonly library_sha256='1ef33048e12235115ac0d277a0aaccbb560e33248144f488b5ac005cd9ba81b5'
readonly header_package='duckdb@1.4.4'
readonly header_sha256='cbe6a827284375c5a646b8f27dbd3a00808ce8738b5bbb49c190cb1e08540281'
readonly header_path='package/src/duckdb/src/include/duckdb.h'

target="${1:+$(realpath -m -- "$1")}"
source "$(dirname "${BASH_SOURCE[0]}")/places.sh"
target="${target:-$made/third_party/duckdb}"

die() {
  echo "fetch_duckdb: $*" >&2
  exit 1
}

is_whole() {  # file, expected checksum
  [[ -f $1 ]] && [[ "$(sha256sum "$1" | cut -d' ' -f1)" == "$2" ]]
}

all_whole() {
  is_whole "$target/lib/libduckdb.so" "$library_sha256" && is_whole "$target/include/duckdb.h" "$header_sha256" &&
    [[ -f $target/LICENSE ]]
}

# Unpacks one member of a package, and puts it in its place only if it is what was pinned.
fetch() {  # package, member, expected checksum, destination
  local archive="$work/${1//[^a-zA-Z0-9.-]/_}.tgz"
  if [[ ! -f $archive ]]; then
    local packed
    packed="$(cd "$work" && npm pack --silent "$1" | tail -n 1)" || die "npm could not fetch $1."
    mv "$work/$packed" "$archive"
  fi
  tar -xzf "$archive" -C "$work" "$2" || die "$1 does not contain $2."
  if [[ -n $3 ]]; then
    is_whole "$work/$2" "$3" || die "$2 of $1 does not have the pinned SHA-256 sum; nothing was installed."
  fi
  mkdir -p "$(dirname "$4")"
  mv -f "$work/$2" "$4.new"
  mv -f "$4.new" "$4"
}

if [[ "$(uname -s)-$(uname -m)" != Linux-x86_64 ]]; then
  die "the pinned library is for Linux on x86-64. Put libduckdb and duckdb.h of release 1.4.4 into $target/lib and $target/include."
fi
if all_whole; then
  echo "fetch_duckdb: $target is complete."
  exit 0
fi
command -v npm >/dev/null || die "npm is needed to fetch DuckDB; please install it."

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
fetch "$library_package" package/libduckdb.so "$library_sha256" "$target/lib/libduckdb.so"
fetch "$library_package" package/LICENSE '' "$target/LICENSE"
fetch "$header_package" "$header_path" "$header_sha256" "$target/include/duckdb.h"
all_whole || die "the files in $target are not what was fetched."
echo "fetch_duckdb: DuckDB 1.4.4 is in $target."
