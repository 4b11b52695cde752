#!/usr/bin/env bash
# Fetches the sources of nanoarrow, which reads tables of other libraries, into third_party/nanoarrow (or the folder given).
# Running it again does nothing as long as the files are whole. Needs python3 with pip, tar and sha256sum.
set -euo pipefail

readonly version='0.7.0'
readonly archive_sha256='e333e639f02d97c01834c8e3fd25fb945ed53196bdfaeb129dd5a7b9f4233d39'
readonly files_sha256='f88da091432604e176b6df70ce64462983a2b4cdb35d00863c626b733cf20ef5'  # of the list of all sums, by name

target="${1:+$(realpath -m -- "$1")}"
source "$(dirname "${BASH_SOURCE[0]}")/places.sh"
target="${target:-$made/third_party/nanoarrow}"

die() {
  echo "fetch_nanoarrow: $*" >&2
  exit 1
}

sum_of_files() {  # folder
  (cd "$1" 2>/dev/null && find . -type f -print0 | LC_ALL=C sort -z | xargs -0r sha256sum | sha256sum | cut -d' ' -f1)
}

if [[ "$(sum_of_files "$target")" == "$files_sha256" ]]; then
  echo "fetch_nanoarrow: $target is complete."
  exit 0
fi
python3 -m pip --version >/dev/null 2>&1 || die "python3 with pip is needed to fetch nanoarrow; please install it."

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
# pip asks the build system of a source package for its metadata before it hands the package over. Meson and a compiler would take
# a minute for that, so this module answers in their place.
mkdir "$work/answers"
cat >"$work/answers/mesonpy.py" <<END
import pathlib
def prepare_metadata_for_build_wheel(folder, settings=None):
    metadata = pathlib.Path(folder, "nanoarrow-$version.dist-info")
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: nanoarrow\nVersion: $version\n")
    return metadata.name
END
PYTHONPATH="$work/answers" python3 -m pip download --quiet --disable-pip-version-check --no-deps --no-build-isolation \
  --no-binary nanoarrow --dest "$work" "nanoarrow==$version" || die "pip could not fetch nanoarrow $version."
archive="$work/nanoarrow-$version.tar.gz"
echo "$archive_sha256  $archive" | sha256sum --check --status ||
  die "nanoarrow $version does not have the pinned SHA-256 sum; nothing was installed."
sources="nanoarrow-$version/subprojects/arrow-nanoarrow/src"
tar -xzf "$archive" -C "$work" --exclude='*_test.cc' "$sources/nanoarrow/nanoarrow.h" "$sources/nanoarrow/nanoarrow.hpp" \
  "$sources/nanoarrow/nanoarrow_config.h.in" "$sources/nanoarrow/common" "$sources/nanoarrow/hpp"
rm -rf "$target.new"
mkdir -p "$(dirname "$target")"
cp -r "$work/$sources" "$target.new"
[[ "$(sum_of_files "$target.new")" == "$files_sha256" ]] || die "the files of nanoarrow $version are not the pinned ones."
rm -rf "$target"
mv "$target.new" "$target"
echo "fetch_nanoarrow: nanoarrow $version is in $target."
