#!/usr/bin/env bash
# Fetches OpenBLAS, the build that NumPy and SciPy ship with, into third_party/openblas (or the folder given). Debian's is years
# older than the machines it runs on: on a processor it has never heard of it falls back to kernels of 2004, a fifth of the speed.
# Running it again does nothing as long as the files are whole. Needs python3 with pip, and sha256sum.
set -euo pipefail

readonly package='scipy-openblas32==0.3.34.237.2'
readonly library_sha256='a2ea93dda601b1b43daa47cf2be80e438bfbeed8d339f27aee41b8c6cd42edd7'
readonly header_sha256='39f3f6595171eccc178cb23921da17c091bd684ce16d180c2108ff2485b6d2c8'

target="${1:+$(realpath -m -- "$1")}"
source "$(dirname "${BASH_SOURCE[0]}")/places.sh"
target="${target:-$made/third_party/openblas}"

die() {
  echo "fetch_openblas: $*" >&2
  exit 1
}

all_whole() {  # folder
  echo "$library_sha256  $1/lib/libscipy_openblas.so
$header_sha256  $1/include/cblas.h" | sha256sum --check --status 2>/dev/null
}

if [[ "$(uname -s)-$(uname -m)" != Linux-x86_64 ]]; then
  echo "fetch_openblas: the pinned build is for Linux on x86-64; the system's OpenBLAS is used." >&2
  exit 0
fi
if all_whole "$target"; then
  echo "fetch_openblas: $target is complete."
  exit 0
fi
python3 -m pip --version >/dev/null 2>&1 || die "python3 with pip is needed to fetch OpenBLAS; please install it."

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: --python-version 3.11 \
  --platform manylinux_2_28_x86_64 --dest "$work" "$package" || die "pip could not fetch $package."
python3 -m zipfile -e "$work"/*.whl "$work"
fetched="$work/scipy_openblas32"
all_whole "$fetched" || die "the files of $package do not have the pinned SHA-256 sums; nothing was installed."
mkdir -p "$target"
cp -r "$fetched/include" "$target/"
mkdir -p "$target/lib"
cp "$fetched/lib/libscipy_openblas.so" "$target/lib/libscipy_openblas.so.new"
mv -f "$target/lib/libscipy_openblas.so.new" "$target/lib/libscipy_openblas.so"
cp "$work"/*.dist-info/licenses/LICENSE.txt "$target/LICENSE"
echo "fetch_openblas: ${package/==/ } is in $target."
