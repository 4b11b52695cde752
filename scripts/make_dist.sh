#!/usr/bin/env bash
# Makes dist/kore-VERSION-linux-MACHINE.tar.gz from the command in build/: it runs from any folder, with the libraries that it needs
# inside, all but those of the C and C++ run time, which every system has. Then tries it in bare systems, beside the command here.
# Usage: scripts/make_dist.sh [RELEASE[=MIRROR]...]    (default: bookworm and trixie; see scripts/bare_root.sh)
# Systems of Ubuntu are tried where they are asked for, as in jammy=MIRROR, because apt here seldom has their mirror. The log says so.
set -euo pipefail

source "$(dirname "${BASH_SOURCE[0]}")/places.sh"
releases=("$@")
(( ${#releases[@]} )) || releases=(bookworm trixie)
# What a system brings: glibc, and the C++ library of the compiler, which has to be that of the system, because two of them in one
# process do not agree on exceptions.
readonly of_the_system='^(ld-linux-x86-64|libc|libm|libdl|libpthread|librt|libgcc_s|libstdc\+\+)\.so'

die() {
  echo "make_dist: $*" >&2
  exit 1
}

needed() {  # file
  readelf --dynamic "$1" | sed -nE 's/.*\(NEEDED\).*\[(.*)\]/\1/p' | grep -vE "$of_the_system" || true
}

# Copies the libraries that a program needs and that are not beside it yet, as the loader finds them, with what they need.
gather() {  # program, folder of libraries
  local name path
  for name in $(needed "$1"); do
    if [[ ! -e $2/$name ]]; then
      path="$(ldd "$made/build/kore" | awk -v name="$name" '$1 == name { print $3 }')"
      [[ -f $path ]] || die "$name, which $1 needs, is not on this machine."
      install -m 644 "$path" "$2/$name"
    fi
    gather "$2/$name" "$2"
  done
}

# The newest version of a library's symbols that any of the files asks for.
newest() {  # GLIBC or GLIBCXX, files
  local of=$1
  shift
  for file in "$@"; do objdump --dynamic-syms "$file"; done | grep -oE "\(${of}_[0-9.]+\)" | tr -d '()' | sort -uV | tail -n 1
}

version="$("$made/build/kore" --version)"
name="kore-$version-linux-$(uname -m)"
work="$made/build-dist" dist="$made/dist"
rm -rf "$work"
mkdir -p "$work" "$dist"
for part in command libraries notices; do
  cmake --install "$made/build" --component "$part" --prefix "$work/$name" --strip >/dev/null
done
program="$work/$name/bin/kore"
libraries="$(dirname "$(find "$work/$name" -name 'libduckdb.so')")"
gather "$program" "$libraries"
# legal/ has to name them; here are the names of their files.
for file in "$libraries"/*; do
  [[ $(basename "$file") =~ ^lib(duckdb|scipy_openblas|hwy|fmt|z)\.so ]] || die "legal/ does not name $(basename "$file")."
done
strip --strip-unneeded "$libraries"/*
chmod 644 "$libraries"/*
[[ "$(readelf --dynamic "$program" | sed -nE 's/.*(RUNPATH|RPATH).*\[(.*)\]/\2/p')" == "\$ORIGIN"* ]] || die "the command does not look for its libraries beside itself."
glibc="$(newest GLIBC "$program" "$libraries"/*)"
cxx="$(newest GLIBCXX "$program" "$libraries"/*)"
# What README.txt promises.
at_most() { [[ "$(printf '%s\n' "$1" "$2" | sort -V | tail -n 1)" == "$2" ]]; }
at_most "$glibc" GLIBC_2.35 && at_most "$cxx" GLIBCXX_3.4.30 ||
  die "the command needs $glibc and $cxx, which Ubuntu 22.04 does not have."
cat >"$work/$name/README.txt" <<END
KORE $version for Linux on $(uname -m)

Unpack it anywhere and run bin/kore; a link to it may stand on the path. It needs ${glibc/_/ } and a libstdc++ with $cxx or
newer (Debian 12, Ubuntu 22.04 and later), and nothing else. share/doc/kore has the licences of everything inside, and a
bill of materials in CycloneDX's form.
END

# The same files make the same archive.
epoch="$(git log -1 --format=%ct)"
tar --create --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$epoch" --mode=u+rw,go=rX --directory "$work" "$name" | gzip -n >"$dist/$name.tar.gz"
(cd "$dist" && sha256sum "$name.tar.gz" >"$name.tar.gz.sha256")
log="$dist/$name.log"
echo "$dist/$name.tar.gz: $(du -h --apparent-size "$dist/$name.tar.gz" | cut -f1), unpacked $(du -sh --apparent-size "$work/$name" | cut -f1); needs $glibc and $cxx" | tee "$log"

# What the command does here, to compare with. Settings of this machine, such as the kernels of OpenBLAS, are kept from it, too.
given="$work/given"
mkdir -p "$given/here"
cp examples/data/cars.json tests/release/use_archive.sh "$given"
cp "$dist/$name.tar.gz" "$given/kore.tar.gz"
(cd "$given" && env -i PATH="$PATH" HOME=/tmp LC_ALL=C.UTF-8 sh use_archive.sh "$made/build/kore" here)
for release in "${releases[@]}"; do
  scripts/bare_root.sh make "$release"
  rm -rf "$given/there"
  mkdir "$given/there"
  scripts/bare_root.sh run "${release%%=*}" "$given" sh -c 'cd /given && mkdir "there/a folder" && tar -xzf kore.tar.gz -C "there/a folder" &&
    sh use_archive.sh "$(echo "/given/there/a folder"/*/bin/kore)" there'
  # Models, their summaries and the report say how long the fit took.
  for file in "$given"/here/*.{csv,sql,c,onnx,json} "$given"/here/{effects,refused}.txt; do
    cmp "$file" "$given/there/$(basename "$file")" || die "$(basename "$file") is another one in ${release%%=*}."
  done
  grep -q '</html>' "$given/there/cars.html" || die "there is no whole report in ${release%%=*}."
  echo "tried in ${release%%=*}: fit, predict, explain, effects, report and exports, the same bits as here" | tee -a "$log"
done
for release in jammy noble; do
  [[ " ${releases[*]%%=*} " == *" $release "* ]] ||
    echo "not tried in $release: ROOTS='$release=MIRROR', with a mirror of Ubuntu, tries it" | tee -a "$log"
done
