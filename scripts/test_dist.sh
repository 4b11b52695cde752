#!/usr/bin/env bash
# Unpacks an archive of scripts/dist.sh in a bare Debian root, which has no compiler, no Python and none of our packages, and there
# fits, predicts and writes a report. Needs root, debootstrap and the mirror that apt uses.
# Usage: scripts/test_dist.sh ARCHIVE [FOLDER]    FOLDER keeps the root for the next time
set -euo pipefail

archive=$1
project="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
root="${2:-$project/out/dist/root}"
if [[ ! -x $root/bin/sh ]]; then
  command -v debootstrap >/dev/null || apt-get install -y -qq --no-install-recommends debootstrap >/dev/null
  read -r site release < <(apt-get indextargets --format '$(SITE) $(RELEASE)' | head -n 1)
  rm -rf "$root.new"
  debootstrap --variant=minbase "$release" "$root.new" "$site" >/dev/null
  mv "$root.new" "$root"
fi
for program in g++ python3 cmake; do
  [[ ! -e $root/usr/bin/$program ]] || { echo "test_dist: the root has $program, so that it is not bare." >&2; exit 1; }
done

# Somewhere else than it was made, with a blank in the name.
place='/opt/some place'
rm -rf "$root$place"
mkdir -p "$root$place"
tar -xzf "$archive" -C "$root$place" --strip-components=1
cp "$project/examples/data/cars.json" "$root$place/"
chroot "$root" /bin/sh -euc "cd '$place'
  bin/kore fit cars.json --target Miles_per_Gallon --drop Name -o cars.kore | head -n 1
  bin/kore predict cars.kore cars.json --interval 0.9 -o predicted.csv
  test \$(wc -l <predicted.csv) = 407
  bin/kore report cars.kore cars.json -o cars.html
  grep -q '</html>' cars.html
  test -s share/doc/kore/kore.cdx.json"
echo "The archive runs in a bare root: fit, predict, report."
