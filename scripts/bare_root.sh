#!/usr/bin/env bash
# Bare systems to try in what users get: the smallest one that debootstrap makes of a release, without a compiler or anything of ours.
# Usage: scripts/bare_root.sh make RELEASE[=MIRROR]             makes build-roots/RELEASE once; without a mirror it is that of apt here
#        scripts/bare_root.sh make RELEASE[=MIRROR] NAME PACKAGE...  makes build-roots/RELEASE-NAME, which has these packages, too
#        scripts/bare_root.sh run RELEASE[-NAME] FOLDER COMMAND...   runs a command in it, where FOLDER is /given
# What runs there sees no other file of this machine and no network, and the system stays as it was made. Needs root or sudo.
set -euo pipefail

given="$PWD"
source "$(dirname "${BASH_SOURCE[0]}")/places.sh"
roots="$made/build-roots"

die() {
  echo "bare_root: $*" >&2
  exit 1
}

as_root() {
  if [[ $(id -u) == 0 ]]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    die "root is needed for a system of its own, and there is no sudo."
  fi
}

make_root() {  # release, mirror, and where there are packages: a name and these
  local release=$1 mirror=$2 name="$1${3:+-$3}"
  local target="$roots/$name" packages=("${@:4}")
  [[ ! -d $target ]] || return 0
  command -v /usr/sbin/debootstrap >/dev/null || die "debootstrap is missing; scripts/setup.sh bare installs it."
  [[ -n $mirror ]] || mirror="$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' | head -n 1)"
  [[ -n $mirror ]] || die "apt names no mirror; give one, as in $release=MIRROR."
  # Ubuntu's releases are all made alike; debootstrap may be older than the newest of them.
  local script=() log="$roots/$name.log" include=()
  (( ! ${#packages[@]} )) || include=("--include=$(IFS=,; echo "${packages[*]}")")
  [[ -e /usr/share/debootstrap/scripts/$release ]] || script=(/usr/share/debootstrap/scripts/gutsy)
  mkdir -p "$roots"
  as_root rm -rf "$target.new"
  as_root /usr/sbin/debootstrap --variant=minbase "${include[@]}" "$release" "$target.new" "$mirror" "${script[@]}" >"$log" 2>&1 ||
    die "debootstrap could not make $name; see $log."
  as_root mkdir "$target.new/given"
  as_root mv "$target.new" "$target"
}

# Mounts end with the namespace they are made in.
run_inside() {  # root, folder, then the command
  mount --bind "$1" "$1"
  mount --bind "$2" "$1/given"
  mount -t proc proc "$1/proc"
  mount -t tmpfs tmpfs "$1/tmp"
  mount -t tmpfs tmpfs "$1/dev/shm"
  mount -o remount,bind,ro "$1"
  local system=$1
  shift 2
  exec chroot "$system" /usr/bin/env -i PATH=/usr/local/bin:/usr/bin:/bin HOME=/tmp LC_ALL=C.UTF-8 "$@"
}

case "${1:-}" in
  make)
    release="${2:?usage: scripts/bare_root.sh make RELEASE[=MIRROR]}"
    mirror=
    [[ $release != *=* ]] || mirror="${release#*=}"
    (( $# != 3 )) || die "a system with a name needs packages."
    make_root "${release%%=*}" "$mirror" "${@:3}"
    ;;
  run)
    (( $# >= 4 )) || die "usage: scripts/bare_root.sh run RELEASE[-NAME] FOLDER COMMAND..."
    system="$roots/$2"
    [[ -d $system ]] || die "there is no $system; make it first."
    folder="$(cd "$given" && cd "$3" && pwd)"
    shift 3
    as_root unshare --mount --pid --net --fork -- bash -c "$(declare -f run_inside); run_inside \"\$@\"" bare_root "$system" "$folder" "$@"
    ;;
  *) die "usage: scripts/bare_root.sh make RELEASE[=MIRROR] [NAME PACKAGE...], or run RELEASE[-NAME] FOLDER COMMAND..." ;;
esac
