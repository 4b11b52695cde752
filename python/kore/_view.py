"""A fitted model as text, tables and charts."""

from __future__ import annotations

import html
import importlib
import itertools
import json
import os
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np
from sklearn.utils.validation import check_is_fitted

from . import _checks, _parameters, _tables
from ._chart import Chart
from ._checks import Doubles
from ._engine import Frame, Model

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class ModelView:
    """The methods of an estimator that show or save its model."""

    _model: Model
    _library: str
    _column_names: list[str]
    n_jobs: int | None

    def describe(self) -> str:
        """The summary of the fit, as the command prints it."""
        check_is_fitted(self)
        return self._model.describe()

    def effects(self, points: int = 101, surface_points: int = 41, *, raw: bool = False) -> Any:
        """Every term on a grid, the most important first, as a table of the library that the model was fitted with.

        One row per point: ``term``, ``kind`` ('curve', 'linear', 'levels', 'surface' or 'slices'), ``share`` of the
        variance, the coordinates ``x1``, ``x2``, ... (NaN where a term has fewer), the ``effect``, a deviation from
        the mean, and its 95 % band from ``lower`` to ``upper`` (NaN for triples and in the paper profile, which have
        none). A category's coordinates are the positions of its levels, named in ``level1``, ``level2``, ...
        (only where a model has categories). A triple is shown as surfaces at three values of its
        last feature. Models of arrays give a DataFrame of pandas if it is installed, and a dictionary of arrays
        otherwise.

        A curve has ``points`` points, and a surface ``surface_points`` along each side. Effects are purified: what a
        simpler effect can say, over the training rows, is moved there from interactions. With ``raw=True`` they are the
        terms as they were fitted.
        """
        check_is_fitted(self)
        points = _checks.check_count("points", points, 2)
        surface_points = _checks.check_count("surface_points", surface_points, 2)
        terms = self._model.effects(points, surface_points, raw)
        order = max((len(term["features"]) for term in terms), default=1)
        rows = [len(term["values"]) for term in terms]
        columns: dict[str, Any] = {
            "term": np.repeat([" × ".join(term["features"]) for term in terms], rows),
            "kind": np.repeat([term["kind"] for term in terms], rows),
            "share": np.repeat([term["share"] for term in terms], rows),
        }
        for place in range(order):
            columns[f"x{place + 1}"] = np.concatenate([_coordinate(term, place) for term in terms])
            names = [_level_names(term, place) for term in terms]
            if any(name is not None for name in itertools.chain(*names)):
                columns[f"level{place + 1}"] = list(itertools.chain(*names))
        columns["effect"] = np.concatenate([term["values"] for term in terms])
        columns["lower"] = np.concatenate([term["lower"] for term in terms])
        columns["upper"] = np.concatenate([term["upper"] for term in terms])
        return in_library(columns, self._library)

    def explain(self, X: Any, *, raw: bool = False) -> Any:
        """What each effect adds to the prediction of each row, as a table of the library of the fit.

        One row per row of ``X``: the ``prediction``; the ``sum`` of all terms, which is the prediction itself unless
        the model has a link or another scale of the target (a log odds, a logarithm), or the limits of predictions hold
        it back; the ``constant``, the mean of the sum over the training rows; and a column ``effect of ...`` for each
        effect. Constant and effects add up to the sum. Missing values, unseen levels and rows outside the training
        range are treated as in ``predict``; models with exposures explain rates. ``raw`` is that of ``effects``.
        """
        check_is_fitted(self)
        columns = self._explained_columns(self._read_new_table(X), raw)
        table = in_library(columns, self._library)
        return table.set_axis(X.index) if _tables.is_pandas(X) and _tables.is_pandas(table) else table

    def _explained_columns(self, frame: Frame, raw: bool) -> dict[str, Any]:
        columns, notes = self._model.explain(frame, raw, _checks.threads_of(self.n_jobs))
        for note in notes:
            _checks.warn(note)
        return dict(columns)

    def _read_new_table(self, X: Any) -> Frame:
        raise NotImplementedError

    @property
    def feature_importances_(self) -> Doubles:
        """The share of each column in the variance of the fitted values; they add up to one.

        A share is the covariance of an effect with the fitted values over their variance. Those of interactions count
        in equal parts for their columns. A column that opposes the others may have a negative one.
        """
        check_is_fitted(self)
        shares = dict(self._model.column_shares())
        return np.array([shares.get(name, 0.0) for name in self._column_names])

    @overload
    def plot(self, terms: int = 9, columns: int = 3, *, backend: Literal["vega"] = "vega") -> Chart: ...
    @overload
    def plot(self, terms: int = 9, columns: int = 3, *, backend: Literal["matplotlib"]) -> Figure: ...
    def plot(self, terms: int = 9, columns: int = 3, *, backend: str = "vega") -> Chart | Figure:
        """The most important effects as a chart, which notebooks show and ``save`` writes as a page.

        A feature is shown as a curve, a pair as a coloured surface, and a triple as surfaces of its first two features
        at three values of the third, in the same colours. The chart has at most ``terms`` effects, ``columns`` of them
        side by side. ``backend="matplotlib"`` gives a figure of matplotlib, which
        has to be installed, in place of the chart.
        """
        check_is_fitted(self)
        terms = _checks.check_count("terms", terms, 1)
        columns = _checks.check_count("columns", columns, 1)
        if backend not in ("vega", "matplotlib"):
            raise ValueError(f"backend must be 'vega' or 'matplotlib', got {backend!r}")

        def figure() -> Figure:
            from ._matplotlib import figure_of

            return figure_of(json.loads(self._model.drawn_json(terms)), columns)

        if backend == "matplotlib":
            return figure()
        specification = self._model.chart_json(terms, columns)
        return Chart(specification, self._model.chart_page(terms), self._model.chart_svg(terms, columns), figure)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Save to a model file, which ``kore.load`` and the commands read."""
        check_is_fitted(self)
        _parameters.keep(self, self._model)
        self._model.save(os.fspath(path))

    def _repr_mimebundle_(self, **options: Any) -> dict[str, str]:
        """In a notebook: the parameters as scikit-learn shows them, and below them the summary of the fit."""
        bundle: dict[str, str] = super()._repr_mimebundle_(**options)  # type: ignore[misc]
        if not hasattr(self, "_model"):
            return bundle
        story = self._model.describe()
        bundle["text/plain"] = f"{bundle['text/plain']}\n{story}"
        if "text/html" in bundle:
            bundle["text/html"] += f'<pre style="line-height:1.3">{html.escape(story)}</pre>'
        return bundle


def _coordinate(term: dict[str, Any], place: int) -> Any:
    axes = term["coordinates"]
    return axes[place] if place < len(axes) else np.full(len(term["values"]), np.nan)


def _level_names(term: dict[str, Any], place: int) -> list[str | None]:
    levels = term["levels"]
    names: list[str] | None = levels[place] if place < len(levels) else None
    return [None] * len(term["values"]) if names is None else list(names)


def in_library(columns: dict[str, Any], library: str) -> Any:
    """The columns as a table of the given library."""
    if library == "pyarrow":
        return importlib.import_module("pyarrow").table(columns)
    try:
        return importlib.import_module("polars" if library == "polars" else "pandas").DataFrame(columns)
    except ModuleNotFoundError:
        return columns
