#!/usr/bin/env bash
# A test that takes minutes and gigabytes: five million rows fitted within a limit of one gigabyte.
# Usage: tests/large/run.sh [path of the command] [folder for the files]
set -euo pipefail

root=$(cd "$(dirname "$0")/../.." && pwd)
kore=${1:-$root/build/kore}
folder=${2:-$(mktemp -d)}
[[ -n ${2:-} ]] || trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder"
rows=5000000
limit_kilobytes=$((1000 * 1000 * 1000 / 1024))
failures=0

fail() {
  echo "FAILED: $*" >&2
  failures=$((failures + 1))
}

# Runs the command with its output in $folder/out.json; sets `peak` (kilobytes) and `seconds`. The high-water mark of the
# memory only grows, so that looking often enough is enough.
measured() {
  local start=$SECONDS pid now
  peak=0
  "$kore" "$@" > "$folder/out.json" &
  pid=$!
  while kill -0 "$pid" 2> /dev/null; do
    now=$(awk '/^VmHWM:/ { print $2 }' "/proc/$pid/status" 2> /dev/null || true)
    [[ -z $now ]] || peak=$now
    sleep 0.02
  done
  wait "$pid" || fail "kore $* ended with status $?"
  seconds=$((SECONDS - start))
}

# A value at the top of the object of `kore fit --json`.
value() {
  sed -n "s/^  \"$1\": \(.*[^,]\),\{0,1\}$/\1/p" "$folder/$2"
}

# Twelve uniform features, half of them with an effect, an interaction and noise; the same numbers on every run.
columns=
for j in $(seq 12); do columns+="hash(100 * i + $j) / 18446744073709551616.0 AS x$j, "; done
table="(SELECT $columns hash(100 * i + 99) / 18446744073709551616.0 AS u FROM range(COUNT) t(i))"
query="SELECT * EXCLUDE u, sin(5 * x1) + x2 * x2 + cos(3 * x3) + sqrt(x4 + 0.1) + exp(-x5) + x6 * x7 + 0.5 * u AS y FROM $table"
names=$(printf 'x%d,' $(seq 12))y

echo "A Parquet file of $rows rows and 12 features, written by the command itself"
"$kore" fit "${query/COUNT/1000}" --target y --quiet -o "$folder/small.kore"
measured predict "$folder/small.kore" "${query/COUNT/$rows}" --keep "$names" --quiet -o "$folder/large.parquet"
ls -l "$folder/large.parquet" | awk -v s="$seconds" -v m="$peak" '{ printf "  %.0f MB in %d s, peak memory %.0f MB\n", $5 / 1e6, s, m * 1024 / 1e6 }'

large=("$folder/large.parquet" --target y --drop prediction --json)
check_large() {
  measured fit "${large[@]}" --memory-limit 1GB "${@:2}"
  cp "$folder/out.json" "$folder/limited.json"
  printf '  %-34s %4d s, peak memory %4.0f MB, %s, G = %s, %s fits, LOO %s\n' "$1" "$seconds" \
    "$(awk "BEGIN { print $peak * 1024 / 1e6 }")" "$(value structure limited.json)" "$(value G limited.json)" \
    "$(value fits limited.json)" "$(value loo limited.json)"
  ((peak > 0 && peak < limit_kilobytes)) || fail "the peak of $peak kB is beyond the limit of $limit_kilobytes kB"
  measured fit "${large[@]}" "${@:2}"
  printf '  %-34s %4d s, peak memory %4.0f MB\n' "  without a limit" "$seconds" "$(awk "BEGIN { print $peak * 1024 / 1e6 }")"
  for key in n structure G fits; do
    [[ $(value $key limited.json) == "$(value $key out.json)" ]] || fail "$1: $key differs with the limit"
  done
  awk -v a="$(value loo limited.json)" -v b="$(value loo out.json)" \
    'BEGIN { d = a / b - 1; exit !(d < 1e-9 && d > -1e-9) }' || fail "$1: LOO differs with the limit"
  [[ $(value n out.json) == "$rows" ]] || fail "$1: not every row was used"
}
echo "Fits within 1 GB"
check_large "12 features, read in passes"
check_large "12 features, additive, in passes" --structure additive
check_large "10 features, kept in memory" --drop x11,x12 --structure additive

((failures == 0)) && echo "All passed" || exit 1
