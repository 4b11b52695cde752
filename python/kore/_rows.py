"""The rows of a fit as the engine sees them, and counts over exposures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils.validation import check_consistent_length, column_or_1d

from ._checks import Doubles
from ._engine import Model, Training


@dataclass(frozen=True)
class FittedRows:
    """Rows that a model was fitted to. Targets are rates where there are exposures."""

    training: Training
    target: Doubles
    weights: Doubles | None
    exposure: Doubles | None = None

    def loo_residuals(self, model: Model, threads: int) -> Doubles:
        """In units of what the user gave: counts, where rates were fitted."""
        residuals = self.training.loo_residuals(model, self.target, self.weights, threads)
        return residuals if self.exposure is None else residuals * self.exposure


@dataclass(frozen=True)
class Rates:
    """Counts over exposures. The variance of a rate is its mean over its exposure. So rows weigh as much as their
    exposure over the mean exposure, and the ratio of variance to mean is one over the mean exposure."""

    target: Doubles
    weights: Doubles
    dispersion: float

    @classmethod
    def of(cls, counts: Doubles, exposure: Doubles, weights: Doubles | None) -> Rates:
        rows = np.ones(len(counts)) if weights is None else weights
        total = rows.sum()
        mean = float(rows @ exposure / total) if total > 0 else 1.0  # without any weight, the engine refuses the rows
        return cls(counts / exposure, rows * exposure / mean, 1 / mean)


def check_exposure(exposure: Any, rows: int) -> Doubles:
    """Exposures as a dense vector of positive numbers."""
    checked: Doubles = np.ascontiguousarray(column_or_1d(exposure, dtype=np.float64))
    check_consistent_length(np.empty(rows), checked)
    if not np.isfinite(checked).all():
        raise ValueError("Input exposure contains NaN or infinity.")
    if rows > 0 and not checked.min() > 0:
        raise ValueError(
            f"exposure must be above 0 in every row, and its smallest value is {checked.min():g}. Leave rows without "
            "exposure out."
        )
    return checked


def exposure_name(exposure: Any) -> str:
    name = getattr(exposure, "name", None)
    return name if isinstance(name, str) and name else "exposure"
