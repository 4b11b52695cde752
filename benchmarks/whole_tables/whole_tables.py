"""Whole tables of more than 2,500 rows: KORE's command beside a tuned LightGBM, on one split by a fixed seed.

Usage: whole_tables.py DATA [--kore build/kore] [--tables abalone,fifa] [--lightgbm FILE.json]

DATA holds the shared tables (NAME.csv.gz, target last) and the folder `responses`. KORE is run as users run it:
`kore fit TRAIN.csv --target T` with the categories named, then `kore predict`. With --lightgbm, what LightGBM reached
is kept in that file, and a later run takes it from there, so that KORE alone can be measured again. Its times are then
those of the run that wrote the file.
"""

import argparse
import csv
import json
import math
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

SEED = 2026
TRAINING_SHARE = 0.8
TABLES = [
    "abalone",
    "physiochemical_protein",
    "naval_propulsion_plant",
    "grid_stability",
    "california_housing",
    "kin8nm",
    "cps88wages",
    "brazilian_houses",
    "fifa",
    "combined_cycle_power_plant",
    "responses/bike_sharing_hourly",
    "responses/diamonds_price",
]
# Almost without noise, so that any spline is better than any tree by orders of magnitude: it would carry the mean.
NOT_IN_MEAN = "naval_propulsion_plant"


@dataclass(frozen=True)
class Split:
    target: str
    categories: list[str]
    train: pd.DataFrame
    test: pd.DataFrame


def categories_of(data: Path, table: str) -> list[str]:
    if not table.startswith("responses/"):
        return json.loads((data / "categorical_columns.json").read_text())[table]
    with (data / "responses" / "index.csv").open(newline="") as file:
        for row in csv.DictReader(file):
            if "responses/" + row["name"] == table:
                return [name for name in row["categorical_columns"].split(";") if name]
    raise SystemExit(f"{data}/responses/index.csv has no line for {table}")


def read_split(data: Path, table: str) -> Split:
    categories = categories_of(data, table)
    rows = pd.read_csv(
        data / f"{table}.csv.gz", dtype=dict.fromkeys(categories, str), keep_default_na=False, na_values=[""]
    )
    order = np.random.default_rng(SEED).permutation(len(rows))
    train, test = np.split(order, [int(TRAINING_SHARE * len(rows))])
    return Split(rows.columns[-1], categories, rows.iloc[train], rows.iloc[test])


def rmse(predicted: np.ndarray, split: Split) -> float:
    return float(np.sqrt(np.mean((predicted - split.test[split.target].to_numpy(float)) ** 2)))


def quoted(names: list[str]) -> str:
    return ",".join(f'"{name}"' if "," in name else name for name in names)


def run_kore(command: str, options: list[str], split: Split) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        train, test, model, predictions = (Path(folder) / name for name in ("train.csv", "test.csv", "m.kore", "p.csv"))
        split.train.to_csv(train, index=False)
        split.test.drop(columns=split.target).to_csv(test, index=False)
        categorical = ["--categorical", quoted(split.categories)] if split.categories else []
        started = time.perf_counter()
        fit = [command, "fit", str(train), "--target", split.target, "-o", str(model), *categorical, *options]
        subprocess.run(fit, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        seconds = time.perf_counter() - started
        subprocess.run(
            [command, "predict", str(model), str(test), "-o", str(predictions)],
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        predicted = pd.read_csv(predictions)["prediction"].to_numpy(float)
    return {"rmse": rmse(predicted, split), "seconds": seconds}


def run_lightgbm(split: Split, threads: int) -> dict[str, Any]:
    from lightgbm_tuned import tuned_predictions

    features = pd.concat([split.train, split.test]).drop(columns=split.target)
    for name in split.categories:
        features[name] = features[name].astype("category")
    # LightGBM refuses some characters in names.
    features.columns = [f"column{i}" for i in range(features.shape[1])]
    train, test = features.iloc[: len(split.train)], features.iloc[len(split.train) :]
    predicted, result = tuned_predictions(train, split.train[split.target].to_numpy(float), test, threads)
    return result | {"rmse": rmse(predicted, split)}


class Kept:
    """Results by table in a JSON file, or only in memory where there is none."""

    def __init__(self, file: Path | None):
        self.file = file
        self.results: dict[str, Any] = json.loads(file.read_text()) if file and file.exists() else {}

    def get(self, table: str, compute: Any) -> Any:
        if table not in self.results:
            self.results[table] = compute()
            if self.file:
                self.file.parent.mkdir(parents=True, exist_ok=True)
                self.file.write_text(json.dumps(self.results, indent=1))
        return self.results[table]


def summary(ratios: dict[str, float]) -> str:
    counted = {table: ratio for table, ratio in ratios.items() if table != NOT_IN_MEAN}
    if not counted:
        return ""
    mean = math.exp(sum(map(math.log, counted.values())) / len(counted))
    worst = max(counted, key=counted.__getitem__)
    return (
        f"geometric mean of {len(counted)} ratios, without naval propulsion: {mean:.3f}; "
        f"the largest: {counted[worst]:.3f} ({worst.rpartition('/')[2]})"
    )


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--kore", default="build/kore", help="the command to measure (build/kore)")
    parser.add_argument(
        "--kore-options", default="", help="further options of `kore fit`, such as --kore-options=--robust"
    )
    parser.add_argument("--tables", default="", help="names separated by commas; all without it")
    parser.add_argument("--lightgbm", type=Path, help="a JSON file that keeps LightGBM's results")
    parser.add_argument("--only-lightgbm", action="store_true", help="fill that file and do not run KORE")
    parser.add_argument("--threads", type=int, default=2, help="threads of LightGBM (2)")
    return parser.parse_args()


def chosen_tables(names: str) -> list[str]:
    if not names:
        return TABLES
    by_name = {table.rpartition("/")[2]: table for table in TABLES}
    unknown = [name for name in names.split(",") if name not in by_name]
    if unknown:
        raise SystemExit(f"no such table: {', '.join(unknown)}; there are {', '.join(by_name)}")
    return [by_name[name] for name in names.split(",")]


def main() -> None:
    given = arguments()
    kept = Kept(given.lightgbm)
    ratios: dict[str, float] = {}
    head = f"{'whole tables, test RMSE':<29}{'train':>7}{'kore':>12}{'lightgbm':>12}{'ratio':>8}"
    print(f"{head}{'kore s':>9}{'lightgbm s':>12}")
    for table in chosen_tables(given.tables):
        split = read_split(given.data, table)
        peer = kept.get(table, lambda split=split: run_lightgbm(split, given.threads))
        name = table.rpartition("/")[2]
        if given.only_lightgbm:
            print(
                f"{name:<29}{len(split.train):>7}{'':>12}{peer['rmse']:>12.5g}{'':>17}{peer['seconds']:>12.1f}",
                flush=True,
            )
            continue
        try:
            kore = run_kore(given.kore, given.kore_options.split(), split)
        except subprocess.CalledProcessError as error:
            print(f"{name:<29} {error}", flush=True)
            continue
        ratios[table] = kore["rmse"] / peer["rmse"]
        print(
            f"{name:<29}{len(split.train):>7}{kore['rmse']:>12.5g}{peer['rmse']:>12.5g}{ratios[table]:>8.3f}"
            f"{kore['seconds']:>9.1f}{peer['seconds']:>12.1f}",
            flush=True,
        )
    print(summary(ratios))


if __name__ == "__main__":
    sys.exit(main())
