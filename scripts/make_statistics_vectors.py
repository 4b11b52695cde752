#!/usr/bin/env python3
"""Writes tests/data/statistics_scipy.json: what SciPy says of small made-up samples, to test our statistics against.

Usage: scripts/make_statistics_vectors.py  (needs NumPy and SciPy; run again only to add cases)
"""

import json
from pathlib import Path

import numpy as np
import scipy
from scipy import stats


def friedman_cases(rng: np.random.Generator) -> list[dict]:
    cases = []
    for rows, columns, ties in [(6, 3, False), (10, 4, True), (36, 21, True), (25, 7, False)]:
        grid = rng.integers(0, 5, (rows, columns)).astype(float) if ties else rng.normal(size=(rows, columns))
        result = stats.friedmanchisquare(*grid.T)
        cases.append({"grid": grid.tolist(), "statistic": result.statistic, "p": result.pvalue})
    return cases


def wilcoxon_cases(rng: np.random.Generator) -> list[dict]:
    cases = []
    for count, shift, ties in [
        (5, 0.5, False),
        (12, 0.3, False),
        (50, 0.2, False),
        (51, 0.2, False),
        (40, 1, True),
        (180, 0.4, False),
        (180, 2, True),
    ]:
        differences = rng.integers(-4, 5, count).astype(float) + shift if ties else rng.normal(shift, 1, count)
        exact = not ties and count <= 50
        kept = differences[differences != 0]
        result = stats.wilcoxon(kept, method="exact" if exact else "approx")
        cases.append({"differences": differences.tolist(), "statistic": result.statistic, "p": result.pvalue})
    return cases


def range_cases() -> list[dict]:
    """SciPy has no closed form either; its quadrature is good to about nine digits."""
    return [
        {"groups": k, "probability": p, "quantile": stats.studentized_range.ppf(p, k, np.inf)}
        for k in (2, 3, 5, 10, 21, 50)
        for p in (0.5, 0.9, 0.95, 0.99)
    ]


def rank_cases(rng: np.random.Generator) -> list[dict]:
    return [
        {"values": values.tolist(), "ranks": stats.rankdata(values).tolist()}
        for values in (rng.normal(size=8), rng.integers(0, 4, 15).astype(float), np.zeros(5))
    ]


def main() -> None:
    rng = np.random.default_rng(9)
    vectors = {
        "made_with": f"SciPy {scipy.__version__}",
        "ranks": rank_cases(rng),
        "friedman": friedman_cases(rng),
        "wilcoxon": wilcoxon_cases(rng),
        "studentised_range": range_cases(),
    }
    target = Path(__file__).resolve().parent.parent / "tests" / "data" / "statistics_scipy.json"
    target.write_text(json.dumps(vectors) + "\n")


if __name__ == "__main__":
    main()
