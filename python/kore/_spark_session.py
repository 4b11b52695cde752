"""What a fit needs of a Spark session: safe names, blocks on disk, broadcast tasks, and errors in one sentence."""

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

# Whether Spark may join small neighbouring partitions after a shuffle in persisted tables, as it does elsewhere.
JOINS_WHAT_IS_KEPT = "spark.sql.optimizer.canChangeCachedPlanOutputPartitioning"
# Models of at most so many bytes are part of the function that predicts; larger ones are broadcast.
CARRIED_BYTES = 2**19

# Larger models that have been broadcast, by estimator: its model, the Spark context, the broadcast.
_sent: WeakKeyDictionary[object, tuple[Model, Any, Any]] = WeakKeyDictionary()


def numbered(df: DataFrame) -> DataFrame:
    """The same columns under safe names. Dots and backticks have a meaning in Spark's names, and names that differ only
    by case are the same to it."""
    return df.toDF(*(number_name(place) for place in range(len(df.columns))))


def number_name(place: int) -> str:
    return f"c{place}"


def persisted(df: DataFrame) -> DataFrame:
    """Persist a table on the executors' disks. After a shuffle Spark joins small neighbouring partitions, but in
    persisted tables only if the session allows it. Two hundred partitions of a few rows would cost ten seconds in
    every pass."""
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
    """Broadcast a task while its pass runs. Spark's web pages show the pass under the given name."""
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
    """A broadcast of a model. DataFrames that predict are computed at any later time, so that it is not known when a
    broadcast could be removed. So there is one per model instead of one per call."""
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
    """Turn the long errors of Spark into one sentence with the cause."""
    try:
        yield
    except PySparkException as error:
        raise RuntimeError(f"Spark could not finish the pass '{kind}' over the rows: {cause_of(error)}") from error


def cause_of(error: Exception) -> str:
    """The line with the cause: the last line of a Python traceback if there is one, or else the first line."""
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
