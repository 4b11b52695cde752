"""What Spark and Dask share: the rows of a partition become a result, and results are merged into one.

The engine describes a pass over the rows as bytes, a task. A cluster runs it on every partition and merges the results
by a tree, in the order of the partitions, so that the same partitions give the same bits at every run. Neither knows
what the other does: nothing here tells one sum of the engine from another, and the engine has never heard of a cluster.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from . import _checks, _counts, _rows
from ._checks import Doubles
from ._columns import Columns, groups_of_rows, has_target, target_and_weights
from ._engine import Frame, Model, merge_results, run_task

if TYPE_CHECKING:
    from ._base import Piece

Timed = TypeVar("Timed")

MOST_MERGED = 8
MERGE_BYTES = 256 * 2**20
BLOCK_ROWS = 65_536
BLOCK_BYTES = 8 * 2**20
# Partitions beyond this number are joined until they have about as many bytes as a block: each costs a cluster some
# hundredths of a second in every pass, however small it is.
MANY_PARTITIONS = 32


@dataclass
class Outcome:
    """The result of a pass on one or several partitions with its cost, or the reason why there is none."""

    result: bytes = b""
    failure: str = ""
    rows: int = 0
    dropped: int = 0
    native_seconds: float = 0.0
    reading_seconds: float = 0.0
    partitions: int = 1
    kept_bytes: int = 0  # of the rows as a cluster keeps them between passes


@dataclass
class PassRecord:
    """What one pass over all rows has cost."""

    kind: str
    partitions: int
    task_bytes: int
    result_bytes: int
    rows: int
    dropped: int
    seconds: float
    native_seconds: float
    reading_seconds: float


@dataclass
class Passes:
    """The passes of a fit, with their times."""

    records: list[PassRecord] = field(default_factory=list)

    def add(self, kind: str, task: bytes, merged: Outcome, seconds: float) -> None:
        self.records.append(
            PassRecord(
                kind,
                merged.partitions,
                len(task),
                len(merged.result),
                merged.rows,
                merged.dropped,
                seconds,
                merged.native_seconds,
                merged.reading_seconds,
            )
        )


def blocks_of(batches: Iterable[Any]) -> Iterator[Any]:
    """Join or split Arrow batches into tables of a size that suits the engine's kernels: at most twice ``BLOCK_BYTES``,
    unless a single row has more."""
    import pyarrow as pa

    held: list[Any] = []
    for piece in itertools.chain.from_iterable(map(_pieces_of_batch, batches)):
        held.append(piece)
        if sum(b.num_rows for b in held) >= BLOCK_ROWS or sum(b.nbytes for b in held) >= BLOCK_BYTES:
            yield pa.Table.from_batches(held).combine_chunks()
            held = []
    if held:
        yield pa.Table.from_batches(held).combine_chunks()


def _pieces_of_batch(batch: Any) -> Iterator[Any]:
    """Halve a batch again and again until no piece is larger than a block."""
    if batch.nbytes <= BLOCK_BYTES or batch.num_rows <= 1:
        yield batch
        return
    half = batch.num_rows // 2
    yield from _pieces_of_batch(batch.slice(0, half))
    yield from _pieces_of_batch(batch.slice(half))


def run_partition(task: bytes, tables: Iterable[Any], columns: Columns, threads: int = 1) -> Outcome:
    """The result of a task for the rows of Arrow tables with the same columns."""
    outcome = Outcome()
    start = time.perf_counter()
    known = _with_target(tables, columns, outcome)
    if _counts.is_count(task):
        outcome.result = _counts.run_count(task, _timed(known, outcome), columns)
    else:
        outcome.result = run_task(task, _timed(_pieces_of(known, columns), outcome), threads)
    outcome.native_seconds = time.perf_counter() - start - outcome.reading_seconds
    return outcome


def levels_of(partitions: int, fan_in: int) -> int:
    """How many times results are merged until one is left."""
    levels = 0
    while partitions > 1:
        partitions = -(-partitions // fan_in)
        levels += 1
    return levels


def fan_in_of(result_bytes: int) -> int:
    """How many results are merged at a time: few where they are large, as all of them are in memory together."""
    return max(2, min(MOST_MERGED, MERGE_BYTES // max(1, result_bytes)))


def check_rows(merged: Outcome, target: str) -> None:
    """Raise an error, with the command's message, where there are no rows to fit."""
    if merged.rows + merged.dropped == 0:
        raise ValueError("There are no rows in the table.")
    if merged.rows == 0:
        raise ValueError(f"The target '{target}' has no value in any row of the table.")
    if merged.rows < _checks.LEAST_ROWS:
        raise ValueError("There is one row with a target in the table, and a fit needs at least two.")


def neighbours_to_join(partitions: int, kept_bytes: int) -> int:
    """How many neighbouring partitions should become one; 1 leaves them as they are. It depends on the partitions
    alone, so that the same partitions give the same bits on any cluster."""
    if partitions <= MANY_PARTITIONS:
        return 1
    return max(1, min(partitions, BLOCK_BYTES * partitions // max(1, kept_bytes)))


def merge_level(task: bytes, outcomes: Mapping[int, Outcome], fan_in: int) -> dict[int, Outcome]:
    """One level of the tree: `fan_in` neighbours become one, in their order."""
    groups: dict[int, list[Outcome]] = {}
    for place in sorted(outcomes):
        groups.setdefault(place // fan_in, []).append(outcomes[place])
    return {group: merge_outcomes(task, members) for group, members in groups.items()}


def merge_outcomes(task: bytes, outcomes: Sequence[Outcome]) -> Outcome:
    """Merge the outcomes of neighbours; if some have failed, return the first failure."""
    failed = next((outcome for outcome in outcomes if outcome.failure), None)
    if failed is not None:
        return failed
    if len(outcomes) == 1:
        return outcomes[0]
    start = time.perf_counter()
    merge = _counts.merge_counts if _counts.is_count(task) else merge_results
    merged = merge(task, [outcome.result for outcome in outcomes])
    seconds = time.perf_counter() - start
    return Outcome(
        merged,
        "",
        sum(outcome.rows for outcome in outcomes),
        sum(outcome.dropped for outcome in outcomes),
        sum(outcome.native_seconds for outcome in outcomes) + seconds,
        sum(outcome.reading_seconds for outcome in outcomes),
        sum(outcome.partitions for outcome in outcomes),
        sum(outcome.kept_bytes for outcome in outcomes),
    )


def _with_target(tables: Iterable[Any], columns: Columns, outcome: Outcome) -> Iterator[Any]:
    """Rows without a target are left out and counted, as in the command."""
    for table in tables:
        known = has_target(table, columns)
        outcome.rows += int(known.sum())
        outcome.dropped += int((~known).sum())
        yield table if known.all() else table.filter(known)


def _pieces_of(tables: Iterable[Any], columns: Columns) -> Iterator[Piece]:
    """Rows as the engine reads them."""
    for table in tables:
        target, weights = target_and_weights(table, columns)
        frame = Frame.from_stream(table.select(list(columns.features)))
        yield frame, target, weights, groups_of_rows(table, columns)


def _timed(pieces: Iterator[Timed], outcome: Outcome) -> Iterator[Timed]:
    """The same pieces. The time until each of them arrives counts as reading, not as the engine's."""
    while True:
        start = time.perf_counter()
        piece = next(pieces, None)
        outcome.reading_seconds += time.perf_counter() - start
        if piece is None:
            return
        yield piece


def predicted(model: Model, features: Any, exposure: Any, level: float | None, threads: int) -> list[Doubles]:
    """The predictions of rows, and with a level the ends of their intervals. Rates are multiplied by the exposures."""
    frame = Frame.from_stream(features)
    prediction = np.asarray(model.predict(frame, threads)[0])
    if exposure is not None:
        prediction = prediction * _rows.check_exposure(exposure, frame.rows)
    if level is None:
        return [prediction]
    return [prediction, *map(np.asarray, model.interval_ends(prediction, level, model.widening(frame)))]
