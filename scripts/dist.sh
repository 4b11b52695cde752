#!/usr/bin/env bash
# Packs the command with every library that it needs beyond the C library into out/dist/kore-VERSION-linux-ARCHITECTURE.tar.gz. The
# archive runs wherever it is unpacked, on a system whose C library is as new as this one's. Its licences are in share/doc/kore, with
# the bill of materials (kore.cdx.json, CycloneDX). Prints the path of the archive.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
version="$(build/kore --version)"
name="kore-$version-linux-$(uname -m)"
output="$PWD/out/dist"
rm -rf "${output:?}/$name"
mkdir -p "$output"
cmake --install build --component command --prefix "$output/$name" >/dev/null
libraries="$output/$name/lib/kore"
strip "$output/$name/bin/kore"

# Those that it finds in the build or on this system. What is left to the other system is the C library, which has many parts.
ldd build/kore | awk '$2 == "=>" && $3 ~ /^\// { print $3 }' | grep -vE '/(libc|libm|libdl|libpthread|librt|ld-linux[^/]*)\.so[^/]*$' |
  while read -r library; do cp -L "$library" "$libraries/"; done

python3 scripts/bill_of_materials.py "$version" "$output/$name/share/doc/kore"
tar -C "$output" --owner=0 --group=0 --numeric-owner --sort=name -czf "$output/$name.tar.gz.new" "$name"
mv -f "$output/$name.tar.gz.new" "$output/$name.tar.gz"
rm -rf "${output:?}/$name"
echo "$output/$name.tar.gz"
