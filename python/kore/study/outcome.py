"""The result of a method, and its settings."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from .search import Budget
from .tables import Floats


@dataclass(frozen=True)
class Setting:
    """Settings that are the same for all methods of a run."""

    budget: Budget = field(default_factory=Budget)
    threads: int = 1


@dataclass
class Outcome:
    """Predictions of the test rows, and their cost."""

    predictions: Floats
    fits: int
    parameters: dict[str, Any] = field(default_factory=dict)
    used_defaults: bool = False  # no trial of the search was finished
    seconds: float | None = None  # where the method's own time is not that of the call
