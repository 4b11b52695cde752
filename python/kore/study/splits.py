"""The rows and splits of the published run."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from .registry import DATA_SETS, DataSet
from .tables import Floats, RawTable, StudyTable, load

MOST_ROWS = 2500


@dataclass
class Split:
    """Training rows and test rows."""

    entry: DataSet
    seed: int
    x_train: Floats
    y_train: Floats
    x_test: Floats
    y_test: Floats
    raw_train: RawTable  # the same rows before medians and dummies, for methods that want them
    raw_test: RawTable
    categories: tuple[str, ...]
    names: list[str]  # of the columns of x

    @property
    def total(self) -> int:
        """Rows in the study."""
        return len(self.y_train) + len(self.y_test)


def drawn_rows(name: str) -> np.ndarray[tuple[int], np.dtype[np.int64]] | None:
    """The rows that the study drew from a larger data set, or None for all.

    One generator is shared by all sets in the order of the registry, so that the draws of those before must be made.
    """
    random = np.random.default_rng(2026)
    for entry in DATA_SETS:
        drawn = np.sort(random.choice(entry.rows, MOST_ROWS, replace=False)) if entry.rows > MOST_ROWS else None
        if entry.name == name:
            return drawn
    raise ValueError(f"There is no data set '{name}'.")


def _rows_of(raw: RawTable, rows: np.ndarray[tuple[int], np.dtype[np.int64]]) -> RawTable:
    return RawTable(raw.names, [[column[row] for row in rows] for column in raw.columns])


def split_table(table: StudyTable, seed: int, drawn: np.ndarray[tuple[int], np.dtype[np.int64]] | None) -> Split:
    """Four fifths of the (drawn) rows are for training."""
    chosen = np.arange(len(table.y)) if drawn is None else drawn
    order = np.random.default_rng(1000 * seed + 7).permutation(len(chosen))
    cut = int(0.8 * len(chosen))
    train, test = chosen[order[:cut]], chosen[order[cut:]]
    return Split(
        table.entry,
        seed,
        np.ascontiguousarray(table.x[train]),
        table.y[train],
        np.ascontiguousarray(table.x[test]),
        table.y[test],
        _rows_of(table.raw, train),
        _rows_of(table.raw, test),
        table.categories,
        table.names,
    )


def load_split(folder: Path, entry: DataSet, seed: int) -> Split:
    """Reads a data set and splits it as the published run did."""
    return split_table(load(folder, entry), seed, drawn_rows(entry.name))


def unit_box(split: Split) -> tuple[Floats, Floats]:
    """Features scaled to the box of the training rows; test rows outside of it are moved to its surface."""
    low = split.x_train.min(axis=0)
    extent = split.x_train.max(axis=0) - low
    extent[extent == 0] = 1.0
    return (split.x_train - low) / extent, np.clip((split.x_test - low) / extent, 0.0, 1.0)


def standardised(split: Split) -> tuple[Floats, Floats]:
    """Features with mean 0 and standard deviation 1 on the training rows; constant ones are left at 0."""
    mean = split.x_train.mean(axis=0)
    deviation = split.x_train.std(axis=0)
    deviation[deviation == 0] = 1.0
    return (split.x_train - mean) / deviation, (split.x_test - mean) / deviation
