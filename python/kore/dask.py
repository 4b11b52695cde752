"""The estimators on Dask: a Dask DataFrame, or delayed partitions, in; the model of the local package out.

    import kore.dask

    model = kore.dask.fit(ddf, target="price")

A second, small adapter over what ``kore.spark`` uses too. Needs Dask (``pip install 'kore[dask]'``).
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _checks, _classifier, _cluster_fits, _columns, _counts, _estimators, _load, _partitions
from ._base import KoreEstimator
from ._engine import Frame, Model
from ._regressor import KoreRegressor
from ._tables import is_pandas, is_table

try:
    import pyarrow as pa
    from dask.delayed import Delayed, delayed
except ModuleNotFoundError as missing:
    name = str(missing.name).partition(".")[0]
    raise ImportError(
        f"kore.dask needs {name}, which is not installed: pip install 'kore[dask]'. The rest of kore works without."
    ) from None

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = [
    "KOREAdditiveRegressor",
    "KOREClassifier",
    "KOREPairwiseRegressor",
    "KORERegressor",
    "fit",
    "load",
    "transform",
]


LOCAL_TABLES = "the estimators of kore itself fit local tables and predict them."


class DaskEstimator(KoreEstimator):
    """An estimator that is fitted to Dask's partitions. The result is a model like any other."""

    _why_no_rows = _cluster_fits.WHY_NO_ROWS

    dropped_rows_: int
    passes_: list[dict[str, Any]]

    def transform(
        self, ddf: Any, prediction: str = "prediction", interval: float | None = None, *, exposure: str | None = None
    ) -> Any:
        """The Dask DataFrame with its predictions; see :func:`transform`."""
        return transform(self, ddf, prediction, interval, exposure=exposure)

    def _fit_parts(self, ddf: Any, *choice: Any, **named: Any) -> None:
        """Fit to partitions, with the columns that :func:`columns_of` makes of the arguments."""
        parts = _delayed_parts(ddf)
        meta = _beginning(ddf._meta) if hasattr(ddf, "_meta") else delayed(_beginning)(parts[0]).compute()
        columns = _columns.columns_of(meta.column_names, *choice, **named)
        rows = DaskRows(parts, columns, Frame.from_stream(meta.select(list(columns.features))))
        _cluster_fits.fit_partitions(self, rows, "a Dask DataFrame", lambda columns: None)
        self.passes_ = [vars(record) for record in rows.passes.records]
        self.dropped_rows_ = rows.passes.records[0].dropped


class DaskFit(DaskEstimator, KoreRegressor):
    """A regressor that is fitted to Dask's partitions."""

    @_checks.all_or_nothing
    def fit(  # type: ignore[override]  # names of columns, where a local fit takes arrays
        self,
        ddf: Any,
        target: str,
        weight: str | None = None,
        features: Sequence[str] | str | None = None,
        *,
        precision: str | None = None,
        group: str | None = None,
        exposure: str | None = None,
    ) -> Self:
        """Fit to the rows of partitions, which are computed several times and must be the same every time.

        Parameters
        ----------
        ddf : DataFrame of Dask, or delayed tables of pandas, polars or pyarrow, one or a list; ``persist`` costly ones
        target : the column to predict; rows without a value in it are left out and counted in ``dropped_rows_``
        weight : a column of weights, optional
        features : the columns to learn from, optional; all others by default
        precision : a column of precisions in place of weights, optional: only their ratios matter
        group : a column that tells groups of rows apart, optional
            Whole groups are left out, so that errors and intervals are those for new groups. No feature.
        exposure : a column that counts are divided by, optional, with ``family='poisson'``
        """
        self._fit_parts(ddf, target, weight, features, precision, group, exposure)
        return self


class KORERegressor(DaskFit, _estimators.KORERegressor):
    __doc__ = _estimators.KORERegressor.__doc__


class KOREAdditiveRegressor(DaskFit, _estimators.KOREAdditiveRegressor):
    __doc__ = _estimators.KOREAdditiveRegressor.__doc__


class KOREPairwiseRegressor(DaskFit, _estimators.KOREPairwiseRegressor):
    __doc__ = _estimators.KOREPairwiseRegressor.__doc__


class KOREClassifier(DaskEstimator, _classifier.KOREClassifier):
    __doc__ = _classifier.KOREClassifier.__doc__

    @_checks.all_or_nothing
    def fit(  # type: ignore[override]  # names of columns, where a local fit takes arrays
        self,
        ddf: Any,
        target: str,
        weight: str | None = None,
        features: Sequence[str] | str | None = None,
        *,
        group: str | None = None,
    ) -> Self:
        """Fit to the rows of partitions; parameters as in :class:`KORERegressor`.

        The target has labels: texts, booleans or numbers. They are counted in one more pass.
        """
        self._fit_parts(ddf, target, weight, features, group=group, labels=True)
        return self


def fit(
    ddf: Any,
    target: str,
    weight: str | None = None,
    features: Sequence[str] | str | None = None,
    *,
    precision: str | None = None,
    group: str | None = None,
    exposure: str | None = None,
    **parameters: Any,
) -> KORERegressor:
    """Fit a :class:`KORERegressor` with the given parameters to Dask's partitions; see its ``fit``."""
    return KORERegressor(**parameters).fit(
        ddf, target, weight, features, precision=precision, group=group, exposure=exposure
    )


def load(path: str | os.PathLike[str]) -> DaskEstimator:
    """A model from a file, as :func:`kore.load` reads it, with ``transform``."""
    kinds = (KORERegressor, KOREAdditiveRegressor, KOREPairwiseRegressor, KOREClassifier)
    loaded: DaskEstimator = _load.load_as(path, *kinds)
    return loaded


def transform(
    model: KoreEstimator,
    ddf: Any,
    prediction: str = "prediction",
    interval: float | None = None,
    *,
    exposure: str | None = None,
) -> Any:
    """The Dask DataFrame ``ddf`` with the predictions of any fitted or loaded estimator beside its own columns.

    The column ``prediction`` has another name where one is given. Predictions are means; of a classifier of two
    classes, the probability of the second. With `interval` also the ends of intervals with that probability, as
    ``prediction_lower`` and ``prediction_upper``. A model of rates predicts counts where `exposure` names a column.
    """
    if not _is_dask(ddf):
        raise TypeError(f"kore.dask.transform works on DataFrames of Dask, got {_kind_of(ddf)}; {LOCAL_TABLES}")
    given = list(ddf._meta.columns)
    names = _cluster_fits.names_of_predictions(model, given, prediction, interval, exposure)
    # Columns of a wrong type are refused here and not on a worker. Texts may be numbers.
    model._model.predict(Frame.from_stream(_beginning(ddf._meta[model._column_names])), 1)
    meta = ddf._meta.assign(**{name: np.empty(0) for name in names})
    arguments = (model._model.to_bytes(), model._column_names, exposure, names, interval)
    return ddf.map_partitions(_with_predictions, *arguments, meta=meta)


class DaskRows:
    """Runs the engine's passes on the rows of partitions."""

    def __init__(self, parts: Sequence[Any], columns: _columns.Columns, example: Frame) -> None:
        self.parts = parts
        self.columns = columns
        self.example = example
        self.passes = _partitions.Passes()

    def run(self, task: bytes) -> bytes:
        """One pass: the task on every partition, and the results merged by a tree."""
        start = time.perf_counter()
        kind, result_bytes = _counts.described(task)
        fan_in = _partitions.fan_in_of(result_bytes)
        shared = delayed(task)
        merge = delayed(_partitions.merge_outcomes)
        level = [delayed(_run_part)(shared, part, self.columns) for part in self.parts]
        while len(level) > 1:
            level = [merge(shared, level[first : first + fan_in]) for first in range(0, len(level), fan_in)]
        merged: _partitions.Outcome = level[0].compute()
        _partitions.check_rows(merged, self.columns.target)
        self.passes.add(kind, task, merged, time.perf_counter() - start)
        return merged.result


def _delayed_parts(ddf: Any) -> list[Any]:
    if isinstance(ddf, Delayed):  # which seems to have every attribute
        return [ddf]
    if _is_dask(ddf):
        return list(ddf.to_delayed())
    if is_table(ddf) or not isinstance(ddf, Iterable):
        raise TypeError(
            f"kore.dask.fit takes DataFrames of Dask or delayed tables, got {_kind_of(ddf)}; {LOCAL_TABLES}"
        )
    parts = list(ddf)
    if not parts:
        raise ValueError("There are no partitions to fit.")
    return parts


def _is_dask(ddf: Any) -> bool:
    return not isinstance(ddf, Delayed) and hasattr(ddf, "_meta") and is_pandas(ddf._meta)


def _kind_of(ddf: Any) -> str:
    return f"{type(ddf).__module__}.{type(ddf).__name__}"


def _run_part(task: bytes, part: Any, columns: _columns.Columns) -> _partitions.Outcome:
    table = _arrow_of(part)
    for name in columns.all:
        if name not in table.column_names:
            raise ValueError(f"There is no column {name!r} in one of the partitions, while others have it.")
    return _partitions.run_partition(task, [table.select(columns.all)], columns)


def _beginning(part: Any) -> Any:
    """The columns, without rows. A column of unknown type counts as text; whether its texts are numbers is decided
    when all rows have been read."""
    table = _arrow_of(part).slice(0, 0)
    known = [
        pa.field(field.name, pa.string() if pa.types.is_null(field.type) else field.type) for field in table.schema
    ]
    return table.cast(pa.schema(known))


def _arrow_of(part: Any) -> Any:
    if not is_pandas(part):
        return pa.table(part)
    for name in part.columns:
        if not isinstance(name, str):
            raise ValueError(f"Names of columns must be texts, got {name!r}: rename them by df.rename(columns=str).")
    try:
        return pa.Table.from_pandas(part, preserve_index=False)
    except (pa.ArrowInvalid, pa.ArrowTypeError) as error:
        raise ValueError(f"Values of a partition do not go together: {'; '.join(map(str, error.args))}.") from None


def _with_predictions(
    part: Any, model: bytes, features: list[str], exposure: str | None, names: list[str], interval: float | None
) -> Any:
    over = None if exposure is None else part[exposure]
    found = _partitions.predicted(Model.from_bytes(model), _arrow_of(part[features]), over, interval, 1)
    return part.assign(**dict(zip(names, found, strict=True)))
