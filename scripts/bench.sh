#!/usr/bin/env bash
# The speed comparison: the engine's kernels beside the machine's bounds, KORE beside its peers, the command at scale. Installs the
# peers (R with mgcv through apt, the others through pip), measures, and writes docs/benchmarks.md and out/bench/benchmarks.html.
# Usage: scripts/bench.sh [options of benchmarks/comparison/compare.py, such as --limit 60 --repeats 1 --only additive_1e4]
# What has been measured stays in out/bench and is not measured again; delete that folder for a new run.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
output=out/bench
environment=build-bench/venv
comparison=benchmarks/comparison

if ! command -v Rscript >/dev/null || ! Rscript -e 'library(mgcv)' >/dev/null 2>&1; then
  echo "bench: installing R with mgcv"
  as_root=()
  [[ $(id -u) == 0 ]] || as_root=(sudo)
  "${as_root[@]}" apt-get update -qq
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends r-base-core r-cran-mgcv >/dev/null
fi
if ! cmp -s "$comparison/requirements.txt" "$environment/installed-requirements.txt"; then
  echo "bench: installing the peers"
  python3 -m venv --clear "$environment"
  "$environment/bin/python" -m pip install --quiet --disable-pip-version-check --requirement "$comparison/requirements.txt"
  cp "$comparison/requirements.txt" "$environment/installed-requirements.txt"
fi
"$environment/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps --no-index --force-reinstall "$(scripts/build_wheel.sh)"

mkdir -p "$output"
[[ -s $output/kernels.json ]] || { build/benchmarks/bench_kernels >"$output/kernels.part" && mv "$output/kernels.part" "$output/kernels.json"; }
"$environment/bin/python" "$comparison/compare.py" --output "$output" "$@"
[[ -s $output/scale.json ]] || "$environment/bin/python" "$comparison/scale.py" build/kore --output "$output"
"$environment/bin/python" "$comparison/page.py" "$output" --markdown docs/benchmarks.md --html "$output/benchmarks.html" --vega third_party/vega
"$environment/bin/python" benchmarks/python_overhead.py
echo "docs/benchmarks.md and $output/benchmarks.html tell what was measured."
