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
from sklearn.utils.validation import check_is_fitted

from . import _checks, _estimators, _load, _partitions
from ._engine import Frame, Model, describe_task
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

__all__ = ["KOREAdditiveRegressor", "KOREPairwiseRegressor", "KORERegressor", "fit", "load", "transform"]


LOCAL_TABLES = "the estimators of kore itself fit local tables and predict them."


class DaskFit(KoreRegressor):
    """An estimator that is fitted to Dask's partitions. The result is a model like any other."""

    _why_no_rows = _partitions.WHY_NO_ROWS

    dropped_rows_: int
    passes_: list[dict[str, Any]]

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
        """
        parts = _delayed_parts(ddf)
        meta = _beginning(ddf._meta) if hasattr(ddf, "_meta") else delayed(_beginning)(parts[0]).compute()
        rows = DaskRows(parts, _partitions.columns_of(meta.column_names, target, weight, features, precision, group))
        example = Frame.from_stream(meta.select(list(rows.columns.features)))
        _partitions.fit_partitions(self, rows.run, example, rows.columns, "a Dask DataFrame", lambda columns: None)
        self.passes_ = [vars(record) for record in rows.passes.records]
        self.dropped_rows_ = rows.passes.records[0].dropped
        return self

    def transform(self, ddf: Any, prediction: str = "prediction", interval: float | None = None) -> Any:
        """The Dask DataFrame with its predictions; see :func:`transform`."""
        return transform(self, ddf, prediction, interval)


class KORERegressor(DaskFit, _estimators.KORERegressor):
    __doc__ = _estimators.KORERegressor.__doc__


class KOREAdditiveRegressor(DaskFit, _estimators.KOREAdditiveRegressor):
    __doc__ = _estimators.KOREAdditiveRegressor.__doc__


class KOREPairwiseRegressor(DaskFit, _estimators.KOREPairwiseRegressor):
    __doc__ = _estimators.KOREPairwiseRegressor.__doc__


def fit(
    ddf: Any,
    target: str,
    weight: str | None = None,
    features: Sequence[str] | str | None = None,
    *,
    precision: str | None = None,
    group: str | None = None,
    **parameters: Any,
) -> KORERegressor:
    """Fit a :class:`KORERegressor` with the given parameters to Dask's partitions; see its ``fit``."""
    return KORERegressor(**parameters).fit(ddf, target, weight, features, precision=precision, group=group)


def load(path: str | os.PathLike[str]) -> KoreRegressor:
    """A model from a file, as :func:`kore.load` reads it, with ``transform``."""
    return _load.load_as(path, KORERegressor, KOREAdditiveRegressor, KOREPairwiseRegressor)


def transform(model: KoreRegressor, ddf: Any, prediction: str = "prediction", interval: float | None = None) -> Any:
    """A Dask DataFrame with the predictions of any fitted or loaded estimator beside its own columns; with `interval`
    also the ends of intervals with that probability, as ``prediction_lower`` and ``prediction_upper``."""
    check_is_fitted(model)
    if not _is_dask(ddf):
        raise TypeError(f"kore.dask.transform works on DataFrames of Dask, got {_kind_of(ddf)}; {LOCAL_TABLES}")
    given = list(ddf._meta.columns)
    missing = [name for name in model._column_names if name not in given]
    if missing:
        raise ValueError(f"The DataFrame has no column {missing[0]!r}, which the model was fitted with.")
    names = [prediction]
    if interval is not None:
        model._model.interval_ends(np.empty(0), interval)  # an invalid level is refused here and not on a worker
        names += [f"{prediction}_lower", f"{prediction}_upper"]
    for name in names:
        if name in given:
            raise ValueError(f"The DataFrame has a column {name!r} already; give the predictions another name.")
    # Columns of a wrong type are refused here and not on a worker. Texts may be numbers.
    model._model.predict(Frame.from_stream(_beginning(ddf._meta[model._column_names])), 1)
    meta = ddf._meta.assign(**{name: np.empty(0) for name in names})
    arguments = (model._model.to_bytes(), model._column_names, names, interval)
    return ddf.map_partitions(_with_predictions, *arguments, meta=meta)


class DaskRows:
    """Runs the engine's passes on the rows of partitions."""

    def __init__(self, parts: Sequence[Any], columns: _partitions.Columns) -> None:
        self.parts = parts
        self.columns = columns
        self.passes = _partitions.Passes()

    def run(self, task: bytes) -> bytes:
        """One pass: the task on every partition, and the results merged by a tree."""
        start = time.perf_counter()
        described: dict[str, Any] = describe_task(task)
        fan_in = _partitions.fan_in_of(int(described["result_bytes"]))
        shared = delayed(task)
        merge = delayed(_partitions.merge_outcomes)
        level = [delayed(_run_part)(shared, part, self.columns) for part in self.parts]
        while len(level) > 1:
            level = [merge(shared, level[first : first + fan_in]) for first in range(0, len(level), fan_in)]
        merged: _partitions.Outcome = level[0].compute()
        _partitions.check_rows(merged, self.columns.target)
        self.passes.add(str(described["kind"]), task, merged, time.perf_counter() - start)
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


def _run_part(task: bytes, part: Any, columns: _partitions.Columns) -> _partitions.Outcome:
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


def _with_predictions(part: Any, model: bytes, features: list[str], names: list[str], interval: float | None) -> Any:
    fitted = Model.from_bytes(model)
    frame = Frame.from_stream(_arrow_of(part[features]))
    prediction = np.asarray(fitted.predict(frame, 1)[0])
    ends = () if interval is None else fitted.interval_ends(prediction, interval, fitted.widening(frame))
    return part.assign(**{name: np.asarray(values) for name, values in zip(names, (prediction, *ends), strict=True)})
