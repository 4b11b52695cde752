#!/usr/bin/env bash
# Runs every fuzzer of tests/fuzz, as many at a time as there are cores (JOBS), on files made of small real fits.
# Usage: scripts/fuzz.sh SECONDS [NAME...]    What crashed is in build-fuzz/crashes; counts of executions are printed and added up in
#        scripts/fuzz.sh coverage             build-fuzz/executions. `coverage` runs all that was found again: lines of the readers.
set -euo pipefail

names=(model classes task result accumulators fit encoding arrow options texts table)
what=${1:?usage: scripts/fuzz.sh SECONDS [NAME...], or scripts/fuzz.sh coverage}
shift
(( $# )) && names=("$@")

source "$(dirname "${BASH_SOURCE[0]}")/places.sh"
if ! command -v clang++-14 >/dev/null; then
  echo "fuzz: skipped, because there is no clang++-14 (scripts/setup.sh check installs it)."
  exit 77
fi
jobs=${JOBS:-$(nproc)}
[[ -f $made/build-fuzz/build.ninja ]] || cmake --preset fuzz >/dev/null
cd "$made"
cmake --build build-fuzz --parallel "$jobs" --target fuzzers >build-fuzz/build.log || { tail -n 40 build-fuzz/build.log >&2; exit 1; }

corpus=build-fuzz/corpus
fuzzer=build-fuzz/tests/fuzz/fuzz_kore
profiles=build-fuzz/profiles
export LLVM_PROFILE_FILE=$profiles/unused.profraw
rm -rf "$corpus/seeds" && build-fuzz/tests/fuzz/fuzz_seeds "$corpus/seeds"
mkdir -p build-fuzz/crashes
# Memory is what a machine for tests has; leaks are looked for when a fuzzer ends.
# The choice among inputs is plain, because a weighted one takes half of the time.
options=(-timeout=20 -rss_limit_mb=3000 -max_len=65536 -detect_leaks=1 -entropic=0)

run_for() {  # seconds, name
  local found=$corpus/found/$2 log=build-fuzz/$2.log counts
  mkdir -p "$found"
  if ! "$fuzzer" --target="$2" "$found" "$corpus/seeds/$2" "${options[@]}" -max_total_time="$1" -artifact_prefix="build-fuzz/crashes/$2-" 2>"$log"; then
    printf '%-13s FAILED; see %s\n' "$2" "$log" >&2
    grep -m 3 -E 'ERROR|runtime error|SUMMARY' "$log" >&2 || true
    return 1
  fi
  counts=$(grep -o 'kore-fuzz: .*' "$log" | cut -d' ' -f2-)
  printf '%-13s %s\n' "$2" "$counts" | tee -a build-fuzz/executions
}

cover() {
  rm -rf "$profiles" && mkdir -p "$profiles"
  local name
  for name in "${names[@]}"; do
    mkdir -p "$corpus/found/$name"
    LLVM_PROFILE_FILE=$profiles/$name.profraw "$fuzzer" --target="$name" "$corpus/found/$name" "$corpus/seeds/$name" "${options[@]}" -runs=0 \
      2>"build-fuzz/$name-coverage.log"
  done
  llvm-profdata-14 merge -sparse "$profiles"/*.profraw -o "$profiles/all.profdata"
  llvm-cov-14 report "$fuzzer" -instr-profile="$profiles/all.profdata"
}

if [[ $what == coverage ]]; then
  cover
  exit
fi
status=0
running=0
for name in "${names[@]}"; do
  if (( running == jobs )); then
    wait -n || status=1
    running=$((running - 1))
  fi
  run_for "$what" "$name" &
  running=$((running + 1))
done
while (( running > 0 )); do
  wait -n || status=1
  running=$((running - 1))
done
awk '{ executions += $2; used += $4 } END { printf "%-13s %d executions, %d used, with those of earlier runs\n", "all", executions, used }' build-fuzz/executions
exit $status
