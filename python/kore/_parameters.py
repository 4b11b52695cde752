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
    found: dict[str, Any] = json.loads(text) if text else {}
    found = {name: _with_dictionaries(value) for name, value in found.items()}
    if isinstance(found.get("pairs"), list):
        found["pairs"] = [tuple(pair) for pair in found["pairs"]]
    return found


def _with_dictionaries(value: Any) -> Any:
    """Undoes what `_plain` makes of dictionaries, also of those within others."""
    if isinstance(value, dict):
        return {key: _with_dictionaries(item) for key, item in value["items"]}
    return value


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
