#!/usr/bin/env bash
# Fetches Vega, Vega-Lite and vega-embed, the scripts that the HTML pages carry, into third_party/vega (or the folder given).
# Running it again does nothing as long as the files are whole. Needs npm, tar and sha256sum.
set -euo pipefail

# Package, member, the name it gets here, its SHA-256 sum. Vega is published without its licence; its part vega-util had it up to 1.17.3.
readonly files='
vega@5.33.1       build/vega.min.js        vega.min.js         463f3db6a40b20e9747b4ed38f37ed0add508838f9141b1cf8366784b07b30c8
vega-lite@5.23.0  build/vega-lite.min.js   vega-lite.min.js    58c27358e26f2d319cf62f45bc17a4c8362f08645001df2ec8d341eee4097c7f
vega-embed@6.29.0 build/vega-embed.min.js  vega-embed.min.js   12d02acfbe3ec59ef9a37dd4822a2e04e2961b5bbb671bbe661d2221715b99da
vega-util@1.17.3  LICENSE                  vega.LICENSE        63727832aaf62004a2b249c933e327f3c90caf49e41a72f4bf436edf632cbda8
vega-lite@5.23.0  LICENSE                  vega-lite.LICENSE   f618900fd0d64046963b29f40590cdd1e341a2f41449f99110d82fd81fea808c
vega-embed@6.29.0 LICENSE                  vega-embed.LICENSE  32df67148f0fc3db0eb9e263a7b75d07f1eb14c61955005a4a39c6918d10d137
'

target="${1:+$(realpath -m -- "$1")}"
source "$(dirname "${BASH_SOURCE[0]}")/places.sh"
target="${target:-$made/third_party/vega}"

die() {
  echo "fetch_vega: $*" >&2
  exit 1
}

all_whole() {  # folder
  awk -v folder="$1" 'NF { print $4 "  " folder "/" $3 }' <<<"$files" | sha256sum --check --status 2>/dev/null
}

if all_whole "$target"; then
  echo "fetch_vega: $target is complete."
  exit 0
fi
command -v npm >/dev/null || die "npm is needed to fetch Vega; please install it."

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
mkdir "$work/fetched"
while read -r package member name _; do
  [[ -n $package ]] || continue
  folder="$work/${package//[^a-zA-Z0-9.-]/_}"
  if [[ ! -d $folder ]]; then
    mkdir "$folder"
    archive="$(cd "$folder" && npm pack --silent "$package" | tail -n 1)" || die "npm could not fetch $package."
    tar -xzf "$folder/$archive" -C "$folder"
  fi
  cp "$folder/package/$member" "$work/fetched/$name" || die "$package does not contain $member."
done <<<"$files"
all_whole "$work/fetched" || die "what npm delivered does not have the pinned SHA-256 sums; nothing was installed."
mkdir -p "$target"
cp "$work"/fetched/* "$target/"
echo "fetch_vega: Vega 5.33.1, Vega-Lite 5.23.0 and vega-embed 6.29.0 are in $target."
