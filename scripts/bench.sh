#!/usr/bin/env bash
# The speed comparison: the engine's kernels beside the machine's bounds, KORE beside its peers, the command at scale. Installs the
# peers (R with mgcv through apt, the others through pip), measures, and writes docs/benchmarks.md and out/bench/benchmarks.html.
# Usage: scripts/bench.sh [options of benchmarks/comparison/compare.py, such as --limit 60 --repeats 1 --only additive_1e4]
# What has been measured stays in out/bench and is not measured again; delete that folder for a new run.
set -euo pipefail

source "$(dirname "${BASH_SOURCE[0]}")/places.sh"
output="$made/out/bench"
comparison=benchmarks/comparison

python="$(scripts/peers.sh)"
"$python" -m pip install --quiet --disable-pip-version-check --no-deps --no-index --force-reinstall "$(scripts/build_wheel.sh)"

mkdir -p "$output"
[[ -s $output/kernels.json ]] || { "$made/build/benchmarks/bench_kernels" >"$output/kernels.part" && mv "$output/kernels.part" "$output/kernels.json"; }
"$python" "$comparison/compare.py" --output "$output" "$@"
[[ -s $output/scale.json ]] || "$python" "$comparison/scale.py" "$made/build/kore" --output "$output"
"$python" "$comparison/page.py" "$output" --markdown docs/benchmarks.md --html "$output/benchmarks.html" --vega "$made/third_party/vega"
"$python" benchmarks/python_overhead.py
echo "docs/benchmarks.md and $output/benchmarks.html tell what was measured."
