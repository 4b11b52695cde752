"""Models from files that Python or the command has written."""

from __future__ import annotations

import json
import os
from typing import Any

import numpy as np

from . import _labels, _parameters, _tables
from ._classifier import KOREClassifier
from ._engine import Model, holds_classes, load_classes
from ._estimators import KOREAdditiveRegressor, KOREPairwiseRegressor, KORERegressor
from ._regressor import KoreRegressor


def load_as(path: str | os.PathLike[str], *kinds: type[KoreRegressor | KOREClassifier]) -> Any:
    """As :func:`load`, but as an instance of the given class that extends the class :func:`load` would return."""
    local = load(path)
    estimator = next(kind for kind in kinds if issubclass(kind, type(local)))(**local.get_params())
    estimator.__dict__.update(local.__dict__)
    return estimator


def load(path: str | os.PathLike[str]) -> KoreRegressor | KOREClassifier:
    """An estimator from a model file that ``save`` or ``kore fit -o`` has written.

    It predicts the same bits as the command. A model of labels is a :class:`KOREClassifier`; of labels the file has
    the texts, and where these are numbers, or 'false' and 'true', ``classes_`` are those. A model that was fitted with
    one structure, by ``structure='additive'`` or ``kore fit --structure additive`` as well, is a
    :class:`KOREAdditiveRegressor` or a :class:`KOREPairwiseRegressor`; every other one is a :class:`KORERegressor`.
    Its parameters are those that the estimator had when it was saved; a model of the command has its profile, family
    and loss, and defaults otherwise.
    """
    if holds_classes(os.fspath(path)):
        return _of_classes(os.fspath(path))
    return from_model(Model.load(os.fspath(path)))


def from_model(model: Model) -> KoreRegressor | KOREClassifier:
    """An estimator that predicts with a model."""
    estimator = _unfitted(model)
    estimator._model = model
    estimator._rows = None
    estimator._library = "numpy"
    names = model.column_names
    estimator._column_names = names
    estimator.n_features_in_ = len(names)
    if model.origin != "an array" or names != _tables.default_names(len(names)):
        estimator.feature_names_in_ = np.array(names, dtype=object)
    estimator._read_story()
    known = estimator.get_params()
    estimator.set_params(**{name: value for name, value in _parameters.kept(model).items() if name in known})
    return estimator


def _of_classes(path: str) -> KOREClassifier:
    texts, models, joint = load_classes(path)
    classifier = KOREClassifier(structure=models[0].structure or "auto")
    classifier.estimators_ = [_one_class(model) for model in models]
    first = classifier.estimators_[0]
    for name in ("_library", "_column_names", "n_features_in_", "feature_names_in_"):
        if hasattr(first, name):
            setattr(classifier, name, getattr(first, name))
    classifier._rows = None
    classifier.classes_ = _labels.from_texts(texts)
    classifier._join(joint)
    return classifier


def _one_class(model: Model) -> KOREClassifier:
    estimator = from_model(model)
    assert isinstance(estimator, KOREClassifier)  # a file of classes holds binomial models
    estimator.classes_ = np.array([False, True])
    return estimator


def _unfitted(model: Model) -> KoreRegressor | KOREClassifier:
    if model.family == "binomial" and model.target_levels:
        classifier = KOREClassifier(structure=model.structure or "auto")
        classifier.classes_ = _labels.from_texts(model.target_levels)
        return classifier
    story = json.loads(model.to_json())
    kinds: dict[str, type[KoreRegressor]] = {"additive": KOREAdditiveRegressor, "pairwise": KOREPairwiseRegressor}
    loss = story["loss"] if model.family == "normal" else "squared"
    return kinds.get(model.structure, KORERegressor)(profile=story["profile"], family=model.family, loss=loss)
