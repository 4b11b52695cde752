"""The tables of the comparison, the same bits on every machine, kept as plain files that NumPy and R both read."""

import csv
import gzip
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

TEST_ROWS = 20_000
NOISE_SHARE = 0.1  # of the standard deviation of the target without noise


@dataclass(frozen=True)
class Workload:
    name: str
    title: str
    rows: int
    features: int
    pairs: tuple[tuple[int, int], ...] = ()
    free_pairs: bool = False  # the structure has to be found, nothing is given
    hidden_pairs: tuple[tuple[int, int], ...] = ()  # that the target has, and nobody is told
    friedman: bool = False
    family: str = "normal"

    def make(self, folder: Path) -> Path:
        """Writes the table into a folder of its own, unless it is there, and returns that."""
        home = folder / self.name
        if not (home / "shape.json").exists():
            home.mkdir(parents=True, exist_ok=True)
            X, y, X_test, y_test = self.table()
            for name, values in (("X", X), ("y", y), ("X_test", X_test), ("y_test", y_test)):
                values.ravel(order="F").astype("<f8").tofile(home / f"{name}.f64")
            shape = {"rows": len(y), "features": X.shape[1], "test": len(y_test)}
            shape |= {"pairs": self.pairs, "free_pairs": self.free_pairs, "family": self.family}
            (home / "shape.json").write_text(json.dumps(shape))
        return home

    def table(self) -> tuple[np.ndarray, ...]:
        generator = np.random.default_rng(2026)
        target = self.target_function(generator)
        X = generator.random((self.rows, self.features))
        X_test = generator.random((TEST_ROWS, self.features))
        clean = target(X)
        return X, clean + generator.normal(scale=NOISE_SHARE * clean.std(), size=self.rows), X_test, target(X_test)

    def target_function(self, generator: np.random.Generator) -> Callable[[np.ndarray], np.ndarray]:
        if self.friedman:
            return friedman_target
        return pairwise_target(generator, self) if self.true_pairs else additive_target(generator, self.features)

    @property
    def true_pairs(self) -> tuple[tuple[int, int], ...]:
        return self.pairs or self.hidden_pairs


def additive_target(generator: np.random.Generator, d: int) -> Callable[[np.ndarray], np.ndarray]:
    amplitude, phase = generator.uniform(0.5, 1.2, d), generator.uniform(0, 2 * np.pi, d)
    waves = generator.integers(1, 4, d)
    return lambda X: np.sin(2 * np.pi * X * waves + phase) @ amplitude / np.sqrt(d)


def friedman_target(X: np.ndarray) -> np.ndarray:
    """Friedman's first function: a pair, a parabola and two lines; further features have no effect."""
    return 10 * np.sin(np.pi * X[:, 0] * X[:, 1]) + 20 * (X[:, 2] - 0.5) ** 2 + 10 * X[:, 3] + 5 * X[:, 4]


def pairwise_target(generator: np.random.Generator, workload: Workload) -> Callable[[np.ndarray], np.ndarray]:
    main = additive_target(generator, workload.features)
    pairs = workload.true_pairs
    weight = generator.uniform(0.8, 1.3, len(pairs))

    def target(X: np.ndarray) -> np.ndarray:
        joint = sum(w * np.sin(np.pi * X[:, i] * X[:, j]) for w, (i, j) in zip(weight, pairs, strict=True))
        return 0.5 * main(X) + joint / np.sqrt(len(pairs))

    return target


@dataclass(frozen=True)
class TableWorkload(Workload):
    """A real table; every fifth row, after a shuffle, is kept for the test."""

    path: Path = Path()
    target: str = ""

    def table(self) -> tuple[np.ndarray, ...]:
        with gzip.open(self.path, "rt", newline="") as file:
            rows = list(csv.DictReader(file))
        names = [name for name in rows[0] if name != self.target]
        X = np.array([[float(row[name]) for name in names] for row in rows])
        y = np.array([float(row[self.target]) for row in rows])
        order = np.random.default_rng(2026).permutation(len(y))
        test, train = np.split(order, [len(y) // 5])
        return X[train], y[train], X[test], y[test]


# Real tables of numbers alone, with their target.
REAL_TABLES = {
    "red_wine": ("Red wine", "quality"),
    "kin8nm": ("Robot arm", "y"),
    "combined_cycle_power_plant": ("Power plant", "PE"),
    "grid_stability": ("Grid stability", "stab"),
    "california_housing": ("California housing", "medianHouseValue"),
    "physiochemical_protein": ("Protein", "RMSD"),
}
NEIGHBOURS = tuple((2 * p, 2 * p + 1) for p in range(10))


def all_workloads(data: Path) -> list[Workload]:
    """First the tables whose structure is given, then those whose structure has to be found."""
    given = "main effects given to KORE, mgcv and pyGAM"
    found = [Workload(f"additive_1e{k}", f"additive, d = 20, n = 10^{k}, {given}", 10**k, 20) for k in (3, 4, 5, 6)]
    given_pairs = "pairs given to KORE, mgcv, pyGAM and EBM"
    found += [
        Workload(f"pairwise_1e{k}", f"10 pairs, d = 20, n = 10^{k}, {given_pairs}", 10**k, 20, NEIGHBOURS)
        for k in (4, 5)
    ]
    found.append(Workload("wide", f"additive, d = 80, n = 10^4, {given}", 10**4, 80))
    return [*found, *made_automatic(), *real_automatic(data)]


def made_automatic() -> list[Workload]:
    return [
        Workload(
            "auto_friedman", "Friedman's function, d = 10, n = 2,000, nothing given", 2000, 10, (), True, (), True
        ),
        Workload("auto_additive_1e4", "additive, d = 20, n = 10^4, nothing given", 10**4, 20, (), True),
        Workload("auto_additive_1e5", "additive, d = 20, n = 10^5, nothing given", 10**5, 20, (), True),
        Workload("auto_pairwise_1e4", "10 pairs, d = 20, n = 10^4, nothing given", 10**4, 20, (), True, NEIGHBOURS),
    ]


def real_automatic(data: Path) -> list[Workload]:
    return [
        TableWorkload(
            f"auto_{name}",
            f"{title}, nothing given",
            0,
            0,
            free_pairs=True,
            path=data / f"{name}.csv.gz",
            target=target,
        )
        for name, (title, target) in REAL_TABLES.items()
        if (data / f"{name}.csv.gz").exists()
    ]


def load(home: Path) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict]:
    shape = json.loads((home / "shape.json").read_text())

    def matrix(name: str, rows: int) -> np.ndarray:
        return np.fromfile(home / f"{name}.f64").reshape((rows, -1), order="F")

    X, X_test = matrix("X", shape["rows"]), matrix("X_test", shape["test"])
    return X, np.fromfile(home / "y.f64"), X_test, np.fromfile(home / "y_test.f64"), shape
