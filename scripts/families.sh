#!/usr/bin/env bash
# The study of families: test deviance of yes and no, counts and amounts, then log loss of classes, beside tuned boosters.
# Usage: scripts/families.sh COMMAND DATA
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
python=$(scripts/booster_environment.sh)
"$python" benchmarks/families.py "$@"
"$python" benchmarks/classes.py "$@"
