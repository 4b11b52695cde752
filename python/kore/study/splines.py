"""The spline family: KORE in both profiles, the classical selectors in the same engine, pyGAM, mgcv and EBM."""

from __future__ import annotations

import csv
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from .outcome import Outcome, Setting
from .splits import Split, standardised, unit_box
from .tables import Floats, RawTable


def _kore(split: Split, setting: Setting, x: Any, x_test: Any, **parameters: Any) -> Outcome:
    from kore import KORERegressor

    model = KORERegressor(n_jobs=setting.threads, **parameters).fit(x, split.y_train)
    chosen = {"structure": str(model.structure_), "G_star": int(model.G_star_)}
    return Outcome(np.asarray(model.predict(x_test), dtype=np.float64), int(model.fits_), chosen)


def kore_paper(split: Split, setting: Setting) -> Outcome:
    """The published algorithm, with all pairs of features as candidates."""
    x, x_test = unit_box(split)
    return _kore(split, setting, x, x_test, profile="paper", pairs="all")


def _frame(raw: RawTable, categories: tuple[str, ...]) -> Any:
    """The raw columns: numbers with missing values, and texts."""
    import pyarrow  # type: ignore[import-untyped, unused-ignore]

    columns: dict[str, Any] = {}
    for name, column in zip(raw.names[:-1], raw.columns[:-1], strict=True):
        if name in categories:
            columns[name] = pyarrow.array([field or None for field in column], type=pyarrow.string())
        else:
            columns[name] = pyarrow.array([float(field) if field else None for field in column], pyarrow.float64())
    return pyarrow.table(columns)


def kore_default(split: Split, setting: Setting) -> Outcome:
    """The default profile of KORE on the raw table: it encodes categories and missing values itself."""
    texts = list(split.categories)
    x, x_test = _frame(split.raw_train, split.categories), _frame(split.raw_test, split.categories)
    return _kore(split, setting, x, x_test, categorical_features=texts or None)


def ladder(method: str) -> Any:
    """A classical selector over the full grid: 'cv', 'gcv', 'cp', 'aic' or 'bic'."""

    def run(split: Split, setting: Setting) -> Outcome:
        from kore._engine import spline_ladder

        x, x_test = (np.ascontiguousarray(part) for part in unit_box(split))
        predictions, structure, resolution, fits = spline_ladder(
            x, split.y_train, x_test, method, split.seed, setting.threads
        )
        return Outcome(np.asarray(predictions), fits, {"structure": structure, "G_star": resolution})

    return run


def pygam(split: Split, _: Setting) -> Outcome:
    """A spline per column; one penalty for all, from eleven, by generalised cross-validation."""
    from pygam import LinearGAM, s  # type: ignore[import-not-found, import-untyped, unused-ignore]

    x, x_test = standardised(split)
    terms = s(0)
    for column in range(1, x.shape[1]):
        terms += s(column)
    penalties = np.logspace(-3, 3, 11)
    model = LinearGAM(terms).gridsearch(x, split.y_train, lam=penalties, progress=False)
    return Outcome(np.asarray(model.predict(x_test)), len(penalties), {"lam_grid": "logspace(-3,3,11)"})


def ebm(split: Split, setting: Setting) -> Outcome:
    """The explainable boosting machine with its defaults."""
    from interpret.glassbox import (  # type: ignore[import-not-found, import-untyped, unused-ignore]
        ExplainableBoostingRegressor,
    )

    model = ExplainableBoostingRegressor(random_state=split.seed, n_jobs=setting.threads)
    model.fit(split.x_train, split.y_train)
    return Outcome(np.asarray(model.predict(split.x_test)), 1)


# A smooth for every column with more than ten values, a line for the others, weights by REML. The time is R's own for
# the fit and the predictions, without its start.
_MGCV = """
suppressPackageStartupMessages(library(mgcv))
train <- read.csv("train.csv"); test <- read.csv("test.csv")
columns <- setdiff(names(train), "y")
distinct <- sapply(train[columns], function(v) length(unique(v)))
columns <- columns[distinct > 1]; distinct <- distinct[distinct > 1]
terms <- ifelse(distinct > 10, paste0("s(", columns, ", k = 10)"), columns)
formula <- as.formula(paste("y ~", if (length(terms)) paste(terms, collapse = " + ") else "1"))
start <- proc.time()[["elapsed"]]
model <- gam(formula, data = train, method = "REML")
predicted <- as.numeric(predict(model, test))
seconds <- proc.time()[["elapsed"]] - start
write.csv(data.frame(p = predicted), "predicted.csv", row.names = FALSE)
cat(seconds)
"""


def _without_last_dummies(names: list[str], categories: tuple[str, ...]) -> list[int]:
    """Drops one dummy per category: all dummies add up to one, and R needs independent columns."""
    last = {
        category: max((i for i, name in enumerate(names) if name.startswith(category + "=")), default=-1)
        for category in categories
    }
    return [i for i in range(len(names)) if i not in last.values()]


def _write_rows(path: Path, x: Floats, y: Floats) -> None:
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([*(f"x{j}" for j in range(x.shape[1])), "y"])
        writer.writerows([*map(repr, map(float, row)), repr(float(value))] for row, value in zip(x, y, strict=True))


def mgcv(split: Split, _: Setting) -> Outcome:
    """R's generalised additive models."""
    keep = _without_last_dummies(split.names, split.categories)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _write_rows(folder / "train.csv", split.x_train[:, keep], split.y_train)
        _write_rows(folder / "test.csv", split.x_test[:, keep], split.y_test)
        done = subprocess.run(["Rscript", "-e", _MGCV], cwd=folder, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise RuntimeError("mgcv: " + " ".join(done.stderr.split())[-300:])
        with (folder / "predicted.csv").open() as file:
            predictions = np.array([float(row["p"]) for row in csv.DictReader(file)])
    return Outcome(predictions, 1, seconds=float(done.stdout))
