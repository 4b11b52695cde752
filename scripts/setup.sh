#!/usr/bin/env bash
# Installs what building and testing KORE needs and this machine lacks; says nothing where nothing is missing.
# Usage: scripts/setup.sh [--check]    --check adds the tools that only `make check` needs.
set -euo pipefail

# Package and the upstream version the project is tested with. That version is installed where apt offers it; another one is
# taken, with a warning, where it does not.
packages=(
  make=4.3
  git=2.39
  ca-certificates=
  g++=12.2
  cmake=3.25
  ninja-build=1.11
  ccache=4.
  libhwy-dev=1.0.3
  libxxhash-dev=0.8.1
  libboost-math-dev=1.74
  libcli11-dev=2.1
  nlohmann-json3-dev=3.11
  libfmt-dev=9.1
  zlib1g-dev=1.2
  libgtest-dev=1.12
  zsh=5.9
  chromium=
  fonts-dejavu-core=
)
check_packages=(
  clang-format=14.0
  clang-tidy=14.0
  clang-14=14.0
  libclang-rt-14-dev=14.0
)
# DuckDB's library and the scripts of the HTML pages come through npm. Some builds of nodejs carry npm, so the package is asked for
# only where the program is missing.
command -v npm >/dev/null || packages+=(npm=)
# OpenBLAS comes through pip, in a build for x86-64; elsewhere the distribution's has to do.
if [[ $(uname -m) == x86_64 ]]; then
  python3 -m pip --version >/dev/null 2>&1 || packages+=(python3-pip=)
else
  packages+=(libopenblas-pthread-dev=0.3.21)
fi

# The Python package is built and tested in a virtual environment, with the headers of the interpreter that is there.
python3 -c 'import ensurepip, venv' >/dev/null 2>&1 || packages+=(python3-venv=)
python3 -c 'import os, sys, sysconfig; sys.exit(not os.path.exists(sysconfig.get_path("include") + "/Python.h"))' >/dev/null 2>&1 ||
  packages+=(python3-dev=)

# Spark runs on Java; any that is there will do if it is 17 or later.
command -v java >/dev/null || packages+=(openjdk-17-jre-headless=17.)

die() {
  echo "setup: $*" >&2
  exit 1
}

case "${1:-}" in
  '') ;;
  --check) packages+=("${check_packages[@]}") ;;
  *) die "unknown argument '$1'; the only one is --check." ;;
esac

command -v dpkg-query apt-get >/dev/null ||
  die "this script knows apt only. Please install the equivalents of: ${packages[*]%%=*}"

as_root() {
  if [[ $(id -u) == 0 ]]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    die "root is needed to install packages, and there is no sudo. As root, run: apt-get install ${missing[*]}"
  fi
}

# The full version of a package that apt offers and that begins, after the epoch, with the wanted one; empty if there is none.
offered_version() {  # name, wanted version
  apt-cache madison "$1" | awk -v wanted="$2" '
    { plain = $3; sub(/^[0-9]+:/, "", plain) }
    !found && index(plain, wanted) == 1 { found = $3 }
    END { print found }'
}

declare -A installed=()
read_installed() {
  local status name version
  while read -r status name version; do
    if [[ $status == ii* ]]; then installed[$name]=${version#*:}; fi
  done < <(dpkg-query -W -f '${db:Status-Abbrev} ${Package} ${Version}\n' "${packages[@]%%=*}" 2>/dev/null || true)
}

read_installed
missing=()
for package in "${packages[@]}"; do
  [[ -n ${installed[${package%%=*}]:-} ]] || missing+=("${package%%=*}")
done

if (( ${#missing[@]} )); then
  echo "setup: installing ${missing[*]}"
  as_root apt-get update -qq
  requests=()
  for package in "${packages[@]}"; do
    name=${package%%=*}
    [[ -z ${installed[$name]:-} ]] || continue
    version="$(offered_version "$name" "${package#*=}")"
    requests+=("$name${version:+=$version}")
  done
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${requests[@]}" >/dev/null
  read_installed
fi

others=()
for package in "${packages[@]}"; do
  name=${package%%=*}
  [[ ${installed[$name]:-} == "${package#*=}"* ]] || others+=("$name ${installed[$name]:-is missing} (not ${package#*=})")
done
if (( ${#others[@]} )); then
  printf 'setup: versions the project is not tested with: %s\n' "$(IFS=';'; echo "${others[*]}")" >&2
fi

scripts="$(dirname "${BASH_SOURCE[0]}")"
for library in openblas duckdb vega nanoarrow; do
  "$scripts/fetch_$library.sh" >/dev/null  # its errors come through
done
# What drives the browser in tests/browser, as its lock file says.
browser="$scripts/../tests/browser"
if ! cmp -s "$browser/package-lock.json" "$browser/node_modules/installed-lock.json"; then
  npm ci --prefix "$browser" --silent --no-audit --no-fund
  cp "$browser/package-lock.json" "$browser/node_modules/installed-lock.json"
fi
# The environment that the Python package is built in and tested from.
environment="$scripts/../.venv"
requirements="$scripts/../python/requirements.txt"
if ! cmp -s "$requirements" "$environment/installed-requirements.txt"; then
  python3 -m venv --clear "$environment"
  "$environment/bin/python" -m pip install --quiet --disable-pip-version-check --requirement "$requirements"
  cp "$requirements" "$environment/installed-requirements.txt"
fi
