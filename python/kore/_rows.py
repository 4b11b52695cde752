"""The rows of a fit as the engine sees them, and counts over exposures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils.validation import column_or_1d

from ._checks import Doubles, check_one_for_each_row
from ._engine import Model, Training


@dataclass(frozen=True)
class FittedRows:
    """Rows that a model was fitted to. Targets are rates where there are exposures."""

    training: Training
    target: Doubles
    weights: Doubles | None
    exposure: Doubles | None = None
    fingerprint: int = 0

    @classmethod
    def of(
        cls, training: Training, target: Doubles, weights: Doubles | None, exposure: Doubles | None = None
    ) -> FittedRows:
        """Rows as they are now: table, target and weights are not copied, and a later change of them is noticed.
        Exposures are copied, because the fingerprint does not have them: the target is a rate already."""
        own = None if exposure is None else exposure.copy()
        return cls(training, target, weights, own, training.fingerprint(target, weights))

    def check_unchanged(self) -> None:
        if self.training.fingerprint(self.target, self.weights) != self.fingerprint:
            raise ValueError(
                "The arrays that were given to fit have been changed since, so that they are not the rows of the model "
                "any more: fit again, or give fit a copy."
            )

    def loo_residuals(self, model: Model, threads: int) -> Doubles:
        """In units of what the user gave: counts, where rates were fitted."""
        self.check_unchanged()
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
        return cls.over(counts, exposure, weights, mean_exposure(float(rows @ exposure), float(rows.sum())))

    @classmethod
    def over(cls, counts: Doubles, exposure: Doubles, weights: Doubles | None, mean: float) -> Rates:
        """Of rows that are a part of a table with this mean exposure."""
        counted = exposure if weights is None else weights * exposure
        return cls(counts / exposure, counted / mean, 1 / mean)


def mean_exposure(weighted_sum: float, weight_sum: float) -> float:
    """Without any weight, the engine refuses the rows."""
    return weighted_sum / weight_sum if weight_sum > 0 else 1.0


def check_exposure(exposure: Any, rows: int) -> Doubles:
    """Exposures as a dense vector of positive numbers."""
    checked: Doubles = np.ascontiguousarray(column_or_1d(exposure, dtype=np.float64))
    check_one_for_each_row("exposure", checked, rows)
    check_finite(checked)
    if rows > 0:
        check_least(float(checked.min()))
    return checked


def check_finite(exposure: Doubles) -> Doubles:
    if not np.isfinite(exposure).all():
        raise ValueError("Input exposure contains NaN or infinity.")
    return exposure


def check_least(exposure: float) -> None:
    """Refuse the smallest exposure of a table where it is not positive."""
    if not exposure > 0:
        raise ValueError(
            f"exposure must be above 0 in every row, and its smallest value is {exposure:g}. Leave rows without "
            "exposure out."
        )


def check_intervals(model: Model, has_exposure: bool) -> None:
    """Refuse intervals that a model cannot have."""
    if model.family == "binomial":
        raise ValueError("A target that is yes or no has no interval: the prediction is its probability.")
    if model.exposure and not has_exposure:
        raise ValueError("Intervals of a model of rates need the exposures: how far a count varies depends on it.")


def check_known_exposure(model: Model) -> None:
    if not model.exposure:
        raise ValueError("The model was fitted without exposures, so predictions have none either.")


def column_name(column: Any, otherwise: str) -> str:
    name = getattr(column, "name", None)
    return name if isinstance(name, str) and name else otherwise
