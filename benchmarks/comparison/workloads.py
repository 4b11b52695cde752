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
    free_pairs: bool = False  # interactions may be found, none is given
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
        target = pairwise_target(generator, self) if self.pairs else additive_target(generator, self.features)
        X = generator.random((self.rows, self.features))
        X_test = generator.random((TEST_ROWS, self.features))
        clean = target(X)
        return X, clean + generator.normal(scale=NOISE_SHARE * clean.std(), size=self.rows), X_test, target(X_test)


def additive_target(generator: np.random.Generator, d: int) -> Callable[[np.ndarray], np.ndarray]:
    amplitude, phase = generator.uniform(0.5, 1.2, d), generator.uniform(0, 2 * np.pi, d)
    waves = generator.integers(1, 4, d)
    return lambda X: np.sin(2 * np.pi * X * waves + phase) @ amplitude / np.sqrt(d)


def pairwise_target(generator: np.random.Generator, workload: Workload) -> Callable[[np.ndarray], np.ndarray]:
    main = additive_target(generator, workload.features)
    weight = generator.uniform(0.8, 1.3, len(workload.pairs))

    def target(X: np.ndarray) -> np.ndarray:
        joint = sum(w * np.sin(np.pi * X[:, i] * X[:, j]) for w, (i, j) in zip(weight, workload.pairs, strict=True))
        return 0.5 * main(X) + joint / np.sqrt(len(workload.pairs))

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


def all_workloads(data: Path) -> list[Workload]:
    neighbours = tuple((2 * p, 2 * p + 1) for p in range(10))
    found: list[Workload] = [
        Workload(f"additive_1e{k}", f"additive, d = 20, n = 10^{k}", 10**k, 20) for k in (3, 4, 5, 6)
    ]
    found += [Workload(f"pairwise_1e{k}", f"10 pairs, d = 20, n = 10^{k}", 10**k, 20, neighbours) for k in (4, 5)]
    found.append(Workload("wide", "additive, d = 80, n = 10^4", 10**4, 80))
    california = data / "california_housing.csv.gz"
    if california.exists():
        source = {"path": california, "target": "medianHouseValue"}
        found.append(TableWorkload("california", "California housing", 0, 8, free_pairs=True, **source))
    return found


def load(home: Path) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict]:
    shape = json.loads((home / "shape.json").read_text())

    def matrix(name: str, rows: int) -> np.ndarray:
        return np.fromfile(home / f"{name}.f64").reshape((rows, -1), order="F")

    X, X_test = matrix("X", shape["rows"]), matrix("X_test", shape["test"])
    return X, np.fromfile(home / "y.f64"), X_test, np.fromfile(home / "y_test.f64"), shape
