"""What runs on Spark's executors: functions over Arrow batches.

They live apart from ``kore.spark`` so that an executor needs neither Java on its path nor a session to import them.
An outcome travels as parcels, rows of a table with a part of its bytes each, because Spark keeps a row in one piece in
several buffers at once.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from ._columns import Columns
from ._engine import Model
from ._partitions import Outcome, blocks_of, merge_level, predicted, run_partition

PARCEL_BYTES = 16 * 2**20
PARCEL = pa.schema(
    [
        ("place", pa.int32()),
        ("piece", pa.int32()),
        ("failure", pa.string()),
        ("rows", pa.int64()),
        ("dropped", pa.int64()),
        ("native_seconds", pa.float64()),
        ("reading_seconds", pa.float64()),
        ("partitions", pa.int64()),
        ("kept_bytes", pa.int64()),
        ("content", pa.binary()),
    ]
)
PARCEL_OF_SPARK = (
    "place int, piece int, failure string, rows long, dropped long, "
    "native_seconds double, reading_seconds double, partitions long, kept_bytes long, content binary"
)
BLOCK = pa.schema([("place", pa.int32()), ("piece", pa.int32()), ("block", pa.binary())])
BLOCK_OF_SPARK = "place int, piece int, block binary"
Batches = Iterator[pa.RecordBatch]


def pack(batches: Batches) -> Batches:
    """For ``mapInArrow``: rows to blocks of rows, each one binary value, with its place in the table. Spark turns a
    table into Arrow value by value, which takes longer than most passes; what is packed once, later passes get as it
    is."""
    place = _partition()
    for piece, table in enumerate(blocks_of(batches)):
        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, table.schema) as stream:
            stream.write_table(table)
        yield _row(BLOCK, [place, piece, sink.getvalue().to_pybytes()])


def unpack(batches: Batches, sizes: list[int]) -> Iterator[pa.Table]:
    """The rows of blocks, and how many bytes each of these takes."""
    for batch in batches:
        for block in batch.column("block"):
            sizes.append(block.as_buffer().size)
            yield pa.ipc.open_stream(block.as_buffer()).read_all()


def partition_runner(task: Any, columns: Columns, threads: int, packed: bool) -> Callable[[Batches], Batches]:
    """For ``mapInArrow``: the rows of a partition to the parcels of its outcome. They have these columns in order,
    under any names; `task` is a broadcast."""

    def run(batches: Batches) -> Batches:
        sizes: list[int] = []
        try:
            tables = unpack(batches, sizes) if packed else blocks_of(batches)
            named = (table.rename_columns(columns.all) for table in tables)
            outcome = run_partition(task.value, named, columns, threads)
            outcome.kept_bytes = sum(sizes)
        except (ValueError, TypeError) as error:
            # The rows are at fault, and trying again would not help. So the message is returned as an outcome.
            outcome = Outcome(failure=str(error))
        yield from parcels_of(_partition(), outcome)

    return run


def merger(task: Any, fan_in: int) -> Callable[[Batches], Batches]:
    """For ``mapInArrow``: the parcels of neighbours, by rising places, to those of one outcome each; other groups that
    happen to be in the same partition wait until it is done. `task` is a broadcast."""

    def merge(batches: Batches) -> Batches:
        rows = (row for batch in batches for row in batch.to_pylist())
        for _, group in itertools.groupby(rows, key=lambda row: row["place"] // fan_in):
            for place, outcome in merge_level(task.value, outcomes_of(group), fan_in).items():
                yield from parcels_of(place, outcome)

    return merge


@dataclass(frozen=True)
class Carried:
    """Bytes that are part of a function, in place of a broadcast."""

    value: bytes


def predictor(
    model: Any, places: Mapping[str, int], exposure: int | None, level: float | None, threads: int
) -> Callable[[Batches], Batches]:
    """For ``mapInArrow``: batches with their predictions as further columns. `model` has its bytes as ``value``,
    be it carried or a broadcast; `places` says where its features are, and `exposure` where exposures are."""

    def predict(batches: Batches) -> Batches:
        fitted = Model.from_bytes(model.value)
        for batch in batches:
            features = pa.Table.from_batches([batch.select(list(places.values()))]).rename_columns(list(places))
            over = None if exposure is None else batch.column(exposure).to_numpy(zero_copy_only=False)
            added = [pa.array(values) for values in predicted(fitted, features, over, level, threads)]
            names = [*batch.schema.names, *(f"added{place}" for place in range(len(added)))]
            yield pa.RecordBatch.from_arrays([*batch.columns, *added], names)

    return predict


def parcels_of(place: int, outcome: Outcome) -> Batches:
    """An outcome as rows. The first row also has everything except the result."""
    starts = range(0, max(1, len(outcome.result)), PARCEL_BYTES)
    for piece, start in enumerate(starts):
        first = outcome if piece == 0 else Outcome()
        values = [
            place,
            piece,
            first.failure,
            first.rows,
            first.dropped,
            first.native_seconds,
            first.reading_seconds,
            first.partitions,
            first.kept_bytes,
            outcome.result[start : start + PARCEL_BYTES],
        ]
        yield _row(PARCEL, values)


def outcomes_of(parcels: Iterable[Any]) -> dict[int, Outcome]:
    """Outcomes by their places, from their parcels in any order."""
    pieces: dict[int, dict[int, Any]] = {}
    for parcel in parcels:
        pieces.setdefault(parcel["place"], {})[parcel["piece"]] = parcel
    outcomes = {}
    for place, parts in pieces.items():
        first = parts[0]
        outcomes[place] = Outcome(
            b"".join(parts[piece]["content"] for piece in sorted(parts)),
            first["failure"],
            first["rows"],
            first["dropped"],
            first["native_seconds"],
            first["reading_seconds"],
            first["partitions"],
            first["kept_bytes"],
        )
    return outcomes


def _row(schema: pa.Schema, values: Sequence[Any]) -> pa.RecordBatch:
    return pa.RecordBatch.from_arrays(
        [pa.array([value], type=part.type) for value, part in zip(values, schema, strict=True)], schema=schema
    )


def _partition() -> int:
    """The number of the partition that this task works on."""
    from pyspark import TaskContext

    context = TaskContext.get()
    assert context is not None
    return context.partitionId()
