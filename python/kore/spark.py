"""The estimators on Apache Spark: a Spark DataFrame in, the model of the local package out.

    import kore.spark

    model = kore.spark.fit(df, target="price")
    model.transform(df).select("id", "prediction")
    model.save("price.kore")                          # for kore.load and for `kore predict`

Needs PySpark and Java (``pip install 'kore[spark]'``). The rows stay where they are: every pass of the engine is one
``mapInArrow`` over the partitions, and sums come back.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from sklearn.utils.validation import check_is_fitted

from . import _estimators, _load, _partitions, _spark_limits
from ._base import KoreRegressor
from ._engine import Frame, describe_task

try:
    import pyarrow as pa
    from pyspark import StorageLevel
    from pyspark.errors import PySparkException
    from pyspark.sql import DataFrame, SparkSession, functions
    from pyspark.sql import types as spark_types

    from . import _executors
except ModuleNotFoundError as missing:
    name = str(missing.name).partition(".")[0]
    raise ImportError(
        f"kore.spark needs {name}, which is not installed: pip install 'kore[spark]', and Java 17 or later "
        "(on Debian, apt install openjdk-17-jre-headless). The rest of kore works without."
    ) from None

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["KOREAdditiveRegressor", "KOREPairwiseRegressor", "KORERegressor", "fit", "load", "transform"]

# Results that are small together go to the driver at once: a shuffle would take longer than merging them.
DIRECT_BYTES = 8 * 2**20
# What the different texts of a column may take in one partition: a hundred thousand of forty letters.
LEVEL_BYTES = 4 * 2**20

if not (os.environ.get("JAVA_HOME") or shutil.which("java") or SparkSession.getActiveSession()):
    raise ImportError(
        "kore.spark needs Java 17 or later, and there is neither a program 'java' nor JAVA_HOME: install it (on "
        "Debian, apt install openjdk-17-jre-headless). The rest of kore works without."
    )


class SparkFit(KoreRegressor):
    """An estimator that learns from Spark's DataFrames; what it has learned is a model like any other."""

    dropped_rows_: int
    passes_: list[dict[str, Any]]

    def fit(
        self,
        df: DataFrame,
        target: str,
        weight: str | None = None,
        features: Sequence[str] | None = None,
        keep: bool = True,
    ) -> Self:
        """Fit to the rows of a DataFrame, which are read several times and must be the same every time.

        Parameters
        ----------
        df : DataFrame of Spark
            Texts are categories, missing values may occur; both as in the command. Where its plan is random, write it
            to a file first.
        target : the column to predict; rows without a value in it are left out and counted in ``dropped_rows_``
        weight : a column of weights, optional
            A weight counts rows: 2 is a row given twice, 0 one left out.
        features : the columns to learn from, optional; all others by default
        keep : keep these columns on the executors' disks while the fit goes on, as Arrow
            Later passes then need not turn rows into Arrow again, which takes Spark longer than most passes. Without,
            every pass computes ``df`` anew.
        """
        with SparkRows(df, target, weight, features, keep) as rows:
            settings = read_settings(df.sparkSession)

            def check(columns: int) -> None:
                _spark_limits.check(_spark_limits.need_of(columns), settings)

            _partitions.fit_partitions(self, rows.run, rows.example, target, "a Spark DataFrame", check)
        self.passes_ = [vars(record) for record in rows.passes.records]
        self.dropped_rows_ = rows.passes.records[0].dropped
        return self

    def transform(self, df: DataFrame, prediction: str = "prediction", interval: float | None = None) -> DataFrame:
        """The DataFrame with its predictions; see :func:`transform`."""
        return transform(self, df, prediction, interval)


class KORERegressor(SparkFit, _estimators.KORERegressor):
    __doc__ = _estimators.KORERegressor.__doc__


class KOREAdditiveRegressor(SparkFit, _estimators.KOREAdditiveRegressor):
    __doc__ = _estimators.KOREAdditiveRegressor.__doc__


class KOREPairwiseRegressor(SparkFit, _estimators.KOREPairwiseRegressor):
    __doc__ = _estimators.KOREPairwiseRegressor.__doc__


def fit(
    df: DataFrame,
    target: str,
    weight: str | None = None,
    features: Sequence[str] | None = None,
    keep: bool = True,
    **parameters: Any,
) -> KORERegressor:
    """Fit a :class:`KORERegressor` with the given parameters to the rows of a DataFrame; see its ``fit``."""
    return KORERegressor(**parameters).fit(df, target, weight, features, keep)


def load(path: str | os.PathLike[str]) -> KoreRegressor:
    """A model from a file, as :func:`kore.load` reads it, with ``transform``."""
    local = _load.load(path)
    kinds: dict[type[KoreRegressor], type[KoreRegressor]] = {
        _estimators.KORERegressor: KORERegressor,
        _estimators.KOREAdditiveRegressor: KOREAdditiveRegressor,
        _estimators.KOREPairwiseRegressor: KOREPairwiseRegressor,
    }
    estimator = kinds[type(local)](**local.get_params())
    estimator.__dict__.update(local.__dict__)
    return estimator


def transform(
    model: KoreRegressor, df: DataFrame, prediction: str = "prediction", interval: float | None = None
) -> DataFrame:
    """A DataFrame with the predictions of any fitted or loaded estimator beside its own columns.

    Parameters
    ----------
    model : an estimator of this package, fitted anywhere
    df : DataFrame of Spark with at least the model's columns, which are matched by name
    prediction : what the new column is called
    interval : probability, optional
        With 0.9 also the ends of intervals that cover a new target with that probability, as ``prediction_lower`` and
        ``prediction_upper``.
    """
    check_is_fitted(model)
    _check_frame(df)
    features = model._column_names
    missing = [name for name in features if name not in df.columns]
    if missing:
        raise ValueError(f"The DataFrame has no column {missing[0]!r}, which the model was fitted with.")
    names = [prediction] if interval is None else [prediction, f"{prediction}_lower", f"{prediction}_upper"]
    for name in names:
        if name in df.columns:
            raise ValueError(f"The DataFrame has a column {name!r} already; give the predictions another name.")
    if interval is not None:
        model._model.interval_offsets(interval)  # a level that is none is refused here, not on an executor
    spark = df.sparkSession
    schema = spark_types.StructType([*df.schema, *(spark_types.StructField(name, _DOUBLE) for name in names)])
    added = pa.schema([(name, pa.float64()) for name in names])
    shared = spark.sparkContext.broadcast(model._model.to_bytes())
    return df.mapInArrow(_executors.predictor(shared, features, interval, _threads_of(spark), added), schema)


class SparkRows:
    """The rows of a DataFrame as the engine's passes reach them."""

    def __init__(
        self, df: DataFrame, target: str, weight: str | None, features: Sequence[str] | None, keep: bool
    ) -> None:
        _check_frame(df)
        self.columns = _partitions.columns_of(df.columns, target, weight, features)
        for name in filter(None, (target, weight)):
            _check_number(df, name)
        self.df = df.select(*(f"`{name.replace('`', '``')}`" for name in self.columns.all))
        self.schema = self.df.schema
        self.example = Frame.from_stream(self.df.limit(0).toArrow().select(list(self.columns.features)))
        self.partitions = self.df.rdd.getNumPartitions()
        self.passes = _partitions.Passes()
        self.packed = keep
        if keep:
            self.df = self.df.mapInArrow(_executors.pack, "block binary").persist(StorageLevel.DISK_ONLY)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *failure: object) -> None:
        if self.packed:
            self.df.unpersist()

    def run(self, task: bytes) -> bytes:
        """One pass: the task on every partition, and the results merged."""
        start = time.perf_counter()
        described: dict[str, Any] = describe_task(task)
        kind = str(described["kind"])
        with _shared(self.df.sparkSession, task, f"kore: {kind}") as broadcast, _clear_errors(kind):
            merged = self._merged(task, broadcast, max(int(described["result_bytes"]), self._most_levels(kind)))
        if merged.failure:
            raise ValueError(merged.failure)
        self.passes.add(kind, self.partitions, task, merged, time.perf_counter() - start)
        return merged.result

    def _most_levels(self, kind: str) -> int:
        """Bytes that the levels of texts may take: nobody knows them before their pass, so they are taken for many."""
        texts = sum(isinstance(field.dataType, spark_types.StringType) for field in self.schema)
        return texts * LEVEL_BYTES if kind == "columns" else 0

    def _merged(self, task: bytes, broadcast: Any, result_bytes: int) -> _partitions.Outcome:
        """Neighbours are merged until one is left: on executors, or by the driver where results are small. The tree is
        the same in both cases, and so are the bits."""
        threads = _threads_of(self.df.sparkSession)
        runner = _executors.partition_runner(broadcast, self.columns, threads, self.packed)
        parcels = self.df.mapInArrow(runner, _executors.PARCEL_OF_SPARK)
        fan_in = _partitions.fan_in_of(result_bytes)
        levels = _partitions.levels_of(self.partitions, fan_in)
        on_driver = result_bytes * self.partitions <= DIRECT_BYTES
        left = self.partitions
        for _ in range(0 if on_driver else levels):
            left = -(-left // fan_in)
            neighbours = parcels.repartition(left, functions.expr(f"place div {fan_in}"))
            neighbours = neighbours.sortWithinPartitions("place", "piece")
            parcels = neighbours.mapInArrow(_executors.merger(broadcast, fan_in), _executors.PARCEL_OF_SPARK)
        outcomes = _executors.outcomes_of(parcels.collect())
        for _ in range(levels):
            outcomes = _partitions.merge_level(task, outcomes, fan_in)
        return _partitions.merge_outcomes(task, [outcomes[place] for place in sorted(outcomes)])


def read_settings(spark: SparkSession) -> _spark_limits.Settings:
    """What the session's settings say about memory."""
    context = spark.sparkContext
    conf = context.getConf()
    master = str(context.master)
    cores = conf.get("spark.executor.cores") or _cores_of(master, context)
    tasks = int(cores) // _threads_of(spark)
    return _spark_limits.settings_of(lambda name, default: conf.get(name, default) or default, master, tasks)


def _cores_of(master: str, context: Any) -> int:
    """Cores of an executor that no setting tells: written in the name of a local cluster, or an equal share of all."""
    if master.startswith("local-cluster["):
        return int(master.split(",")[1])
    executors = max(1, context._jsc.sc().getExecutorMemoryStatus().size() - 1)  # the driver is one of them
    return max(1, int(context.defaultParallelism) // int(executors))


@contextmanager
def _shared(spark: SparkSession, task: bytes, description: str) -> Iterator[Any]:
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


@contextmanager
def _clear_errors(kind: str) -> Iterator[None]:
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


def _threads_of(spark: SparkSession) -> int:
    """The cores that Spark gives to a task."""
    return int(spark.sparkContext.getConf().get("spark.task.cpus", "1") or 1)


def _check_frame(df: Any) -> None:
    if not isinstance(df, DataFrame):
        raise TypeError(
            f"kore.spark works on DataFrames of Spark, got {type(df).__module__}.{type(df).__name__}; "
            "the estimators of kore itself fit local tables."
        )
    if type(df).__module__.startswith("pyspark.sql.connect"):
        raise TypeError("kore.spark needs a classic session: one through Spark Connect has no broadcasts.")


def _check_number(df: DataFrame, name: str) -> None:
    kind = df.schema[name].dataType
    if not isinstance(kind, spark_types.NumericType | spark_types.BooleanType):
        raise ValueError(f"Column '{name}' is of type {kind.simpleString()}; target and weight must be numbers.")


_DOUBLE = spark_types.DoubleType()
