#!/usr/bin/env bash
# Installs what this machine lacks of what is asked for; says nothing where nothing is missing.
# Usage: scripts/setup.sh [NEED...]
#   build   the compiler and the libraries of the command: all that `make build` and `make demo` need
#   test    what the tests of the engine and of the command need beside it: GoogleTest, nanoarrow, a browser
#   python  the environment in which the Python package is built and tested, with Java for Spark
#   docs    what makes the site of docs/ (`make docs`): mkdocs with its theme, beside the environment of python
#   homes   what runs exported models beside Python's packages: PostgreSQL and clang
#   r       R with what its package is built and tested with (`make test-r`, `make r-package`)
#   bare    debootstrap, for the bare systems in which `make dist`, `make wheels` and `make r-bare` try what they made
#   check   clang-format, clang-tidy and clang with its fuzzer (`make check`, `make fuzz`)
# Without arguments: build, test, python, docs and homes, which is what `make test` needs.
set -euo pipefail

source "$(dirname "${BASH_SOURCE[0]}")/places.sh"

die() {
  echo "setup: $*" >&2
  exit 1
}

(( $# )) || set -- build test python docs homes
declare -A needed=()
for need in "$@"; do
  case $need in
    build | test | python | docs | homes | r | bare | check) needed[$need]=yes ;;
    *) die "unknown need '$need'; there are build, test, python, docs, homes, r, bare and check." ;;
  esac
done
needs() { [[ -n ${needed[$1]:-} ]]; }

# Package and the upstream version the project is tested with. That version is installed where apt offers it; another one is
# taken, with a warning, where it does not.
packages=()
if needs build; then
  packages+=(
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
  )
  # OpenBLAS comes through pip, in a build for x86-64; elsewhere the distribution's has to do.
  [[ $(uname -m) == x86_64 ]] || packages+=(libopenblas-pthread-dev=0.3.21)
fi
if needs test; then packages+=(libgtest-dev=1.12 valgrind=3.19 zsh=5.9 chromium= fonts-dejavu-core=); fi
if needs check; then packages+=(clang-format=14.0 clang-tidy=14.0 clang-14=14.0 libclang-rt-14-dev=14.0); fi
if needs homes; then packages+=(postgresql-15=15. clang-14=14.0 libclang-rt-14-dev=14.0); fi
if needs bare; then packages+=(debootstrap=1.0); fi
if needs r; then
  packages+=(
    r-base-dev=4.2
    r-cran-mgcv=1.8
    r-cran-testthat=3.1
    r-cran-jsonlite=1.8
    r-cran-ggplot2=3.4
    r-cran-generics=0.1
    r-cran-knitr=1.42
    r-cran-rmarkdown=2.20
    pandoc=2.17
    qpdf=11.
    devscripts=2.23
  )
fi
# DuckDB's library, the scripts of the HTML pages and what drives the browser come through npm. Some builds of nodejs carry npm, so
# the package is asked for only where the program is missing.
if needs build || needs test || needs docs; then
  command -v npm >/dev/null || packages+=(npm=)
  python3 -m pip --version >/dev/null 2>&1 || packages+=(python3-pip=)
fi
if needs python || needs docs || needs check; then
  # The package is built and tested in a virtual environment, with the headers of the interpreter that is there.
  python3 -c 'import ensurepip, venv' >/dev/null 2>&1 || packages+=(python3-venv=)
  python3 -c 'import os, sys, sysconfig; sys.exit(not os.path.exists(sysconfig.get_path("include") + "/Python.h"))' >/dev/null 2>&1 ||
    packages+=(python3-dev=)
fi
if needs python; then
  # Spark runs on Java; any that is there will do if it is 17 or later.
  command -v java >/dev/null || packages+=(openjdk-17-jre-headless=17.)
fi

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

install_missing() {
  local package name version requests=()
  echo "setup: installing ${missing[*]}"
  as_root apt-get update -qq
  for package in "${packages[@]}"; do
    name=${package%%=*}
    [[ -z ${installed[$name]:-} ]] || continue
    version="$(offered_version "$name" "${package#*=}")"
    requests+=("$name${version:+=$version}")
  done
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${requests[@]}" >/dev/null
  read_installed
}

warn_of_other_versions() {
  local package name others=()
  for package in "${packages[@]}"; do
    name=${package%%=*}
    [[ ${installed[$name]:-} == "${package#*=}"* ]] || others+=("$name ${installed[$name]:-is missing} (not ${package#*=})")
  done
  (( ! ${#others[@]} )) || printf 'setup: versions the project is not tested with: %s\n' "$(IFS=';'; echo "${others[*]}")" >&2
}

if (( ${#packages[@]} )); then
  command -v dpkg-query apt-get >/dev/null ||
    die "this script knows apt only. Please install the equivalents of: ${packages[*]%%=*}"
  read_installed
  missing=()
  for package in "${packages[@]}"; do
    [[ -n ${installed[${package%%=*}]:-} ]] || missing+=("${package%%=*}")
  done
  (( ! ${#missing[@]} )) || install_missing
  warn_of_other_versions
fi

# What drives the browser in tests/browser, as its lock file says.
install_browser_driver() {
  local browser="$made/tests/browser"
  cmp -s tests/browser/package-lock.json "$browser/node_modules/installed-lock.json" && return
  if [[ $made != "$PWD" ]]; then
    mkdir -p "$browser"
    cp tests/browser/package.json tests/browser/package-lock.json "$browser/"
  fi
  npm ci --prefix "$browser" --silent --no-audit --no-fund
  cp "$browser/package-lock.json" "$browser/node_modules/installed-lock.json"
}

# .venv: what the Python package is built in and tested from, and the linter. .venv-docs: what makes the site.
make_environment() {  # name, its requirements, further arguments of pip
  local environment="$made/$1" requirements="$2"
  cmp -s "$requirements" "$environment/installed-requirements.txt" && return
  python3 -m venv --clear "$environment"
  "$environment/bin/python" -m pip install --quiet --disable-pip-version-check --requirement "$requirements" "${@:3}"
  cp "$requirements" "$environment/installed-requirements.txt"
}

# These wait for the network most of the time, and not for each other. Their errors come through.
started=()
start() {
  "$@" >/dev/null &
  started+=("$!")
}
if needs build; then
  for library in openblas duckdb vega; do start "scripts/fetch_$library.sh"; done
fi
if needs test || needs python; then start "scripts/fetch_nanoarrow.sh"; fi
if needs test; then start install_browser_driver; fi
if needs python || needs check; then start make_environment .venv python/requirements.txt; fi
if needs docs; then
  start make_environment .venv-docs website/requirements.txt --no-deps
  start "scripts/fetch_iframe_worker.sh"
fi
for job in "${started[@]}"; do wait "$job" || failed=yes; done
[[ -z ${failed:-} ]] || die "not everything could be fetched."
