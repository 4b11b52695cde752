"""Test log loss of `kore` over that of a tuned LightGBM, for targets of three classes or more.

4,000 rows of a table at most, the first two of five folds, as in families.py. LightGBM is tuned in the same run: six
settings, each stopped early on a fifth of the training rows; the best one is fitted again to all of them.
Usage: classes.py KORE_COMMAND DATA [--sets a,b]   (DATA holds index.csv and NAME.csv.gz)
"""

import argparse
import json
import subprocess
import tempfile
import time
from pathlib import Path

import lightgbm
import numpy as np
import pandas as pd
from families import FOLDS, load

SETTINGS = [(leaves, rate) for leaves in (7, 15, 31) for rate in (0.03, 0.1)]
MOST_TREES = 2000
LEAST_PROBABILITY = 1e-12


def log_loss(probabilities, classes, labels):
    """Mean of minus the logarithm of the probability of the true class."""
    place = np.searchsorted(classes, labels)
    own = probabilities[np.arange(len(labels)), place]
    return float(np.mean(-np.log(np.clip(own, LEAST_PROBABILITY, 1))))


def with_distinct_names(table):
    """Names that differ in upper and lower case alone are one name for the command."""
    lower = [name.lower() for name in table.columns]
    table.columns = [n if lower.count(n.lower()) == 1 else f"{n}_{i}" for i, n in enumerate(table.columns)]
    return table


def of_kore(command, train, test, target, categorical):
    arguments = ["--target", target, "--family", "multinomial"]
    if categorical:
        arguments += ["--categorical", ",".join(f'"{name}"' for name in categorical)]
    with tempfile.TemporaryDirectory() as place:
        place = Path(place)
        train.to_csv(place / "train.csv", index=False)
        test.drop(columns=[target]).to_csv(place / "test.csv", index=False)
        fitted = subprocess.run(
            [command, "fit", place / "train.csv", *arguments, "--json", "-o", place / "m.kore"],
            check=True,
            capture_output=True,
        )
        subprocess.run(
            [command, "predict", place / "m.kore", place / "test.csv", "-q", "-o", place / "p.csv"], check=True
        )
        predicted = pd.read_csv(place / "p.csv")
    classes = np.sort(train[target].unique())
    probabilities = predicted[[f"probability:{name}" for name in classes]].to_numpy()
    return probabilities, classes, json.loads(fitted.stdout)["accuracy"]["log_loss"]


def of_lightgbm(train, test, target, categorical):
    classes = np.sort(train[target].unique())
    y = np.searchsorted(classes, train[target])
    both = pd.concat([train, test]).drop(columns=[target])
    for name in both.columns:
        if name in categorical or both[name].dtype == object:
            both[name] = both[name].astype(str).astype("category")
    x, new = both.iloc[: len(train)], both.iloc[len(train) :]
    held = np.random.default_rng(2).permutation(len(train)) % 5 == 0
    fixed = {
        "objective": "multiclass",
        "num_class": len(classes),
        "min_data_in_leaf": 10,
        "verbose": -1,
        "seed": 0,
        "deterministic": True,
    }

    def boosted(setting, rows, trees, watched=None):
        leaves, rate = setting
        sets = [] if watched is None else [lightgbm.Dataset(x[watched], y[watched])]
        stop = [] if watched is None else [lightgbm.early_stopping(50, verbose=False)]
        parameters = {**fixed, "num_leaves": leaves, "learning_rate": rate}
        return lightgbm.train(parameters, lightgbm.Dataset(x[rows], y[rows]), trees, valid_sets=sets, callbacks=stop)

    tried = [(setting, boosted(setting, ~held, MOST_TREES, held)) for setting in SETTINGS]
    setting, best = min(tried, key=lambda one: one[1].best_score["valid_0"]["multi_logloss"])
    everything = np.ones(len(train), bool)
    return boosted(setting, everything, max(1, int(1.1 * best.best_iteration))).predict(new), classes


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("command")
    parser.add_argument("data", type=Path)
    parser.add_argument("--sets", default="")
    arguments = parser.parse_args()
    index = pd.read_csv(arguments.data / "index.csv")
    wanted = arguments.sets.split(",") if arguments.sets else list(index[index.task == "multiclass"].name)
    print(f"{'test log loss':24s}{'rows':>6s}{'kore':>9s}{'stated':>9s}{'lightgbm':>10s}{'ratio':>8s}{'seconds':>16s}")
    ratios = []
    for name in wanted:
        meta = index[index.name == name].iloc[0].copy()
        meta.name = name
        table = with_distinct_names(load(arguments.data, meta))
        target = table.columns[-1]
        table[target] = table[target].astype(str)
        categorical = [c for c in str(meta.categorical_columns).split(";") if c in table.columns and c != target]
        fold_of = np.random.default_rng(1).permutation(len(table)) % 5
        losses, seconds, promised = [], [], []
        for fold in range(FOLDS):
            train, test = table[fold_of != fold], table[fold_of == fold]
            start = time.perf_counter()
            found, classes, stated = of_kore(arguments.command, train, test, target, categorical)
            middle = time.perf_counter()
            boosted, _ = of_lightgbm(train, test, target, categorical)
            seconds.append([middle - start, time.perf_counter() - middle])
            promised.append(stated)
            losses.append([log_loss(p, classes, test[target]) for p in (found, boosted)])
        kore, booster = np.mean(losses, axis=0)
        ratios.append(kore / booster)
        figures = f"{kore:9.4f}{np.mean(promised):9.4f}{booster:10.4f}{kore / booster:8.3f}"
        times = " and ".join(f"{s:.1f}" for s in np.mean(seconds, axis=0))
        print(f"{name:24s}{len(table):6d}{figures}{times:>16s}", flush=True)
    print(f"geometric mean {np.exp(np.mean(np.log(ratios))):.3f} of {len(ratios)} tables")


if __name__ == "__main__":
    main()
