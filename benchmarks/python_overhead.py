"""What Python adds to a fit of the engine: reading the array, checking it, summarising its columns.

Usage: python python_overhead.py [--rows 100000] [--columns 20] [--limit 5]
Exits with 1 if `fit` takes more than `limit` per cent longer than the engine's own fit of the same rows.
"""

import argparse
import sys
import time

import numpy as np
from kore import KOREAdditiveRegressor, KORERegressor


class Watched:
    """Stands in for the engine's training data and takes the time of the fit alone."""

    def __init__(self, training):
        self._training = training
        self.seconds = 0.0

    def __getattr__(self, name):
        return getattr(self._training, name)

    def fit(self, *arguments):
        start = time.perf_counter()
        model = self._training.fit(*arguments)
        self.seconds = time.perf_counter() - start
        return model


def seconds_of_fit(estimator, X, y):
    """Of the whole fit and of the engine's part in it."""
    prepare = estimator._prepare
    watched = []

    def watch(*arguments):
        training, *rest = prepare(*arguments)
        watched.append(Watched(training))
        return watched[0], *rest

    estimator._prepare = watch
    start = time.perf_counter()
    estimator.fit(X, y)
    return time.perf_counter() - start, watched[0].seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--columns", type=int, default=20)
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--limit", type=float, default=5.0)
    arguments = parser.parse_args()
    random = np.random.default_rng(0)
    X = random.uniform(size=(arguments.rows, arguments.columns))
    y = np.sin(6 * X).sum(axis=1) + random.normal(0, 0.1, arguments.rows)
    worst = 0.0
    for order, array in {"C": X, "Fortran": np.asfortranarray(X)}.items():
        for estimator in (KOREAdditiveRegressor, KORERegressor):
            runs = [seconds_of_fit(estimator(), array, y) for _ in range(arguments.repeats)]
            total = min(run[0] for run in runs)
            # Other programs only ever make a run longer, so that the least overhead is the nearest to the truth.
            overhead = min(100 * (run[0] / run[1] - 1) for run in runs)
            worst = max(worst, overhead)
            print(f"{estimator.__name__:22} {order:7} order: fit {total:.3f} s, {overhead:.1f} % more than the engine")
    return 0 if worst <= arguments.limit else 1


if __name__ == "__main__":
    sys.exit(main())
