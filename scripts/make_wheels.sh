#!/usr/bin/env bash
# Makes the wheels that are given away, in dist/: one for every version of Python that the package declares, or for those given. The
# engine and the command come from build/, so that only the bindings are compiled for each. auditwheel puts in the libraries that
# not every system has, and finds out for which systems the wheel is. Then each is installed and used in a bare system.
# Usage: scripts/make_wheels.sh [--release RELEASE[=MIRROR]] [VERSION...]    (default: bookworm, and 3.10 to 3.13)
set -euo pipefail

source "$(dirname "${BASH_SOURCE[0]}")/places.sh"
release=bookworm
if [[ ${1:-} == --release ]]; then
  release=$2
  shift 2
fi
versions=("$@")
(( ${#versions[@]} )) || versions=(3.10 3.11 3.12 3.13)
work="$made/build-python/wheels-for-all"
tools="$made/build-python/wheel-tools"
dist="$made/dist"
mkdir -p "$dist"
rm -f "$dist/wheels.log.new"

die() {
  echo "make_wheels: $*" >&2
  exit 1
}

# A new virtual environment with the given requirements; the one that is there where they are the same.
environment() {  # folder, interpreter, requirements
  cmp -s "$3" "$1/installed-requirements.txt" && return
  "$2" -m venv --clear "$1"
  "$1/bin/python" -m pip install --quiet --disable-pip-version-check --requirement "$3"
  cp "$3" "$1/installed-requirements.txt"
}

build_wheel() {  # version, interpreter; the path of the wheel is left in $wheel
  local folder="$work/$1"
  rm -rf "$folder"
  mkdir -p "$folder"
  grep -E '^(nanobind|scikit-build-core)==' python/requirements.txt >"$work/requirements.txt"
  environment "$tools/$1" "$2" "$work/requirements.txt"
  "$tools/$1/bin/python" -m pip wheel . --quiet --disable-pip-version-check --no-build-isolation --no-deps --wheel-dir "$folder" \
    --config-settings=build-dir="$made/build-python/linked-$1" --config-settings=cmake.define.KORE_BUILT="$made/build" \
    --config-settings=cmake.define.KORE_WHEEL_LIBRARIES=OFF
  PATH="$tools/audit/bin:$PATH" LD_LIBRARY_PATH="$made/third_party/openblas/lib:$made/third_party/duckdb/lib" \
    auditwheel repair --strip --wheel-dir "$folder/mended" "$folder"/*.whl >"$folder/auditwheel.log" 2>&1 || die "auditwheel refuses the wheel; see $folder/auditwheel.log"
  local name
  name="$(basename "$folder"/mended/*.whl)"
  [[ $name == *manylinux* ]] || die "$name is for no system but this one."
  mv "$folder/mended/$name" "$dist/$name"
  wheel="$dist/$name"
}

# The interpreter alone, to be taken to another system: its program and its standard library.
copy_python() {  # interpreter, folder
  local from version library
  from="$("$1" -c 'import sys; print(sys.base_prefix)')"
  version="$("$1" -c 'import sys; print("python%d.%d" % sys.version_info[:2])')"
  library="$("$1" -c 'import sysconfig; print(sysconfig.get_path("stdlib"))')"
  mkdir -p "$2/bin" "$2/lib"
  cp -L "$from/bin/$version" "$2/bin"
  cp -r "$library" "$2/lib/$version"
  rm -rf "$2/lib/$version"/{site-packages,dist-packages,test,EXTERNALLY-MANAGED}
  # Some are a small program and a shared library, which is looked for where it was installed.
  ldd "$from/bin/$version" | awk '$1 ~ /^libpython/ { print $3 }' | xargs -r cp -Lt "$2/lib"
}

try_wheel() {  # version, interpreter, wheel
  local given="$work/$1/given"
  mkdir -p "$given/wheels"
  copy_python "$2" "$given/python"
  "$tools/$1/bin/python" -m pip download --quiet --disable-pip-version-check --only-binary :all: --dest "$given/wheels" "$3" pip
  cp examples/data/cars.json tests/release/use_wheel.py "$given"
  # What the command here predicts, to compare with. Settings of this machine, such as the kernels of OpenBLAS, are kept from it.
  env -i "$made/build/kore" fit "$given/cars.json" --target Miles_per_Gallon --drop Name -o "$given/here.kore" >/dev/null
  env -i "$made/build/kore" predict "$given/here.kore" "$given/cars.json" -q >"$given/here.csv"
  scripts/bare_root.sh run "${release%%=*}" "$given" sh -euc 'cd /given
    export LD_LIBRARY_PATH=/given/python/lib
    python/bin/python3.* -m venv --without-pip /tmp/venv
    /tmp/venv/bin/python "$(echo wheels/pip-*.whl)/pip" install -qq --no-cache-dir --no-index --find-links wheels wheels/kore-*.whl
    PATH=/tmp/venv/bin:$PATH exec /tmp/venv/bin/python use_wheel.py'
}

# A release without one of its wheels is noticed by users, so it is refused here.
declare -A pythons=()
missing=()
for version in "${versions[@]}"; do
  pythons[$version]="$(scripts/find_python.sh "$version")"
  [[ -n ${pythons[$version]} ]] || missing+=("$version")
done
(( ! ${#missing[@]} )) ||
  die "Python ${missing[*]} is not on this machine, neither on the path nor among pyenv's versions. Install it, or name those to make wheels for: make wheels PYTHONS='3.11 3.12'."

scripts/bare_root.sh make "$release"
environment "$tools/audit" python3 python/requirements-wheels.txt
for version in "${versions[@]}"; do
  python="${pythons[$version]}"
  build_wheel "$version" "$python"
  try_wheel "$version" "$python" "$wheel"
  echo "$wheel: $(du -h --apparent-size "$wheel" | cut -f1), made with $("$python" --version), used in ${release%%=*}" | tee -a "$dist/wheels.log.new"
done
mv "$dist/wheels.log.new" "$dist/wheels.log"
