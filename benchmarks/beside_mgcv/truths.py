"""Errors of the linear predictor beside mgcv's, and how often bands hold the true curves, for every family.

Tables are made up: four features, three of which have the curves of mgcv's example 1. `kore fit` is told the family and
nothing else; `bam` has the right formula. Errors are root mean squares over fresh rows without their noise. Bands are
those of 95 %, at points between the 2.5 % and 97.5 % quantiles of a feature.
Usage: truths.py KORE_COMMAND FOLDER [--families a,b] [--sizes 400,2000] [--tables 10]
What mgcv has fitted stays in FOLDER and is not fitted again.
"""

import argparse
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd

FEATURES = ["x0", "x1", "x2", "x3"]
FRESH = 2000
POINTS = 100
FAMILIES = ["normal", "binomial", "poisson", "gamma", "negative_binomial"]
SHAPE = 2.0  # of gamma amounts, and theta of negative binomial counts
CURVES = [
    lambda x: 2 * np.sin(np.pi * x),
    lambda x: np.exp(2 * x),
    lambda x: 0.2 * x**11 * (10 * (1 - x)) ** 6 + 10 * (10 * x) ** 3 * (1 - x) ** 10,
    lambda x: 0 * x,
]
MEAN, DEVIATION = 7.5, 3.8  # of the sum of the curves, roughly
# The linear predictor of a family has this mean and about this deviation.
PREDICTOR = {
    "normal": (0, DEVIATION),
    "binomial": (0, 1.5),
    "poisson": (0.5, 0.6),
    "gamma": (1, 0.6),
    "negative_binomial": (1, 0.6),
}


def true_curve(family, feature, x):
    """Up to a constant."""
    return CURVES[feature](x) * PREDICTOR[family][1] / DEVIATION


def true_predictor(family, X):
    mean, deviation = PREDICTOR[family]
    total = sum(curve(X[:, j]) for j, curve in enumerate(CURVES))
    return mean + (total - MEAN) * deviation / DEVIATION


def draw(family, eta, generator):
    if family == "normal":
        return eta + generator.normal(scale=2, size=len(eta))
    if family == "binomial":
        return (generator.random(len(eta)) < 1 / (1 + np.exp(-eta))).astype(float)
    if family == "poisson":
        return generator.poisson(np.exp(eta)).astype(float)
    amounts = generator.gamma(SHAPE, np.exp(eta) / SHAPE)
    return amounts if family == "gamma" else generator.poisson(amounts).astype(float)


class Cell:
    """One table of a family."""

    def __init__(self, family, rows, number):
        self.family, self.rows, self.number = family, rows, number
        self.name = f"{family}_{rows}_{number}"
        generator = np.random.default_rng([FAMILIES.index(family), rows, number])
        self.X = generator.random((rows, len(FEATURES)))
        self.y = draw(family, true_predictor(family, self.X), generator)
        self.fresh = generator.random((FRESH, len(FEATURES)))
        ends = np.quantile(self.X, [0.025, 0.975], axis=0)
        self.points = np.linspace(ends[0], ends[1], POINTS)

    def write(self, folder):
        table = pd.DataFrame(self.X, columns=FEATURES)
        table["y"] = self.y
        table.to_csv(folder / f"{self.name}.train.csv", index=False)
        pd.DataFrame(self.fresh, columns=FEATURES).to_csv(folder / f"{self.name}.fresh.csv", index=False)
        pd.DataFrame(self.points, columns=FEATURES).to_csv(folder / f"{self.name}.points.csv", index=False)

    def error(self, predictor):
        return float(np.sqrt(np.mean((predictor - true_predictor(self.family, self.fresh)) ** 2)))

    def covered(self, curves):
        """The share of points where the band of a feature holds its curve. Curves and truths are centred over rows."""
        shares = []
        for j, (effect, error) in enumerate(curves):
            truth = true_curve(self.family, j, self.points[:, j]) - true_curve(self.family, j, self.X[:, j]).mean()
            shares.append(float(np.mean(np.abs(effect - truth) <= 1.96 * error)))
        return shares


def link(family, mean):
    if family == "normal":
        return mean
    return np.log(mean / (1 - mean)) if family == "binomial" else np.log(mean)


def curve_of(path, points):
    """An effect and its error at some points, from the file of a curve."""
    grid = pd.read_csv(path)
    x, effect, error = (grid.iloc[:, k].to_numpy() for k in range(3))
    if len(x) == 2:  # a straight line, whose error changes sign where its effect does
        error = error * np.array([-1, 1])
    return np.interp(points, x, effect), np.abs(np.interp(points, x, error))


def fit_kore(command, folder, cell):
    with tempfile.TemporaryDirectory() as place:
        place = Path(place)
        model, train = place / "m.kore", folder / f"{cell.name}.train.csv"
        fit = [command, "fit", train, "--target", "y", "--family", cell.family, "--threads", "1", "--quiet"]
        subprocess.run([*fit, "-o", model], check=True)
        fresh = folder / f"{cell.name}.fresh.csv"
        subprocess.run([command, "predict", model, fresh, "-q", "-o", place / "p.csv"], check=True)
        effects = [command, "effects", model, "-o", place / "curves", "--points", "401"]
        subprocess.run(effects, check=True, capture_output=True)
        mean = pd.read_csv(place / "p.csv")["prediction"].to_numpy()
        # A model without a term says that its effect is zero, without a band.
        curves = [(np.zeros(POINTS), np.zeros(POINTS)) for _ in FEATURES]
        terms = pd.read_csv(place / "curves" / "effects.csv")
        for term, file in zip(terms["term"], terms["file"], strict=True):
            if term in FEATURES:
                j = FEATURES.index(term)
                curves[j] = curve_of(place / "curves" / file, cell.points[:, j])
    return cell.error(link(cell.family, mean)), cell.covered(curves), len(terms)


def read_mgcv(folder, cell):
    predictor = pd.read_csv(folder / f"{cell.name}.predictor.csv")["predictor"].to_numpy()
    curves = pd.read_csv(folder / f"{cell.name}.curves.csv").to_numpy()
    pairs = [(curves[:, j], curves[:, len(FEATURES) + j]) for j in range(len(FEATURES))]
    return cell.error(predictor), cell.covered(pairs)


def measure(command, folder, cell):
    error, covered, terms = fit_kore(command, folder, cell)
    error_of_mgcv, covered_by_mgcv = read_mgcv(folder, cell)
    found = {"family": cell.family, "rows": cell.rows, "table": cell.number}
    found |= {"kore": error, "mgcv": error_of_mgcv, "ratio": error / error_of_mgcv, "terms": terms}
    for j, name in enumerate(FEATURES):
        found |= {f"kore_{name}": covered[j], f"mgcv_{name}": covered_by_mgcv[j]}
    return found


def geometric_mean(values):
    return float(np.exp(np.log(values).mean()))


def print_rows(results):
    header = "".join(f"{name:>8s}" for name in [*FEATURES, "all", "mgcv"])
    print(f"{'family':18s}{'rows':>8s}{'kore':>9s}{'mgcv':>9s}{'ratio':>8s}{'worst':>8s}   covered{header}")
    groups = [((family, rows), group) for (family, rows), group in results.groupby(["family", "rows"], sort=False)]
    groups += [((family, "all"), group) for family, group in results.groupby("family", sort=False)]
    for (family, rows), group in groups:
        own = [group[f"kore_{name}"].mean() for name in FEATURES]
        theirs = np.mean([group[f"mgcv_{name}"].mean() for name in FEATURES])
        shares = "".join(f"{share:8.3f}" for share in [*own, np.mean(own), theirs])
        print(
            f"{family:18s}{rows!s:>8s}{group.kore.mean():9.4f}{group.mgcv.mean():9.4f}"
            f"{geometric_mean(group.ratio):8.3f}{group.ratio.max():8.3f}{'':10s}{shares}"
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--families", default=",".join(FAMILIES))
    parser.add_argument("--sizes", default="400,2000,10000")
    parser.add_argument("--tables", type=int, default=10, help="of each family and size")
    options = parser.parse_args()
    cells = [
        Cell(family, int(rows), number)
        for family in options.families.split(",")
        for rows in options.sizes.split(",")
        for number in range(options.tables)
    ]
    options.folder.mkdir(parents=True, exist_ok=True)
    for cell in cells:
        cell.write(options.folder)
    subprocess.run(["Rscript", Path(__file__).with_suffix(".R"), options.folder], check=True)
    results = pd.DataFrame([measure(options.command, options.folder, cell) for cell in cells])
    results.to_csv(options.folder / "cells.csv", index=False)
    print_rows(results)


if __name__ == "__main__":
    main()
