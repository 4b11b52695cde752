#!/usr/bin/env bash
# Puts the R package together in a folder: r/, and in src/engine the sources that it is compiled from, with the headers of
# other libraries that these include, so that it installs where there is nothing but R. Prints the folder.
# Usage: scripts/stage_r_package.sh [FOLDER]   (default: build-r/kore)
set -euo pipefail

target="${1:+$(realpath -m -- "$1")}"
source "$(dirname "${BASH_SOURCE[0]}")/places.sh"
target="${target:-$made/build-r/kore}"
engine="$target/src/engine"
scripts/fetch_nanoarrow.sh >/dev/null
scripts/fetch_vega.sh >/dev/null

rm -rf "$target"
mkdir -p "$engine/src" "$engine/include" "$engine/lib" "$target/inst"
cp -r r/. "$target"
rm -rf "$target/engine"
cp r/engine/*.cpp "$engine"
cp -r include/kore "$engine/include"

# The rooms of the library. Files and SQL, the command and what only a program of its own may do stay away.
rooms=(base basis design stats solve pass response law select penalty grow fit model table arrow story report export c_interface)
for room in "${rooms[@]}"; do cp -r "src/$room" "$engine/src"; done
rm -rf "$engine/src/base/system_program.cpp" "$engine/src/c_interface/exports.map" "$engine"/src/report/{CMakeLists.txt,assets}
# The scripts and styles of a report, as the build embeds them.
own=src/report/assets vega="$made/third_party/vega"
assets="page_style=$own/page.css|page_script=$own/page.js|model_script=$own/model.js|what_if_script=$own/what_if.js"
for name in vega vega-lite vega-embed; do
  assets+="|${name//-/_}_script=$vega/$name.min.js|${name//-/_}_licence=$vega/$name.LICENSE"
done
cmake -DOUTPUT="$engine/src/report/assets.cpp" -DHEADER=report/assets.hpp -DNAMESPACE=kore::report "-DFILES=$assets" -P cmake/embed_text.cmake

# nanoarrow, with names of its own, as cmake/FindNanoarrow.cmake makes it.
nanoarrow="$made"/third_party/nanoarrow/nanoarrow
mkdir -p "$engine/lib/nanoarrow/common"
cp -r "$nanoarrow"/{nanoarrow.h,nanoarrow.hpp,hpp} "$engine/lib/nanoarrow"
cp "$nanoarrow"/common/*.{c,h} "$engine/lib/nanoarrow/common"
sed -e 's/@NANOARROW_VERSION_MAJOR@/0/; s/@NANOARROW_VERSION_MINOR@/7/; s/@NANOARROW_VERSION_PATCH@/0/; s/@NANOARROW_VERSION@/0.7.0/' \
  -e 's/@NANOARROW_NAMESPACE_DEFINE@/#define NANOARROW_NAMESPACE KoreNanoarrow/' "$nanoarrow/nanoarrow_config.h.in" >"$engine/lib/nanoarrow/nanoarrow_config.h"

# Of the libraries of headers, those that are read, whatever their condition: Highway as a whole, because its parts depend on
# the processor, and the configuration of Boost, which depends on the compiler.
probe="$(mktemp -d)"
trap 'rm -rf "$probe"' EXIT
grep -rhoE '^#include <(boost|fmt|nlohmann)/[^>]+>|^#include <xxhash.h>' "$engine/src" | sort -u >"$probe/probe.cpp"
g++ -std=c++20 -DFMT_HEADER_ONLY -M "$probe/probe.cpp" | tr ' \\' '\n\n' | grep -E '^/.*/(boost|fmt|nlohmann)/|/xxhash\.h$' | sort -u >"$probe/headers"
root="$(sed -nE 's|/xxhash\.h$||p' "$probe/headers")"
headers() {
  cat "$probe/headers"
  find "$root/hwy" "$root/boost/config" "$root/boost/math/tools" -name '*.h*' ! -path '*/tests/*' ! -path '*/contrib/*'
}
headers | sort -u | while read -r header; do
  place="$engine/lib/${header#"$root"/}"
  mkdir -p "$(dirname "$place")"
  cp "$header" "$place"
done
# CRAN wants no warnings switched off.
find "$engine/lib" -type f -exec sed -i -E '/^[[:space:]]*#[[:space:]]*pragma[[:space:]]+(GCC|clang)[[:space:]]+diagnostic/d' {} +

# The licences of all of these in full.
python3 scripts/third_party.py --of r >"$target/inst/THIRD_PARTY_NOTICES.txt"

(cd "$engine" && find . -name '*.cpp' -o -name '*.c' | sed 's|^\./||' | LC_ALL=C sort) >"$probe/sources.txt"
mv "$probe/sources.txt" "$engine/sources.txt"
echo "$target"
