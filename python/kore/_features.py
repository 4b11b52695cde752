"""The parameter `features`: what single columns are to be."""

from __future__ import annotations

import math
import numbers
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ._checks import check_integer, listed, place_of
from ._engine import ChunkedTraining, DistributedTraining, Training

KINDS = ("category", "linear", "cyclic", "curve")
KEYS = ("kind", "max_resolution", "cyclic")


@dataclass(frozen=True)
class Choice:
    """What is said of one column."""

    kind: str = "curve"
    max_resolution: int | None = None
    period: float | None = None  # None: not cyclic; 0: its values tell the period


def check_features(features: Any, names: list[str]) -> dict[str, Choice]:
    """The choices by the names of columns."""
    if features is None:
        return {}
    if not isinstance(features, Mapping):
        raise ValueError(f"features must be None or a dictionary such as {{'zip': 'category'}}, got {features!r}")
    return {names[place_of(column, names, "features")]: _choice(column, said) for column, said in features.items()}


def categories(features: Any, names: list[str]) -> set[str]:
    """The columns that are categories."""
    return {name for name, choice in check_features(features, names).items() if choice.kind == "category"}


def set_curves(training: Training | ChunkedTraining | DistributedTraining, features: Any, names: list[str]) -> None:
    """Tell the engine what the curves are to be."""
    choices = check_features(features, names)
    training.set_curves(
        [name for name, choice in choices.items() if choice.kind == "linear"],
        [(name, choice.period) for name, choice in choices.items() if choice.period is not None],
        [(name, choice.max_resolution) for name, choice in choices.items() if choice.max_resolution is not None],
    )


def _choice(column: Any, said: Any) -> Choice:
    if isinstance(said, str):
        return _choice(column, {"kind": said})
    if not isinstance(said, Mapping) or not set(said) <= set(KEYS):
        raise ValueError(
            f"features says {said!r} of {column!r}; it may be {listed(list(KINDS))}, or a dictionary with the keys "
            f"{listed(list(KEYS))}"
        )
    kind = said.get("kind", "curve")
    if kind not in KINDS:
        raise ValueError(f"features says {kind!r} of {column!r}; it may be {listed(list(KINDS))}")
    finest = said.get("max_resolution")
    if finest is not None:
        finest = check_integer(f"max_resolution of {column!r}", finest, "max_resolution_additive")
    period = _period(column, said.get("cyclic", kind == "cyclic"))
    if kind == "cyclic" and period is None:
        raise ValueError(f"features says 'cyclic' of {column!r} and cyclic=False beside it; leave one of them out")
    if kind in ("category", "linear") and (finest is not None or period is not None):
        raise ValueError(f"features says {kind!r} of {column!r}, which has no curve with a resolution or a period")
    return Choice(kind, finest, period)


def _period(column: Any, cyclic: Any) -> float | None:
    if isinstance(cyclic, (bool, np.bool_)):
        return 0.0 if cyclic else None
    if isinstance(cyclic, numbers.Real) and 0 < float(cyclic) < math.inf:
        return float(cyclic)
    raise ValueError(f"cyclic of {column!r} must be True, False or a period such as 24, got {cyclic!r}")
