#!/usr/bin/env bash
# Builds, fits and runs quick tests in clones of the last commit that lie where people put them: in a folder `kore`, in one with
# spaces and umlauts, in a source that cannot be written to, and as a user who has sudo. What was fetched here is lent to them.
# Usage: scripts/test_folders.sh [kore] [umlauts] [read-only] [user]    (default: all; read-only and user need root)
# The last two run in a copy of this system that is thrown away: a user, sudo and packages come and go with it.
set -euo pipefail

source "$(dirname "${BASH_SOURCE[0]}")/places.sh"
if [[ $made == "$PWD" ]]; then work="$PWD/build-folders"; else work="$made/build-folders"; fi
unset KORE_BUILD KORE_BUILD_PREFIX

die() {
  echo "test_folders: $*" >&2
  exit 1
}

clone() {  # folder
  rm -rf "$1"
  mkdir -p "$(dirname "$1")"
  git clone --quiet --no-hardlinks . "$1"
}

# What the set-up fetches, so that it finds nothing to do.
lend() {  # folder in which things will be made
  mkdir -p "$1/tests/browser"
  cp -r "$made/third_party" "$1/"
  ln -sfn "$(realpath "$made/.venv")" "$1/.venv"
  [[ ! -d $made/tests/browser/node_modules ]] || cp -r "$made/tests/browser/node_modules" "$1/tests/browser/"
}

# The tests themselves, run by bash in a clone, with KORE_BUILD where that is wanted.
try='
set -euo pipefail
place="${KORE_BUILD:-$PWD}"
make demo >"$place/demo.log" 2>&1 || { tail -n 30 "$place/demo.log"; exit 1; }
[[ -s $place/out/demo/cars.html ]] || { echo "there is no report"; exit 1; }
# Tests are configured and built by the lines of `make build-all`, some of them.
prefix="${KORE_BUILD:+$KORE_BUILD/}"
export KORE_BUILD_PREFIX="$prefix"
cmake --preset release >"$place/configure.log"
cmake --build "${prefix}build" --parallel --target architecture_test c_interface_test quickstart kore_command kore_c \
  kore kore_arrow kore_story kore_report >"$place/build.log" 2>&1 || { tail -n 30 "$place/build.log"; exit 1; }
ctest --preset release -R "^(architecture|c_interface|readme|release|browser\.(report|types)|install)" >"$place/ctest.log" 2>&1 ||
  { tail -n 60 "$place/ctest.log"; exit 1; }
scripts/test_python.sh -q tests/python/test_wheel.py tests/python/test_command.py tests/python/test_c_interface.py tests/python/test_export_page.py \
  tests/python/test_report.py tests/python/test_examples.py tests/python/test_readme.py tests/python/test_citation.py >"$place/python.log" 2>&1 || { tail -n 60 "$place/python.log"; exit 1; }
tail -n 1 "$place/python.log"
grep "tests passed" "$place/ctest.log"
'

tell() {  # what, seconds at the start
  echo "$1: $(($(date +%s) - $2)) s"
}

try_named() {  # name
  local start folder="$work/$1"
  start=$(date +%s)
  clone "$folder"
  lend "$folder"
  (cd "$folder" && bash -c "$try") || die "'$folder' fails."
  tell "in '$1'" "$start"
  rm -rf "$folder"
}

# This system with a layer of memory above it, in which everything may be changed. Mounts end with their namespace.
in_a_copy() {  # function, arguments
  [[ $(id -u) == 0 ]] || die "read-only and user need root."
  mkdir -p "$work"
  unshare --mount --fork -- bash -euo pipefail -c '
    layer=$(mktemp -d)
    mount -t tmpfs layer "$layer"
    mkdir "$layer"/{upper,work,system}
    mount -t overlay copy -o "lowerdir=/,upperdir=$layer/upper,workdir=$layer/work" "$layer/system"
    for folder in proc sys dev; do mount --rbind "/$folder" "$layer/system/$folder"; done
    mount -t tmpfs tmpfs "$layer/system/tmp"
    # What is compiled here is compiled once.
    [[ ! -d ~/.cache/ccache ]] || mount --bind ~/.cache/ccache "$layer/system$(realpath ~/.cache/ccache)"
    exec chroot "$layer/system" bash -euo pipefail -c "$@"
  ' in_a_copy "$(declare -f clone lend die tell "$1"); made=$(printf %q "$made") try=$(printf %q "$try"); cd $(printf %q "$PWD"); $1"
}

read_only() {
  local start
  start=$(date +%s)
  mkdir -p /srv/source
  mount -t tmpfs source /srv/source
  clone "/srv/source/kore"
  lend "/srv/somewhere else"
  mount -o remount,ro /srv/source
  ! touch /srv/source/kore/written 2>/dev/null || die "the source can be written to."
  (cd /srv/source/kore && KORE_BUILD="/srv/somewhere else" bash -c "$try") || die "a source that cannot be written to fails."
  tell "a source that cannot be written to" "$start"
}

user() {
  local start
  start=$(date +%s)
  command -v sudo >/dev/null || { apt-get update -qq && apt-get install -y -qq --no-install-recommends sudo >/dev/null; } 2>/dev/null
  dpkg --configure -a >/dev/null 2>&1  # somebody may be installing right now
  # There has to be something for the set-up to install.
  dpkg --remove --force-depends libcli11-dev >/dev/null
  useradd --create-home --shell /bin/bash kore-tester
  echo 'kore-tester ALL=(ALL) NOPASSWD: ALL' >/etc/sudoers.d/kore-tester
  clone /home/kore-tester/kore
  lend /home/kore-tester/kore
  # What this user may read here: the compiler's cache, and the interpreter that .venv was made with.
  chmod a+rx /root
  [[ ! -d ~/.cache/ccache ]] || { mkdir -p /home/kore-tester/.cache && cp -r ~/.cache/ccache /home/kore-tester/.cache/; }
  chown -R kore-tester: /home/kore-tester
  # ccache compares these, because they are the language of warnings.
  su - kore-tester -c "$(export -p | grep -E ' (LANG|LC_[A-Z]+)=' || true)
    cd kore && $(printf 'bash -c %q' "$try")" || die "a user with sudo fails."
  dpkg-query -W -f '${db:Status-Abbrev}' libcli11-dev | grep -q '^ii' || die "sudo has installed nothing."
  tell "as a user with sudo, who installs a library" "$start"
}

(( $# )) || set -- kore umlauts read-only user
for folder in "$@"; do
  case $folder in
    kore) try_named kore ;;
    umlauts) try_named 'mit Leerzeichen und Umlauten äöü/kore' ;;
    read-only) in_a_copy read_only ;;
    user) in_a_copy user ;;
    *) die "there are kore, umlauts, read-only and user." ;;
  esac
done
