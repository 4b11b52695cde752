"""Models from files that Python or the command has written."""

from __future__ import annotations

import json
import os

import numpy as np

from . import _tables
from ._base import KoreRegressor
from ._engine import Model
from ._estimators import KOREAdditiveRegressor, KOREPairwiseRegressor, KORERegressor


def load_as(path: str | os.PathLike[str], *kinds: type[KoreRegressor]) -> KoreRegressor:
    """As :func:`load`, but as an instance of the given class that extends the class :func:`load` would return."""
    local = load(path)
    estimator = next(kind for kind in kinds if issubclass(kind, type(local)))(**local.get_params())
    estimator.__dict__.update(local.__dict__)
    return estimator


def load(path: str | os.PathLike[str]) -> KoreRegressor:
    """An estimator from a model file that ``save`` or ``kore fit -o`` has written.

    It predicts the same bits as the command. A model that was fitted with one structure, by ``structure='additive'`` or
    ``kore fit --structure additive`` as well, is a :class:`KOREAdditiveRegressor` or a :class:`KOREPairwiseRegressor`;
    every other one is a :class:`KORERegressor`. Parameters other than the profile and the loss are not in the file and
    have their defaults.
    """
    model = Model.load(os.fspath(path))
    story = json.loads(model.to_json())
    kinds: dict[str, type[KoreRegressor]] = {"additive": KOREAdditiveRegressor, "pairwise": KOREPairwiseRegressor}
    estimator: KoreRegressor = kinds.get(model.structure, KORERegressor)(profile=story["profile"], loss=story["loss"])
    estimator._model = model
    estimator._rows = None
    estimator._library = "numpy"
    names = model.column_names
    estimator._column_names = names
    estimator.n_features_in_ = len(names)
    if model.origin != "an array" or names != _tables.default_names(len(names)):
        estimator.feature_names_in_ = np.array(names, dtype=object)
    estimator._read_story()
    return estimator
