"""Labels of classes: checked, and as texts in a model file."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.utils.class_weight import compute_sample_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_consistent_length, column_or_1d

from ._checks import Doubles, check_class_weight

Labels = npt.NDArray[Any]


def check_labels(y: Any, rows: int, estimator: str) -> Labels:
    """Labels as a dense vector, none of them missing."""
    if y is None:
        raise ValueError(f"This {estimator} estimator requires y to be passed, but the target y is None.")
    labels: Labels = column_or_1d(y, warn=True)
    check_consistent_length(np.empty(rows), labels)
    if labels.dtype.kind == "O" and any(label is None or label != label for label in labels):
        raise ValueError("Input y contains missing values: every row needs a label.")
    if labels.dtype.kind == "f" and not np.isfinite(labels).all():
        what = "NaN" if np.isnan(labels).any() else "infinity or a value too large for dtype('float64')"
        raise ValueError(f"Input y contains {what}.")
    check_classification_targets(labels)
    return labels


def weights_of_classes(
    class_weight: dict[Any, float] | str | None, classes: Labels, totals: Doubles, estimator: str
) -> Doubles | None:
    """The weight of each class, or None where they have none. `totals` has the sums of their rows' weights. Refuses
    what cannot be told apart: a single class, or one whose rows do not count."""
    if len(classes) < 2:
        raise ValueError(f"{estimator} needs at least two classes, and y has only one class: {shown(classes[0])}.")
    _check_all_count(classes, totals)
    if class_weight is None:
        return None
    by_class = class_weights(class_weight, classes, totals)
    _check_all_count(classes, totals * by_class)
    return by_class


def _check_all_count(classes: Labels, totals: Doubles) -> None:
    if not totals.min() > 0:
        raise ValueError(f"The class {shown(classes[int(totals.argmin())])} has no row with a weight above 0.")


def class_weights(class_weight: dict[Any, float] | str, classes: Labels, totals: Doubles) -> Doubles:
    """The weight of each class. Those that are balanced count rows by their own weights, so that a row of weight two is
    a row given twice."""
    if isinstance(class_weight, str) and class_weight == "balanced":
        return np.asarray(totals.sum() / (len(totals) * totals))
    check_class_weight(class_weight)
    try:
        by_class: Doubles = np.ascontiguousarray(compute_sample_weight(class_weight, classes), dtype=np.float64)
    except ValueError:  # scikit-learn does not say which labels there are
        known = ", ".join(shown(label) for label in classes[:8]) + (", ..." if len(classes) > 8 else "")
        raise ValueError(f"class_weight must have the labels of y, which are {known}; got {class_weight!r}") from None
    return by_class


def totals_of(codes: npt.NDArray[Any], weights: Doubles | None) -> Doubles:
    """The sum of the weights of each class; without weights, its rows."""
    return np.bincount(codes, weights=weights).astype(np.float64)


def row_weights(by_class: Doubles | None, codes: npt.NDArray[Any], weights: Doubles | None) -> Doubles | None:
    """How often rows count, by their own weights and those of their classes."""
    if by_class is None:
        return weights
    rows: Doubles = by_class[codes]
    return rows if weights is None else weights * rows


def shown(label: Any) -> str:
    """A label in a sentence, without the type that NumPy would name."""
    return repr(label.item() if isinstance(label, np.generic) else label)


def text_of(label: Any) -> str:
    """A label as the command writes it."""
    return str(label).lower() if isinstance(label, (bool, np.bool_)) else str(label)


def from_texts(texts: list[str]) -> Labels:
    """The labels of a model file. A file has texts; where all of them are whole numbers, other numbers, or 'false' and
    'true', the labels are those."""
    if all(text in ("false", "true") for text in texts):
        return np.array([text == "true" for text in texts])
    for kind in (int, float):
        try:
            return np.array([kind(text) for text in texts])
        except ValueError:
            continue
    return np.array(texts)
