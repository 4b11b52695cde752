"""The parameters of an estimator, kept with its model."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from ._engine import Model

_NAME = "python.parameters"


def keep(estimator: Any, model: Model) -> None:
    """Store the parameters that are not the defaults. Without any, a file has the bytes of one of the command."""
    defaults = type(estimator)().get_params()
    changed = {}
    for name, value in estimator.get_params().items():
        if _as_json(value) != _as_json(defaults[name]):
            changed[name] = _plain(value)
    if changed:
        model.attach(_NAME, json.dumps(changed, default=repr))


def kept(model: Model) -> dict[str, Any]:
    """The parameters that `keep` stored; pairs are lists of lists there."""
    text = model.attached(_NAME)
    found: dict[str, Any] = {name: _restored(value) for name, value in json.loads(text).items()} if text else {}
    if isinstance(found.get("pairs"), list):
        found["pairs"] = [tuple(pair) for pair in found["pairs"]]
    return found


def _as_json(value: Any) -> str:
    return json.dumps(_plain(value), default=repr)


def _plain(value: Any) -> Any:
    """As JSON can hold it."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, dict):
        return {"items": [[_plain(key), _plain(item)] for key, item in value.items()]}  # keys may be numbers
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return value


def _restored(value: Any) -> Any:
    """What `_plain` made JSON of. Tuples stay lists."""
    if isinstance(value, dict):
        return {_restored(key): _restored(item) for key, item in value["items"]}
    if isinstance(value, list):
        return [_restored(item) for item in value]
    return value
