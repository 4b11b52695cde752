"""Offsets: known parts of the linear predictor, taken out of targets and put back into predictions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils.validation import column_or_1d

from ._checks import Doubles, check_one_for_each_row
from ._engine import OffsetUse

USES = {"normal": OffsetUse.subtracted, "gamma": OffsetUse.divided, "poisson": OffsetUse.exposure}


@dataclass(frozen=True)
class Offset:
    """Offsets of rows, and how the family takes them out of a target. Each way fits the model with the offset exactly:
    numbers lose it, positive amounts are divided by its exponential, and counts are rates over that."""

    values: Doubles
    use: OffsetUse

    @classmethod
    def of(cls, offset: Any, rows: int, family: str) -> Offset:
        if family not in USES:
            raise ValueError(
                f"offset belongs to the families {', '.join(repr(name) for name in USES)}; the family is {family!r}."
            )
        return cls(check_offset(offset, rows), USES[family])

    @property
    def factor(self) -> Doubles | None:
        """What it multiplies the mean by; None where it is added."""
        return None if self.use == OffsetUse.subtracted else np.exp(self.values)

    def taken_out(self, target: Doubles) -> Doubles:
        return target - self.values if self.factor is None else target / self.factor

    def put_back(self, prediction: Doubles) -> Doubles:
        return prediction + self.values if self.factor is None else prediction * self.factor


def check_offset(offset: Any, rows: int) -> Doubles:
    checked: Doubles = np.ascontiguousarray(column_or_1d(offset, dtype=np.float64))
    check_one_for_each_row("offset", checked, rows)
    if not np.isfinite(checked).all():
        raise ValueError("Input offset contains NaN or infinity.")
    return checked
