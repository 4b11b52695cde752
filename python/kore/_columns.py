"""The columns of a table on a cluster: which part each of them plays, and what their rows are to the engine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _labels, _rows
from ._checks import Doubles
from ._engine import Frame, groups_of


@dataclass(frozen=True)
class Columns:
    """The names of the target, the weights, the group, the exposures and the features of a table, and what was counted
    about them before the first pass of the engine."""

    features: tuple[str, ...]
    target: str
    weight: str | None = None
    precision: str | None = None  # in place of the weight
    group: str | None = None
    exposure: str | None = None  # the target is divided by it
    labels: bool = False  # the target has classes instead of numbers

    mean_exposure: float = 1.0
    classes: tuple[Any, ...] = ()
    class_weights: tuple[float, ...] | None = None
    positive: int = 1  # the place of the class that counts as 1, all others as 0

    @property
    def beside(self) -> list[str]:
        """All that are no features."""
        parts = (self.target, self.weight, self.precision, self.group, self.exposure)
        return [name for name in parts if name is not None]

    @property
    def all(self) -> list[str]:
        return [*self.features, *self.beside]


def columns_of(
    names: Sequence[str],
    target: str,
    weight: str | None,
    features: Sequence[str] | str | None,
    precision: str | None = None,
    group: str | None = None,
    exposure: str | None = None,
    labels: bool = False,
) -> Columns:
    """Choose the columns; without `features`, all that have no other part."""
    _check_name("target", target)
    beside = {"weight": weight, "precision": precision, "group": group, "exposure": exposure}
    for parameter, name in beside.items():
        if name is not None:
            _check_name(parameter, name)
    if weight is not None and precision is not None:
        raise ValueError(
            "weight and precision cannot both be given: weights count rows, and of precisions only the ratios matter."
        )
    if features is None:
        taken = [name for name in names if name not in (target, *beside.values())]
        if not taken:
            raise ValueError(
                "The table has no column beside the target and the weight: there is nothing to learn from."
            )
    else:
        taken = [features] if isinstance(features, str) else list(features)
        if not taken:
            raise ValueError("features is an empty list: name the columns to learn from, or leave it out for all.")
    columns = Columns(tuple(taken), target, weight, precision, group, exposure, labels)
    for name in columns.all:
        _check_name("features", name)
        if name not in names:
            raise ValueError(f"There is no column {name!r} in the table. It has: {', '.join(names)}.")
        if list(names).count(name) > 1:
            raise ValueError(f"There are two columns '{name}' in the table. Names must differ.")
        if columns.all.count(name) > 1:
            raise ValueError(
                f"Column {name!r} has two parts to play: it can be a feature, the target, the weight, the exposure or "
                "the group."
            )
    return columns


def _check_name(parameter: str, name: Any) -> None:
    if not isinstance(name, str):
        kind = f"{type(name).__module__}.{type(name).__name__}".removeprefix("builtins.")
        raise TypeError(f"{parameter} takes names of columns, which are texts; got a value of type {kind}.")


def has_target(table: Any, columns: Columns) -> npt.NDArray[np.bool_]:
    """Which rows have a value in the target."""
    if not columns.labels:
        return ~np.isnan(doubles(table, columns.target))
    missing = labels_of(table, columns.target).is_null(nan_is_null=True)
    return ~np.asarray(missing.to_numpy(zero_copy_only=False), dtype=bool)


def target_and_weights(table: Any, columns: Columns) -> tuple[Doubles, Doubles | None]:
    """The target of rows that have one, as numbers, and how much each row counts; None where all count alike."""
    weights = weights_of(table, columns)
    if columns.labels:
        codes = _class_codes(table, columns)
        target: Doubles = np.ascontiguousarray(codes == columns.positive, dtype=np.float64)
        by_class = None if columns.class_weights is None else np.array(columns.class_weights)
        return target, _labels.row_weights(by_class, codes, weights)
    target = doubles(table, columns.target)
    if columns.exposure is None:
        return target, weights
    rates = _rows.Rates.over(target, doubles(table, columns.exposure), weights, columns.mean_exposure)
    return rates.target, rates.weights


def weights_of(table: Any, columns: Columns) -> Doubles | None:
    """The column of weights or precisions."""
    part, name = ("weight", columns.weight) if columns.precision is None else ("precision", columns.precision)
    if name is None:
        return None
    weights = doubles(table, name)
    if np.isnan(weights).any():
        raise ValueError(f"The {part}s '{name}' have no value in some rows. Give every row a {part}; 0 leaves it out.")
    return weights


def groups_of_rows(table: Any, columns: Columns) -> Doubles | None:
    if columns.group is None:
        return None
    groups = groups_of(Frame.from_stream(table.select([columns.group])))
    missing = int(np.count_nonzero(np.isnan(groups)))
    if missing:
        raise ValueError(
            f"The group '{columns.group}' has no value in {missing} rows of a part of the table. Give every row one."
        )
    return groups


def doubles(table: Any, name: str) -> Doubles:
    """A column of numbers of any type; null is NaN."""
    import pyarrow as pa

    column = table.column(name)
    try:
        numbers = column.cast("float64", safe=False)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        raise ValueError(
            f"Column '{name}' is of type {column.type} and has values that are no numbers; target and weight must be "
            "numbers (labels are for KOREClassifier)."
        ) from None
    return np.ascontiguousarray(numbers.to_numpy(), dtype=np.float64)


def labels_of(table: Any, name: str) -> Any:
    """A column of labels as one array: texts, booleans or numbers."""
    import pyarrow as pa

    column = pa.concat_arrays(table.column(name).unify_dictionaries().chunks or [pa.nulls(0)])
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if pa.types.is_decimal(column.type):
        return column.cast("float64")
    kinds = (
        *(pa.types.is_boolean, pa.types.is_integer, pa.types.is_floating, pa.types.is_null),
        *(pa.types.is_string, pa.types.is_large_string),
    )
    if not any(is_kind(column.type) for is_kind in kinds):
        raise ValueError(f"Column '{name}' is of type {column.type}; labels are texts, numbers or booleans.")
    return column


def _class_codes(table: Any, columns: Columns) -> npt.NDArray[np.int64]:
    """The place of each row's label among the classes."""
    import pyarrow as pa
    import pyarrow.compute as pc

    classes = pa.array(columns.classes)
    labels = labels_of(table, columns.target)
    try:
        codes = pc.index_in(labels.cast(classes.type), value_set=classes)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        codes = pa.nulls(len(labels))
    if codes.null_count > 0:
        raise ValueError(
            f"The target '{columns.target}' has labels that it did not have when it was read first. The table is read "
            "several times and must be the same every time."
        )
    return np.asarray(codes.to_numpy(), dtype=np.int64)
