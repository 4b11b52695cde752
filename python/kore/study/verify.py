"""Compares our results with the published ones of the same cells, for the deterministic methods."""

from __future__ import annotations

import ast
import csv
import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from .cell import scores
from .methods import method_named
from .outcome import Setting
from .registry import DataSet
from .splits import drawn_rows, split_table
from .tables import load

DETERMINED = (
    "linear",
    "ridge_cv",
    "lasso_cv",
    "elasticnet_cv",
    "kore",
    "gcv_spline",
    "cp_spline",
    "aic_spline",
    "bic_spline",
)


@dataclass
class Published:
    """A cell of the published table."""

    rmse: float
    fits: int
    chosen: str
    fell_back: bool  # the published run had no result, and the mean predicted


@dataclass
class Verified:
    """A method on the splits of a data set: the largest relative difference of the test errors."""

    dataset: str
    method: str
    cells: int = 0
    fell_back: int = 0
    difference: float = 0.0
    other_choices: int = 0  # cells with another structure, resolution, penalty or number of fits


def read_published(path: Path) -> dict[tuple[str, str, int], Published]:
    """The published cells by data set, method and seed."""
    with path.open(newline="") as file:
        return {
            (row["dataset"], row["method"], int(row["seed"])): Published(
                float(row["rmse_test"]),
                int(float(row["n_fits"])),
                row["best_hp"],
                row["used_constant_predictor"] == "True",
            )
            for row in csv.DictReader(file)
        }


def _same(published: object, ours: object) -> bool:
    if isinstance(published, float) and isinstance(ours, float):
        return math.isclose(published, ours, rel_tol=1e-9)
    return published == ours


def _same_choice(published: str, ours: dict[str, object]) -> bool:
    """Whether both have the same value, where both have one."""
    theirs = ast.literal_eval(published) if published else {}
    return all(_same(theirs[name], value) for name, value in ours.items() if name in theirs)


def verify(
    data: Path, published: Path, sets: list[DataSet], methods: tuple[str, ...], seeds: list[int], threads: int = 1
) -> Iterator[Verified]:
    """Runs every cell again that the published run has a result of."""
    cells = read_published(published)
    for entry in sets:
        table = load(data, entry)
        splits = {seed: split_table(table, seed, drawn_rows(entry.name)) for seed in seeds}
        for method in methods:
            found = Verified(entry.name, method)
            for seed, split in splits.items():
                cell = cells[(entry.name, method, seed)]
                if cell.fell_back:
                    found.fell_back += 1
                    continue
                outcome = method_named(method).run(split, Setting(threads=threads))
                rmse = scores(outcome.predictions, split)["rmse_test"]
                found.cells += 1
                found.difference = max(found.difference, abs(rmse / cell.rmse - 1))
                found.other_choices += outcome.fits != cell.fits or not _same_choice(cell.chosen, outcome.parameters)
            yield found
