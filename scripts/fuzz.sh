#!/usr/bin/env bash
# Runs every fuzzer of tests/fuzz for some seconds, one after the other, on files made of small real fits.
# Usage: scripts/fuzz.sh SECONDS [NAME...]    What crashed is in build-fuzz/crashes; the counts are printed.
set -euo pipefail

seconds=${1:?usage: scripts/fuzz.sh SECONDS [NAME...]}
shift
names=("$@")
(( ${#names[@]} )) || names=(model task result accumulators fit encoding arrow)

cd "$(dirname "${BASH_SOURCE[0]}")/.."
if ! command -v clang++-14 >/dev/null; then
  echo "fuzz: skipped, because there is no clang++-14 (scripts/setup.sh check installs it)."
  exit 77
fi
cmake --preset fuzz >/dev/null
cmake --build build-fuzz --parallel "${JOBS:-$(nproc)}" --target fuzzers >build-fuzz/build.log || { tail -n 40 build-fuzz/build.log >&2; exit 1; }

corpus=build-fuzz/corpus
[[ -d $corpus/seeds ]] || build-fuzz/tests/fuzz/fuzz_seeds "$corpus/seeds"
mkdir -p build-fuzz/crashes
status=0
for name in "${names[@]}"; do
  mkdir -p "$corpus/found/$name"
  log=build-fuzz/$name.log
  if build-fuzz/tests/fuzz/fuzz_"$name" "$corpus/found/$name" "$corpus/seeds/$name" -max_total_time="$seconds" \
    -timeout=20 -rss_limit_mb=2048 -max_len=65536 -artifact_prefix="build-fuzz/crashes/$name-" -print_final_stats=1 2>"$log"; then
    printf '%-13s %s\n' "$name" "$(grep -o 'kore-fuzz: .*' "$log" | cut -d' ' -f2-)"
  else
    printf '%-13s FAILED; see %s\n' "$name" "$log" >&2
    grep -m 3 -E 'ERROR|runtime error|SUMMARY' "$log" >&2 || true
    status=1
  fi
done
exit $status
