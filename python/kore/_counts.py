"""What a fit on a cluster counts before the engine's first pass: the rows of each label, or the sum of exposures.

A count is a task as those of the engine are: bytes that travel to the partitions, a result of each, and results that
are merged. The engine has 0 and 1 where users have labels, and rates where they have counts and exposures; so these
sums are Python's. A result is a small table of Arrow, as bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _rows
from ._columns import Columns, doubles, labels_of, weights_of
from ._engine import describe_task

if TYPE_CHECKING:
    from ._checks import Doubles

LABELS = b"labels"
EXPOSURES = b"exposures"

# More labels are not sent: a column of so many tells rows apart, and not classes.
MOST_CLASSES = 1000
RESULT_BYTES = 2**16


def is_count(task: bytes) -> bool:
    return task in (LABELS, EXPOSURES)


def described(task: bytes) -> tuple[str, int]:
    """The kind of any task, and about how many bytes its result has at most."""
    if is_count(task):
        return task.decode(), RESULT_BYTES
    told: dict[str, Any] = describe_task(task)
    return str(told["kind"]), int(told["result_bytes"])


def run_count(task: bytes, tables: Iterable[Any], columns: Columns) -> bytes:
    """Count over the rows of tables, all of which have a target."""
    count = _rows_of_labels if task == LABELS else _sums_of_exposures
    return _added(task, [_grouped(task, count(table, columns)) for table in tables if table.num_rows > 0])


def merge_counts(task: bytes, results: Sequence[bytes]) -> bytes:
    """What one count over the rows of all results would have given, but for rounding."""
    return _added(task, [counted(result) for result in results if result])


def counted(result: bytes) -> Any:
    """The table of a result: ``label``, ``rows`` and ``weight``; or ``weight``, ``product`` and ``least``."""
    import pyarrow as pa

    return pa.ipc.open_stream(result).read_all()


def _rows_of_labels(table: Any, columns: Columns) -> Any:
    import pyarrow as pa

    labels = labels_of(table, columns.target)
    return pa.table({"label": labels, "rows": np.ones(len(labels), np.int64), "weight": _weights(table, columns)})


def _sums_of_exposures(table: Any, columns: Columns) -> Any:
    import pyarrow as pa

    assert columns.exposure is not None
    exposures = _rows.check_finite(doubles(table, columns.exposure))
    weights = _weights(table, columns)
    return pa.table({"weight": [weights.sum()], "product": [weights @ exposures], "least": [exposures.min()]})


def _weights(table: Any, columns: Columns) -> Doubles:
    weights = weights_of(table, columns)
    return np.ones(table.num_rows) if weights is None else weights


def _added(task: bytes, tables: Sequence[Any]) -> bytes:
    import pyarrow as pa

    if not tables:
        return b""
    try:
        together = pa.concat_tables(tables, promote_options="permissive")
    except (pa.ArrowInvalid, pa.ArrowTypeError) as error:
        raise ValueError(f"Labels in several parts of the table do not go together: {error}.") from None
    sink = pa.BufferOutputStream()
    added = _grouped(task, together)
    with pa.ipc.new_stream(sink, added.schema) as stream:
        stream.write_table(added)
    return bytes(sink.getvalue().to_pybytes())


def _grouped(task: bytes, table: Any) -> Any:
    """One row for each label, in their order, or one for all."""
    if task == LABELS:
        sums = table.group_by("label").aggregate([("rows", "sum"), ("weight", "sum")])
        named = sums.select(["label", "rows_sum", "weight_sum"]).rename_columns(["label", "rows", "weight"])
        return named.sort_by("label").slice(0, MOST_CLASSES + 1)
    sums = table.group_by([]).aggregate([("weight", "sum"), ("product", "sum"), ("least", "min")])
    return sums.select(["weight_sum", "product_sum", "least_min"]).rename_columns(["weight", "product", "least"])
