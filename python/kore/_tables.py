"""Convert tables of Python libraries to the engine's columns, without copying where that is possible.

Nothing is encoded here: texts, categories and gaps are handed on as they are, and the engine treats them as
the command does.
"""

from __future__ import annotations

import datetime
import math
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_array

from ._engine import Frame

SECONDS_PER_DAY = 86400.0

# Libraries whose DataFrames look like local tables but are not, and how to get a local one.
ELSEWHERE = {
    "pyspark": ("Spark", "kore.spark", "df.toPandas() or df.toArrow()"),
    "dask": ("Dask", "kore.dask", "df.compute()"),
    "dask_expr": ("Dask", "kore.dask", "df.compute()"),
}


def is_pandas(table: Any) -> bool:
    """Whether this is a DataFrame of pandas. (It cannot be one if pandas has not been imported.)"""
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(table, pandas.DataFrame)


def is_table(table: Any) -> bool:
    """Whether X is a table whose columns have their own types, and not an array. Tables on a cluster are refused,
    because reading one would bring all of its rows to this machine."""
    library = type(table).__module__.partition(".")[0]
    if library == "polars" and type(table).__name__ == "LazyFrame":
        raise TypeError("X is a LazyFrame of polars, which has no rows yet. Give X.collect(), which makes them.")
    cluster = ELSEWHERE.get(library)
    if cluster is not None and type(table).__name__ == "DataFrame":
        name, adapter, local = cluster
        raise TypeError(
            f"X is a DataFrame of {name}, whose rows are elsewhere: {adapter}.fit learns from it and "
            f"{adapter}.transform predicts there. For a local table take {local}."
        )
    if type(table).__name__ == "LazyFrame":
        raise TypeError("X is a LazyFrame, whose rows have not been computed: give X.collect().")
    return is_pandas(table) or hasattr(table, "__arrow_c_stream__")


def is_plain_matrix(array: Any, columns: int) -> bool:
    """Whether this is an array as scikit-learn's checks would hand it on: doubles in so many columns. Its checks take
    longer than predicting a row."""
    return (
        type(array) is np.ndarray
        and array.dtype == np.float64
        and array.ndim == 2
        and array.shape[1] == columns
        and array.shape[0] > 0
    )


def library_of(table: Any) -> str:
    """The library that a table belongs to, so that results can be tables of the same library."""
    name = type(table).__module__.partition(".")[0]
    return name if name in ("pandas", "polars", "pyarrow") else "numpy"


def describe(table: Any) -> str:
    """Where the rows came from, as it appears in a sentence."""
    names = {"pandas": "a pandas DataFrame", "polars": "a polars DataFrame", "pyarrow": "an Arrow table"}
    return names.get(library_of(table), "a table" if is_table(table) else "an array")


def with_column_reordered(table: Any, place: int, name: str, order: npt.NDArray[np.intp]) -> Any:
    """A copy of a table or array with the rows of one column in another order. A table has it by name, or by its place
    where it has not that name."""
    if not is_table(table):
        array = np.array(table)
        array[:, place] = array[order, place]
        return array
    names = [str(column) for column in getattr(table, "column_names", table.columns)]
    at = names.index(name) if name in names else place
    if is_pandas(table):
        values = table.iloc[order, at]
        return table.assign(**{table.columns[at]: values.set_axis(table.index)})
    if library_of(table) == "polars":
        return table.with_columns(table[names[at]][order])
    if library_of(table) == "pyarrow":
        return table.set_column(at, names[at], table.column(at).take(order))
    raise ValueError("Columns of this table cannot be shuffled: give an array or a table of pandas, polars or pyarrow.")


def default_names(count: int) -> list[str]:
    return [f"x{j}" for j in range(count)]


def frame_of_table(table: Any) -> Frame:
    """A table with types of its own."""
    if not is_pandas(table):
        return Frame.from_stream(table)
    if table.columns.nlevels > 1:
        raise ValueError(
            "The columns of X have names in several levels (a MultiIndex). Give each column one name, for example by "
            "X.columns = ['_'.join(map(str, name)) for name in X.columns]."
        )
    frame = Frame()
    names = [str(name) for name in table.columns]
    if not all(isinstance(name, str) for name in table.columns):
        names = default_names(len(names))
    for place, name in enumerate(names):
        _add_series(frame, name, table.iloc[:, place])
    return frame


def frame_of_array(array: npt.NDArray[Any], names: list[str]) -> Frame:
    """An array of two dimensions; all kinds but numbers are read column by column."""
    frame = Frame()
    if array.dtype.kind in "iuf":
        frame.add_matrix(names, _as_doubles(array))
        return frame
    for place, name in enumerate(names):
        _add_array(frame, name, array[:, place])
    return frame


def frame_of_column(name: str, values: Any) -> Frame:
    """One column, from a Series or an array-like of numbers, texts, dates or tuples of these."""
    frame = Frame()
    # A Series of pandas whose type is not one of NumPy's.
    if hasattr(values, "iloc") and not isinstance(values.dtype, np.dtype):
        _add_series(frame, name, values)
        return frame
    column = np.asarray(values if hasattr(values, "__array__") else _objects(values))
    if column.ndim != 1:
        raise ValueError(f"{name} must have one dimension, got an array of shape {column.shape}.")
    if column.dtype.kind == "O":
        column = _objects([repr(value) if isinstance(value, tuple) else value for value in column])
    _add_array(frame, name, column)
    return frame


def _objects(values: Any) -> npt.NDArray[Any]:
    """Values as they are: NumPy would make texts of numbers beside texts, and columns of tuples."""
    listed = list(values)
    column = np.empty(len(listed), dtype=object)
    column[:] = listed
    return column


def checked_array(array: Any, estimator: Any, least_rows: int) -> npt.NDArray[Any]:
    """An array in two dimensions, or an error with the message of scikit-learn."""
    checked: npt.NDArray[Any] = check_array(
        array, dtype=None, ensure_all_finite=False, ensure_min_samples=least_rows, estimator=estimator, input_name="X"
    )
    return checked


def _as_doubles(array: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    doubles = np.asarray(array, dtype=np.float64)
    in_place = doubles.flags.aligned and all(stride % doubles.itemsize == 0 for stride in doubles.strides)
    return doubles if in_place else np.array(doubles)


def _days(times: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """Days since 1970, by way of seconds, as the command counts them."""
    micros = times.astype("datetime64[us]")
    days = micros.view(np.int64) / 1e6 / SECONDS_PER_DAY
    days[np.isnat(micros)] = np.nan
    return days


def _add_array(frame: Frame, name: str, column: npt.NDArray[Any]) -> None:
    kind = column.dtype.kind
    if kind in "iuf":
        frame.add_numbers(name, _as_doubles(column))
    elif kind == "b":
        frame.add_numbers(name, _as_doubles(column), "boolean")
    elif kind == "M":
        frame.add_numbers(name, _days(column), "date" if column.dtype == np.dtype("datetime64[D]") else "timestamp")
    elif kind in "OUST":
        _add_objects(frame, name, column.tolist())
    else:
        raise TypeError(
            f"Column '{name}' holds values of type {column.dtype}; the argument must be a string or a number"
        )


def _add_series(frame: Frame, name: str, series: Any) -> None:
    dtype = series.dtype
    if isinstance(dtype, np.dtype):
        _add_array(frame, name, series.to_numpy())
    elif hasattr(dtype, "categories"):
        frame.add_codes(name, series.cat.codes.to_numpy(np.int32), list(dtype.categories))
    elif hasattr(dtype, "tz"):
        _add_array(frame, name, series.dt.tz_convert("UTC").dt.tz_localize(None).to_numpy())
    elif getattr(dtype, "kind", "O") in "biuf" and getattr(dtype, "_is_numeric", False):
        kind = "boolean" if dtype.kind == "b" else "number"
        frame.add_numbers(name, series.to_numpy(dtype=np.float64, na_value=np.nan), kind)
    else:
        _add_objects(frame, name, series.tolist())


def _add_objects(frame: Frame, name: str, values: Sequence[Any]) -> None:
    """A column of Python objects: dates or times where the first value is one, or else numbers or texts."""
    if not isinstance(next((value for value in values if not _is_missing(value)), None), datetime.date):
        frame.add_objects(name, values)
        return
    times = [_time_of(name, value) for value in values]
    kind = "timestamp" if any(isinstance(time, datetime.datetime) for time in times) else "date"
    frame.add_numbers(name, _days(np.array(times, dtype="datetime64[us]")), kind)


def _is_missing(value: Any) -> bool:
    if isinstance(value, float):
        return math.isnan(value)
    return value is None or type(value).__name__ in ("NaTType", "NAType")


def _time_of(name: str, value: Any) -> datetime.date | None:
    """A date or a time without a zone, in UTC."""
    if _is_missing(value):
        return None
    if not isinstance(value, datetime.date):
        raise TypeError(
            f"Column '{name}' holds dates and a value of type '{type(value).__name__}'; make it one or the other"
        )
    if isinstance(value, datetime.datetime) and value.tzinfo is not None:
        return value.astimezone(datetime.timezone.utc).replace(tzinfo=None)
    return value
