#!/usr/bin/env python3
"""Sets two builds of the command side by side: the same predictions, bit for bit, on every table of a folder.

Usage: scripts/compare_builds.py OLD_KORE NEW_KORE [--data ../shared/data] [--keep FOLDER] [--only NAME ...]

Every table is fitted in both profiles by both builds, and each build predicts the rows it was fitted to, with
intervals. What differs is named, and the exit status is then 1. Predictions of the old build are kept in FOLDER, so that
several new builds can be compared with it.
"""

import argparse
import gzip
import json
import subprocess
import sys
import tempfile
from pathlib import Path

PROFILES = ("default", "paper")


def target_of(table: Path) -> str:
    """The column to predict is the last one."""
    with gzip.open(table, "rt") as lines:
        return lines.readline().strip().split(",")[-1].strip('"')


def predictions(kore: Path, table: Path, profile: str, categorical: list[str], to: Path) -> bytes:
    """What a build predicts for the rows it was fitted to; made once and kept."""
    if not to.exists():
        to.parent.mkdir(parents=True, exist_ok=True)
        model = to.with_suffix(".kore")
        fit = [kore, "fit", table, "--target", target_of(table), "--profile", profile, "-q", "-o", model]
        if categorical:
            fit += ["--categorical", ",".join(f'"{name}"' for name in categorical)]
        subprocess.run(fit, check=True)
        subprocess.run([kore, "predict", model, table, "--interval", "0.9", "-q", "-o", to], check=True)
    return to.read_bytes()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--keep", type=Path, help="where the old build's predictions are kept")
    parser.add_argument("--only", nargs="*", help="these tables alone")
    arguments = parser.parse_args()
    categorical = json.loads((arguments.data / "categorical_columns.json").read_text())
    different = compared = 0
    with tempfile.TemporaryDirectory() as scratch:
        keep = arguments.keep or Path(scratch) / "old"
        for table in sorted(arguments.data.glob("*.csv.gz")):
            name = table.name.removesuffix(".csv.gz")
            if arguments.only and name not in arguments.only:
                continue
            for profile in PROFILES:
                file = f"{name}-{profile}.csv"
                columns = categorical.get(name, [])
                old = predictions(arguments.old, table, profile, columns, keep / file)
                new = predictions(arguments.new, table, profile, columns, Path(scratch) / "new" / file)
                compared += 1
                different += old != new
                print(f"{name:32} {profile:8} {'same' if old == new else 'DIFFERENT'}", flush=True)
    print(f"{compared} compared, {different} different")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
