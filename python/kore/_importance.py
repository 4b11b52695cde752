"""How much each column of a table matters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.metrics import log_loss, mean_gamma_deviance, mean_poisson_deviance, mean_squared_error
from sklearn.utils.validation import check_is_fitted

from . import _checks, _tables
from ._base import KoreEstimator
from ._checks import Doubles
from ._classifier import KOREClassifier
from ._view import in_library

_DEVIANCES = {
    "poisson": mean_poisson_deviance,
    "negative_binomial": mean_poisson_deviance,
    "gamma": mean_gamma_deviance,
}


def importance(model: KoreEstimator, X: Any, y: Any = None, *, repeats: int = 5, seed: int = 0) -> Any:
    """How much each column matters, the most important first: a table with a row for each column.

    ``share`` is the covariance of the column's effects with the sum of all over the rows of ``X``, over its variance;
    interactions count in equal parts for their columns, and shares add up to one. With the targets ``y`` of rows that
    the model has not seen, ``loss_added`` is how much larger their mean loss is if the column is shuffled, on average
    over ``repeats``: the squared error, the log loss of classes, the deviance of counts and amounts.
    ``X`` is an array or a table of pandas, polars or pyarrow, and ``seed`` draws the shuffles.
    """
    check_is_fitted(model)
    repeats = _checks.check_count("repeats", repeats, 1)
    names = model._column_names
    columns: dict[str, Any] = {"feature": names, "share": _shares(model, X)}
    if y is not None:
        columns["loss_added"] = _added_losses(model, X, y, repeats, np.random.default_rng(seed))
    order = np.argsort(-columns["share"], kind="stable")
    ranked = {name: [values[place] for place in order] for name, values in columns.items()}
    return in_library(ranked, getattr(model, "_library", "numpy"))


def _shares(model: KoreEstimator, X: Any) -> Doubles:
    """Over the rows of a table; the mean over the models of several classes."""
    if hasattr(model, "estimators_"):
        return np.asarray(np.mean([_shares(one, X) for one in model.estimators_], axis=0))
    frame = model._read_new_table(X)
    explained = model._explained_columns(frame, False)
    total = np.asarray(explained["sum"])
    spread = float(np.var(total))
    shares = dict.fromkeys(model._column_names, 0.0)
    for features, values in zip(model._model.effect_columns(), list(explained.values())[3:], strict=True):
        covariance = float(np.mean((values - np.mean(values)) * (total - np.mean(total))))
        for name in features:
            shares[name] += covariance / len(features) / spread if spread > 0 else 0.0
    return np.array(list(shares.values()))


def _loss_of(model: KoreEstimator) -> Callable[[Any, Any], float]:
    """The mean loss of the predictions for a table."""
    if isinstance(model, KOREClassifier):
        return lambda X, y: float(log_loss(y, model.predict_proba(X), labels=model.classes_))
    family = model._model.family
    if family == "binomial":
        return lambda X, y: float(log_loss(y, model.predict(X), labels=[0, 1]))
    deviance = _DEVIANCES.get(family, mean_squared_error)
    return lambda X, y: float(deviance(y, model.predict(X)))


def _added_losses(model: KoreEstimator, X: Any, y: Any, repeats: int, random: np.random.Generator) -> Doubles:
    if model._any_model().exposure:
        raise ValueError("Losses of a model of rates depend on exposures: importance has none for y.")
    loss = _loss_of(model)
    before = loss(X, y)
    rows = len(y)
    added = []
    for place, name in enumerate(model._column_names):
        shuffled = [
            loss(_tables.with_column_reordered(X, place, name, random.permutation(rows)), y) for _ in range(repeats)
        ]
        added.append(float(np.mean(shuffled)) - before)
    return np.array(added)
