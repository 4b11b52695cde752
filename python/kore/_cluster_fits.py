"""Fits to rows that only tasks can reach, and what their predictions are called: shared by Spark and Dask."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Protocol

import numpy as np
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from . import _checks, _counts, _rows
from ._base import KoreEstimator
from ._checks import Doubles
from ._classifier import KOREClassifier
from ._columns import Columns
from ._engine import DistributedTraining, Frame, Options
from ._regressor import KoreRegressor

WHY_NO_ROWS = (
    "A model that was fitted on a cluster or comes from a file has no rows here to find loo_residuals_ for; loo_ is "
    "their mean square (of families other than the normal one, the mean left-out deviance)."
)


class ClusterRows(Protocol):
    """Rows on a cluster. They are read by the columns as these are when a pass begins."""

    columns: Columns
    example: Frame  # the features, without rows

    def run(self, task: bytes) -> bytes:
        """The merged result of a task on all rows."""


def fit_partitions(
    estimator: KoreEstimator, rows: ClusterRows, origin: str, check_columns: Callable[[int], None]
) -> None:
    """Fit to rows on a cluster. `check_columns` may refuse the largest model before it is begun."""
    names = rows.example.names
    estimator._check_options(names)
    if rows.columns.group is not None and estimator.profile == "paper":
        raise ValueError(
            "profile='paper' chooses by leave-one-out over single rows and cannot leave groups out; the default "
            "profile can."
        )
    estimator._column_names = names
    estimator.n_features_in_ = len(names)
    estimator.feature_names_in_ = np.array(names, dtype=object)
    estimator._rows = None
    if isinstance(estimator, KOREClassifier):
        _fit_labels(estimator, rows, origin, check_columns)
    elif isinstance(estimator, KoreRegressor):
        _fit_numbers(estimator, rows, origin, check_columns)


def _fit_numbers(
    estimator: KoreRegressor, rows: ClusterRows, origin: str, check_columns: Callable[[int], None]
) -> None:
    exposure = rows.columns.exposure
    if exposure is not None:
        estimator._check_exposure_goes(rows.columns.precision)
        rows.columns = replace(rows.columns, mean_exposure=_mean_exposure(rows))
    training = _training(estimator, rows)
    options = estimator._options(training)
    if exposure is not None:
        options.grown.dispersion = 1 / rows.columns.mean_exposure
        training.describe_target([], exposure)
    check_columns(training.columns_at_most(options))
    estimator._finish_fit(training.fit(options, origin, estimator._progress()), None, training.warnings)


def _fit_labels(
    estimator: KOREClassifier, rows: ClusterRows, origin: str, check_columns: Callable[[int], None]
) -> None:
    estimator.__dict__.pop("estimators_", None)
    estimator.classes_, totals = _classes(rows)
    by_class = estimator._class_weights(totals)
    weights = None if by_class is None else tuple(by_class.tolist())
    rows.columns = replace(rows.columns, classes=tuple(estimator.classes_.tolist()), class_weights=weights)
    training = _training(estimator, rows)
    check_columns(training.columns_at_most(estimator._options(training)))

    def fit_one(one: KOREClassifier, options: Options, place: int) -> None:
        rows.columns = replace(rows.columns, positive=place)
        one._take_model(training.fit(options, origin, estimator._progress()), None)

    estimator._fit_classes(training, fit_one)
    estimator._tell(rows.columns.weight is not None, training.warnings)


def _training(estimator: KoreEstimator, rows: ClusterRows) -> DistributedTraining:
    """The table, summarised by the first passes."""
    training = DistributedTraining(
        rows.run,
        rows.example,
        rows.columns.target,
        _checks.check_profile(estimator.profile),
        estimator._categorical_mask(rows.example.names),
        _checks.check_max_levels(estimator.max_levels),
        rows.columns.precision is not None,
    )
    estimator._set_curves(training, rows.example.names)
    return training


def _mean_exposure(rows: ClusterRows) -> float:
    (sums,) = _counts.counted(rows.run(_counts.EXPOSURES)).to_pylist()
    _rows.check_least(sums["least"])
    return _rows.mean_exposure(sums["product"], sums["weight"])


def _classes(rows: ClusterRows) -> tuple[Any, Doubles]:
    """The labels, sorted, and the sum of the weights of the rows of each."""
    found = _counts.counted(rows.run(_counts.LABELS))
    classes = found.column("label").to_numpy()
    # scikit-learn warns where most rows have a label of their own, so that it must see labels that others share twice.
    check_classification_targets(np.repeat(classes, np.minimum(found.column("rows").to_numpy(), 2)))
    if len(classes) > _counts.MOST_CLASSES:
        raise ValueError(
            f"The target '{rows.columns.target}' has more than {_counts.MOST_CLASSES} different values, too many to be "
            "classes."
        )
    order = np.argsort(classes)
    return classes[order], np.asarray(found.column("weight").to_numpy()[order], dtype=np.float64)


def names_of_predictions(
    model: KoreEstimator, given: Sequence[str], prediction: str, interval: float | None, exposure: str | None
) -> list[str]:
    """The columns that predictions add to a table. What cannot be predicted is refused here and not on the cluster."""
    check_is_fitted(model)
    if hasattr(model, "estimators_"):
        raise ValueError(
            f"A classifier of {len(model.estimators_)} classes has as many models: give one of its estimators_."
        )
    missing = [name for name in (*model._column_names, *filter(None, [exposure])) if name not in given]
    if missing:
        which = "is to be the exposure" if missing[0] == exposure else "the model was fitted with"
        raise ValueError(f"The DataFrame has no column {missing[0]!r}, which {which}.")
    if exposure is not None:
        _rows.check_known_exposure(model._model)
    names = [prediction]
    if interval is not None:
        _rows.check_intervals(model._model, exposure is not None)
        model._model.interval_ends(np.empty(0), interval)  # refuses levels that are no probability
        names += [f"{prediction}_lower", f"{prediction}_upper"]
    for name in names:
        if name in given:
            raise ValueError(f"The DataFrame has a column {name!r} already; give the predictions another name.")
    return names
