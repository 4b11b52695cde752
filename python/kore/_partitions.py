"""What Spark and Dask share: the rows of a partition become a result, and results are merged into one.

The engine describes a pass over the rows as bytes, a task. A cluster runs it on every partition and merges the results
by a tree, in the order of the partitions, so that the same partitions give the same bits at every run. Neither knows
what the other does: nothing here tells a Gram matrix from a count, and the engine has never heard of a cluster.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _checks
from ._checks import Doubles
from ._engine import DistributedTraining, Frame, groups_of, merge_results, run_task

if TYPE_CHECKING:
    from ._base import Piece
    from ._regressor import KoreRegressor

MOST_MERGED = 8
MERGE_BYTES = 256 * 2**20
BLOCK_ROWS = 65_536
BLOCK_BYTES = 8 * 2**20
# Partitions beyond this number are joined until they have about as many bytes as a block: each costs a cluster some
# hundredths of a second in every pass, however small it is.
MANY_PARTITIONS = 32


WHY_NO_ROWS = (
    "A model that was fitted on a cluster or comes from a file has no rows here to find loo_residuals_ for; loo_ is "
    "their mean square."
)


@dataclass(frozen=True)
class Columns:
    """The names of the target, the weights, the group and the features of a table."""

    features: tuple[str, ...]
    target: str
    weight: str | None = None
    precision: str | None = None  # in place of the weight
    group: str | None = None

    @property
    def beside(self) -> list[str]:
        """All that are no features."""
        return [name for name in (self.target, self.weight, self.precision, self.group) if name is not None]

    @property
    def all(self) -> list[str]:
        return [*self.features, *self.beside]


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


def columns_of(
    names: Sequence[str],
    target: str,
    weight: str | None,
    features: Sequence[str] | str | None,
    precision: str | None = None,
    group: str | None = None,
) -> Columns:
    """Choose the columns; without `features`, all that have no other part."""
    _check_name("target", target)
    for parameter, name in (("weight", weight), ("precision", precision), ("group", group)):
        if name is not None:
            _check_name(parameter, name)
    if weight is not None and precision is not None:
        raise ValueError(
            "weight and precision cannot both be given: weights count rows, and of precisions only the ratios matter."
        )
    if features is None:
        taken = [name for name in names if name not in (target, weight, precision, group)]
        if not taken:
            raise ValueError(
                "The table has no column beside the target and the weight: there is nothing to learn from."
            )
    else:
        taken = [features] if isinstance(features, str) else list(features)
        if not taken:
            raise ValueError("features is an empty list: name the columns to learn from, or leave it out for all.")
    columns = Columns(tuple(taken), target, weight, precision, group)
    for name in columns.all:
        _check_name("features", name)
        if name not in names:
            raise ValueError(f"There is no column {name!r} in the table. It has: {', '.join(names)}.")
        if list(names).count(name) > 1:
            raise ValueError(f"There are two columns '{name}' in the table. Names must differ.")
        if columns.all.count(name) > 1:
            raise ValueError(
                f"Column {name!r} has two parts to play: it can be a feature, the target, the weight or the group."
            )
    return columns


def _check_name(parameter: str, name: Any) -> None:
    if not isinstance(name, str):
        kind = f"{type(name).__module__}.{type(name).__name__}".removeprefix("builtins.")
        raise TypeError(f"{parameter} takes names of columns, which are texts; got a value of type {kind}.")


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
    outcome.result = run_task(task, _timed(_pieces_of(tables, columns, outcome), outcome), threads)
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
    merged = merge_results(task, [outcome.result for outcome in outcomes])
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


def fit_partitions(
    estimator: KoreRegressor,
    run: Callable[[bytes], bytes],
    example: Frame,
    columns: Columns,
    origin: str,
    check_columns: Callable[[int], None],
) -> None:
    """Fit to rows that only `run` can reach. `check_columns` may refuse the largest model before it is begun."""
    names = example.names
    estimator._check_options(names)
    estimator._column_names = names
    estimator.n_features_in_ = len(names)
    estimator.feature_names_in_ = np.array(names, dtype=object)
    categorical = _checks.categorical_mask(estimator.categorical_features, names)
    max_levels = _checks.check_max_levels(estimator.max_levels)
    profile = _checks.check_profile(estimator.profile)
    if columns.group is not None and profile == "paper":
        raise ValueError(
            "profile='paper' chooses by leave-one-out over single rows and cannot leave groups out; the default "
            "profile can."
        )
    precisions = columns.precision is not None
    training = DistributedTraining(run, example, columns.target, profile, categorical, max_levels, precisions)
    options = estimator._options(training)
    check_columns(training.columns_at_most(options))
    estimator._rows = None
    estimator._finish_fit(training.fit(options, origin, estimator._progress()), None, training.warnings)


def _pieces_of(tables: Iterable[Any], columns: Columns, outcome: Outcome) -> Iterator[Piece]:
    """Rows as the engine reads them. Rows without a target are left out and counted, as in the command."""
    for table in tables:
        target = _doubles(table, columns.target)
        known = ~np.isnan(target)
        if not known.all():
            table, target = table.filter(known), target[known]
        outcome.rows += len(target)
        outcome.dropped += len(known) - len(target)
        weights = _weights_of(table, columns)
        yield Frame.from_stream(table.select(list(columns.features))), target, weights, _groups_of(table, columns)


def _weights_of(table: Any, columns: Columns) -> Doubles | None:
    part, name = ("weight", columns.weight) if columns.precision is None else ("precision", columns.precision)
    if name is None:
        return None
    weights = _doubles(table, name)
    if np.isnan(weights).any():
        raise ValueError(f"The {part}s '{name}' have no value in some rows. Give every row a {part}; 0 leaves it out.")
    return weights


def _groups_of(table: Any, columns: Columns) -> Doubles | None:
    if columns.group is None:
        return None
    groups = groups_of(Frame.from_stream(table.select([columns.group])))
    missing = int(np.count_nonzero(np.isnan(groups)))
    if missing:
        raise ValueError(
            f"The group '{columns.group}' has no value in {missing} rows of a part of the table. Give every row one."
        )
    return groups


def _doubles(table: Any, name: str) -> Doubles:
    """A column of numbers of any type; null is NaN."""
    import pyarrow as pa

    column = table.column(name)
    try:
        numbers = column.cast("float64", safe=False)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        raise ValueError(
            f"Column '{name}' is of type {column.type} and has values that are no numbers; target and weight must be "
            "numbers."
        ) from None
    return np.ascontiguousarray(numbers.to_numpy(), dtype=np.float64)


def _timed(pieces: Iterator[Piece], outcome: Outcome) -> Iterator[Piece]:
    """The same pieces. The time until each of them arrives counts as reading, not as the engine's."""
    while True:
        start = time.perf_counter()
        piece = next(pieces, None)
        outcome.reading_seconds += time.perf_counter() - start
        if piece is None:
            return
        yield piece
