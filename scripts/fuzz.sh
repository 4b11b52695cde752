#!/usr/bin/env bash
# Runs every fuzzer of tests/fuzz, as many at a time as there are cores (JOBS), on files made of small real fits.
# Usage: scripts/fuzz.sh SECONDS [NAME...]    What crashed is in build-fuzz/crashes; counts are kept in build-fuzz/executions and
#                                             build-fuzz/uses.
#        scripts/fuzz.sh counts               Adds them up: executions, how many were accepted and used, runs of each consumer.
#        scripts/fuzz.sh coverage [LEAST]     Runs all that was found again: lines of the readers, at least LEAST per cent of them.
set -euo pipefail

names=(model classes task result accumulators fit encoding arrow options texts table)
what=${1:?usage: scripts/fuzz.sh SECONDS [NAME...], scripts/fuzz.sh counts, or scripts/fuzz.sh coverage [LEAST]}
shift
[[ $what == coverage ]] || (( ! $# )) || names=("$@")

source "$(dirname "${BASH_SOURCE[0]}")/places.sh"
reader_coverage="$PWD/scripts/reader_coverage.py"

print_counts() {
  awk '
    function show(name) {
      printf "%-13s %10d executions, %9d accepted (%.1f %%), %9d used (%.1f %%)\n", name, executions[name], accepted[name],
             100 * accepted[name] / executions[name], used[name], 100 * used[name] / executions[name]
    }
    {
      if (!($1 in executions)) order[++known] = $1
      executions[$1] += $2; accepted[$1] += $4; used[$1] += $6
      executions["all"] += $2; accepted["all"] += $4; used["all"] += $6
    }
    END { for (i = 1; i <= known; ++i) show(order[i]); if (known) show("all") }' "$made/build-fuzz/executions"
}
print_uses() {
  awk '
    { name = $1; finished = $2; refused = $3; $1 = $2 = $3 = ""; key = sprintf("%-13s %s", name, substr($0, 4)) }
    { if (!(key in runs)) order[++known] = key; runs[key] += finished; refusals[key] += refused }
    END { for (i = 1; i <= known; ++i) printf "%-50s %10d runs, %9d refused\n", order[i], runs[order[i]], refusals[order[i]] }' "$made/build-fuzz/uses"
}
if [[ $what == counts ]]; then
  print_counts
  print_uses
  exit
fi
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
  grep -o 'kore-fuzz-use: .*' "$log" | sed "s/^kore-fuzz-use:/$2/" >>build-fuzz/uses || true
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
  "$reader_coverage" llvm-cov-14 "$fuzzer" "$profiles/all.profdata" "${1:-0}"
}

if [[ $what == coverage ]]; then
  cover "$@"
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
echo "With those of earlier runs:"
print_counts
exit $status
