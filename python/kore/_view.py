"""What a fitted model shows of itself, in text, tables and charts."""

from __future__ import annotations

import html
import os
from typing import TYPE_CHECKING, Any

from sklearn.utils.validation import check_is_fitted

from ._engine import Model

if TYPE_CHECKING:
    from typing_extensions import Self


class ModelView:
    """A fitted estimator as its story, its effects and its file."""

    _model: Model
    _library: str

    def describe(self) -> str:
        """The story of the fit, as the command tells it."""
        check_is_fitted(self)
        return self._model.describe()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Save to a model file, which `kore predict` and the other commands read."""
        check_is_fitted(self)
        self._model.save(os.fspath(path))
