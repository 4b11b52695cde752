"""Test deviance of `kore` over that of tuned boosters, for targets that are yes or no, counts, or positive amounts.

Rows and folds are those of the boosters' published results: 4,000 rows of a table at most, the first two of five folds.
The boosters' deviances are read from boosters.csv; KORE runs as users run it, `kore fit` and `kore predict`.
Usage: families.py KORE_COMMAND DATA [--sets a,b] [--output FILE]   (DATA holds index.csv, boosters.csv and NAME.csv.gz)
"""

import argparse
import json
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd

FAMILIES = {"binary": "binomial", "count": "poisson", "positive": "gamma"}
ROWS = 4000
FOLDS = 2


def deviance(task, y, mean, exposure):
    """Mean deviance of a row, with means kept away from the ends as for the boosters."""
    if task == "binary":
        p = np.clip(mean, 1e-12, 1 - 1e-12)
        return float(np.mean(-2 * np.where(y > 0.5, np.log(p), np.log1p(-p))))
    mu = np.maximum(mean, 1e-12)
    if task == "count":
        return float(np.mean(2 * (np.where(y > 0, y * np.log(np.maximum(y, 1e-300) / mu), 0) - (y - mu))))
    return float(np.mean(2 * (y / mu - 1 - np.log(y / mu))))


def calibration_error(y, p, parts=10):
    """Expected calibration error: the mean distance of share and probability over tenths of the rows."""
    order = np.argsort(p, kind="stable")
    cells = np.array_split(order, parts)
    return float(sum(len(c) / len(y) * abs(y[c].mean() - p[c].mean()) for c in cells if len(c)))


def calibration_by_chance(p, draws=200):
    """The calibration error that chance alone gives: targets are drawn from the probabilities themselves."""
    random = np.random.default_rng(3)
    return float(np.mean([calibration_error((random.random(len(p)) < p).astype(float), p) for _ in range(draws)]))


def load(folder, meta):
    table = pd.read_csv(folder / f"{meta.name}.csv.gz", keep_default_na=False, na_values=[""])
    rows = np.random.default_rng(0).permutation(len(table))[:ROWS]
    return table.iloc[rows].reset_index(drop=True)


def measure(command, folder, meta, fold_of, table, fold):
    target = table.columns[-1]
    train, test = table[fold_of != fold], table[fold_of == fold]
    arguments = ["--target", target, "--family", FAMILIES[meta.task], "--quiet"]
    if meta.task == "binary":
        arguments += ["--positive", str(meta.positive_class_or_classes)]
    exposed = isinstance(meta.exposure_column, str)
    if exposed:
        arguments += ["--exposure", meta.exposure_column]
    categorical = [c for c in str(meta.categorical_columns).split(";") if c in table.columns and c != target]
    if categorical:
        arguments += ["--categorical", ",".join(f'"{c}"' for c in categorical)]
    with tempfile.TemporaryDirectory() as place:
        place = Path(place)
        train.to_csv(place / "train.csv", index=False)
        test.drop(columns=[target]).to_csv(place / "test.csv", index=False)
        start = time.perf_counter()
        subprocess.run([command, "fit", place / "train.csv", *arguments, "-o", place / "m.kore"], check=True)
        seconds = time.perf_counter() - start
        subprocess.run(
            [command, "predict", place / "m.kore", place / "test.csv", "-q", "-o", place / "p.csv"], check=True
        )
        mean = pd.read_csv(place / "p.csv")["prediction"].to_numpy()
        info = json.loads(
            subprocess.run([command, "info", place / "m.kore", "--json"], check=True, capture_output=True).stdout
        )
    if meta.task == "binary":
        y = (test[target].astype(str) == str(meta.positive_class_or_classes)).to_numpy(float)
    else:
        y = test[target].to_numpy(float)
    exposure = test[meta.exposure_column].to_numpy(float) if exposed else np.ones(len(y))
    stated = (info.get("accuracy") or {}).get("family") or {}
    return {
        "deviance": deviance(meta.task, y, mean, exposure),
        "seconds": seconds,
        "stated": stated.get("deviance"),
        "target": y,
        "mean": mean,
    }


def calibration_of(results):
    """The calibration error of the test rows of all folds together, and that of chance."""
    y, p = (np.concatenate([r[part] for r in results]) for part in ("target", "mean"))
    return calibration_error(y, p), calibration_by_chance(p)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("command")
    parser.add_argument("data", type=Path)
    parser.add_argument("--sets", default="")
    parser.add_argument("--output", type=Path)
    arguments = parser.parse_args()
    index = pd.read_csv(arguments.data / "index.csv")
    boosters = pd.read_csv(arguments.data / "boosters.csv")
    wanted = arguments.sets.split(",") if arguments.sets else list(index[index.task.isin(FAMILIES)].name)
    columns = f"{'kore':>10s}{'booster':>10s}{'ratio':>8s}{'calibration':>13s}{'by chance':>11s}{'seconds':>9s}"
    print(f"{'test deviance':28s}{'task':10s}{'rows':>6s}{columns}")
    found = []
    for name in wanted:
        meta = index[index.name == name].iloc[0].copy()
        meta.name = name
        table = load(arguments.data, meta)
        fold_of = np.random.default_rng(1).permutation(len(table)) % 5
        results = [measure(arguments.command, arguments.data, meta, fold_of, table, fold) for fold in range(FOLDS)]
        own = boosters[
            (boosters.name == name) & boosters.method.isin(["lightgbm", "xgboost"]) & (boosters.fold < FOLDS)
        ]
        best = own.groupby("method").deviance.mean().min()
        kore = float(np.mean([r["deviance"] for r in results]))
        calibration, chance = calibration_of(results) if meta.task == "binary" else (np.nan, np.nan)
        seconds = float(np.mean([r["seconds"] for r in results]))
        found.append(
            {
                "name": name,
                "task": meta.task,
                "rows": len(table),
                "kore": kore,
                "booster": best,
                "ratio": kore / best,
                "calibration": calibration,
                "chance": chance,
                "seconds": seconds,
            }
        )
        print(
            f"{name:28s}{meta.task:10s}{len(table):6d}{kore:10.4f}{best:10.4f}{kore / best:8.3f}"
            f"{'' if np.isnan(calibration) else f'{calibration:.3f}':>13s}"
            f"{'' if np.isnan(chance) else f'{chance:.3f}':>11s}{seconds:9.1f}",
            flush=True,
        )
    results = pd.DataFrame(found)
    for task, group in results.groupby("task"):
        mean = np.exp(np.log(group.ratio).mean())
        largest = group.loc[group.ratio.idxmax()]
        print(f"{task}: geometric mean {mean:.3f} of {len(group)}, the largest {largest.ratio:.3f} ({largest['name']})")
    large = results[(results.task == "binary") & (results.rows >= 1000)]
    if len(large):
        error = large.calibration.mean()
        chance = large.chance.mean()
        print(
            f"expected calibration error, mean of {len(large)} tables of 1,000 rows and more: {error:.3f} "
            f"({chance:.3f} by chance alone)"
        )
    if arguments.output:
        results.to_csv(arguments.output, index=False)


if __name__ == "__main__":
    main()
