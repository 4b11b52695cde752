"""What a fit asks of a session of Spark: names, memory on disk, tasks on every executor, and errors in a sentence."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from weakref import WeakKeyDictionary

from pyspark import StorageLevel
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession

from ._engine import Model
from ._executors import Carried

# Whether Spark may join small neighbours after a shuffle in what is kept too, as it does in everything else.
JOINS_WHAT_IS_KEPT = "spark.sql.optimizer.canChangeCachedPlanOutputPartitioning"
# Models of at most so many bytes travel with the function that predicts; Spark sends a larger function apart as well.
CARRIED_BYTES = 2**19

# Larger models that were sent to the executors already, by estimator: what it had fitted, where it went, as what.
_sent: WeakKeyDictionary[object, tuple[Model, Any, Any]] = WeakKeyDictionary()


def numbered(df: DataFrame) -> DataFrame:
    """The same columns under names that Spark cannot take for anything else: dots and backticks mean something in its
    names, and names that differ by case only are one to it."""
    return df.toDF(*(number_name(place) for place in range(len(df.columns))))


def number_name(place: int) -> str:
    return f"c{place}"


def persisted(df: DataFrame) -> DataFrame:
    """What is kept on the executors' disks. After a shuffle Spark joins small neighbours, but in what is kept only if
    the session allows it: two hundred partitions of a few rows would cost ten seconds in every pass."""
    conf = df.sparkSession.conf
    before = conf.get(JOINS_WHAT_IS_KEPT, None)
    conf.set(JOINS_WHAT_IS_KEPT, "true")
    try:
        return df.persist(StorageLevel.DISK_ONLY)
    finally:
        if before is None:
            conf.unset(JOINS_WHAT_IS_KEPT)
        else:
            conf.set(JOINS_WHAT_IS_KEPT, before)


@contextmanager
def shared(spark: SparkSession, task: bytes, description: str) -> Iterator[Any]:
    """The task on every executor while its pass runs, which Spark's pages show under the given name."""
    context = spark.sparkContext
    broadcast = context.broadcast(task)
    before: Any = context.getLocalProperty("spark.job.description")
    context.setJobDescription(description)
    try:
        yield broadcast
    finally:
        context.setLocalProperty("spark.job.description", before)
        broadcast.destroy()


def shared_model(spark: SparkSession, estimator: object, model: Model) -> Any:
    """A model where the executors find it. DataFrames that predict are computed at any later time, so that nobody knows
    when a broadcast could go; there is one per model instead of one per call."""
    content = model.to_bytes()
    if len(content) <= CARRIED_BYTES:
        return Carried(content)
    context = spark.sparkContext
    known = _sent.get(estimator)
    if known is None or known[0] is not model or known[1] is not context:
        known = _sent[estimator] = (model, context, context.broadcast(content))
    return known[2]


@contextmanager
def clear_errors(kind: str) -> Iterator[None]:
    """What Spark says over pages, as one sentence with the cause."""
    try:
        yield
    except PySparkException as error:
        raise RuntimeError(f"Spark could not finish the pass '{kind}' over the rows: {cause_of(error)}") from error


def cause_of(error: Exception) -> str:
    """The line that tells what went wrong: the end of a Python traceback if there is one, or else the first line."""
    lines = [line.rstrip() for line in str(error).splitlines() if line.strip()]
    traces = [number for number, line in enumerate(lines) if line.lstrip().startswith("Traceback (most recent call")]
    if traces:
        for line in lines[traces[-1] + 1 :]:
            if not line[0].isspace() and not line.startswith("Traceback"):
                return line
    return lines[0] if lines else type(error).__name__


def threads_of(spark: SparkSession) -> int:
    """The cores that Spark gives to a task."""
    return int(spark.sparkContext.getConf().get("spark.task.cpus", "1") or 1)
