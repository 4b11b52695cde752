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
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _checks, _classifier, _cluster_fits, _columns, _counts, _estimators, _load, _partitions, _spark_limits
from ._base import KoreEstimator
from ._regressor import KoreRegressor

try:
    from pyspark.sql import DataFrame, SparkSession, functions
    from pyspark.sql import types as spark_types

    from . import _executors, _spark_session, _spark_types
except ModuleNotFoundError as missing:
    name = str(missing.name).partition(".")[0]
    raise ImportError(
        f"kore.spark needs {name}, which is not installed: pip install 'kore[spark]', and Java 17 or later "
        "(on Debian, apt install openjdk-17-jre-headless). The rest of kore works without."
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

# Results that are small together go to the driver directly: a shuffle would take longer than merging them.
DIRECT_BYTES = 8 * 2**20

if not (os.environ.get("JAVA_HOME") or shutil.which("java") or SparkSession.getActiveSession()):
    raise ImportError(
        "kore.spark needs Java 17 or later, and there is neither a program 'java' nor JAVA_HOME: install it (on "
        "Debian, apt install openjdk-17-jre-headless). The rest of kore works without."
    )


class SparkEstimator(KoreEstimator):
    """An estimator that is fitted to Spark's DataFrames. The result is a model like any other."""

    _why_no_rows = _cluster_fits.WHY_NO_ROWS

    dropped_rows_: int
    passes_: list[dict[str, Any]]

    def transform(
        self,
        df: DataFrame,
        prediction: str = "prediction",
        interval: float | None = None,
        *,
        exposure: str | None = None,
    ) -> DataFrame:
        """The DataFrame with its predictions; see :func:`transform`."""
        return transform(self, df, prediction, interval, exposure=exposure)

    def _fit_frame(self, df: DataFrame, keep: bool, *choice: Any, **named: Any) -> None:
        """Fit to a DataFrame, with the columns that :func:`columns_of` makes of the arguments."""
        _check_frame(df)
        with SparkRows(df, _columns.columns_of(df.columns, *choice, **named), keep) as rows:
            settings = read_settings(df.sparkSession)

            def check(columns: int) -> None:
                _spark_limits.check(_spark_limits.need_of(columns), settings, self.get_params())

            _cluster_fits.fit_partitions(self, rows, "a Spark DataFrame", check)
        self.passes_ = [vars(record) for record in rows.passes.records]
        self.dropped_rows_ = rows.passes.records[0].dropped


class SparkFit(SparkEstimator, KoreRegressor):
    """A regressor that is fitted to Spark's DataFrames."""

    @_checks.all_or_nothing
    def fit(  # type: ignore[override]  # names of columns, where a local fit takes arrays
        self,
        df: DataFrame,
        target: str,
        weight: str | None = None,
        features: Sequence[str] | str | None = None,
        keep: bool = True,
        *,
        precision: str | None = None,
        group: str | None = None,
        exposure: str | None = None,
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
        precision : a column of precisions in place of weights, optional: only their ratios matter
        group : a column that tells groups of rows apart, optional
            Whole groups are left out, so that errors and intervals are those for new groups. No feature.
        exposure : a column that counts are divided by, optional, with ``family='poisson'``
            The model is one of rates, counts per unit of exposure. The exposures are added up in one more pass.
        """
        self._fit_frame(df, keep, target, weight, features, precision, group, exposure)
        return self


class KORERegressor(SparkFit, _estimators.KORERegressor):
    __doc__ = _estimators.KORERegressor.__doc__


class KOREAdditiveRegressor(SparkFit, _estimators.KOREAdditiveRegressor):
    __doc__ = _estimators.KOREAdditiveRegressor.__doc__


class KOREPairwiseRegressor(SparkFit, _estimators.KOREPairwiseRegressor):
    __doc__ = _estimators.KOREPairwiseRegressor.__doc__


class KOREClassifier(SparkEstimator, _classifier.KOREClassifier):
    __doc__ = _classifier.KOREClassifier.__doc__

    @_checks.all_or_nothing
    def fit(  # type: ignore[override]  # names of columns, where a local fit takes arrays
        self,
        df: DataFrame,
        target: str,
        weight: str | None = None,
        features: Sequence[str] | str | None = None,
        keep: bool = True,
        *,
        group: str | None = None,
    ) -> Self:
        """Fit to the rows of a DataFrame; parameters as in :class:`KORERegressor`.

        The target has labels: texts, booleans or numbers. They are counted in one more pass.
        """
        self._fit_frame(df, keep, target, weight, features, group=group, labels=True)
        return self


def fit(
    df: DataFrame,
    target: str,
    weight: str | None = None,
    features: Sequence[str] | str | None = None,
    keep: bool = True,
    *,
    precision: str | None = None,
    group: str | None = None,
    exposure: str | None = None,
    **parameters: Any,
) -> KORERegressor:
    """Fit a :class:`KORERegressor` with the given parameters to the rows of a DataFrame; see its ``fit``."""
    return KORERegressor(**parameters).fit(
        df, target, weight, features, keep, precision=precision, group=group, exposure=exposure
    )


def load(path: str | os.PathLike[str]) -> SparkEstimator:
    """A model from a file, as :func:`kore.load` reads it, with ``transform``."""
    kinds = (KORERegressor, KOREAdditiveRegressor, KOREPairwiseRegressor, KOREClassifier)
    loaded: SparkEstimator = _load.load_as(path, *kinds)
    return loaded


def transform(
    model: KoreEstimator,
    df: DataFrame,
    prediction: str = "prediction",
    interval: float | None = None,
    *,
    exposure: str | None = None,
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
    exposure : a column that rates are multiplied by, optional, for a model that was fitted with exposures

    Predictions are means; of a classifier of two classes, the probability of the second.
    """
    _check_frame(df)
    given = df.columns
    names = _cluster_fits.names_of_predictions(model, given, prediction, interval, exposure)
    features = model._column_names
    if exposure is not None:
        _check_number(df, exposure)
    # Columns of a wrong type are refused here and not on an executor. Texts may be numbers.
    model._model.predict(_spark_types.example_of(df.schema[given.index(name)] for name in features), 1)
    spark = df.sparkSession
    schema = spark_types.StructType([*df.schema, *(spark_types.StructField(name, _DOUBLE) for name in names)])
    shared = _spark_session.shared_model(spark, model, model._model)
    places = {name: given.index(name) for name in features}
    over = None if exposure is None else given.index(exposure)
    predictor = _executors.predictor(shared, places, over, interval, _spark_session.threads_of(spark))
    return _spark_session.numbered(df).mapInArrow(predictor, schema)


class SparkRows:
    """Runs the engine's passes on the rows of a DataFrame."""

    def __init__(self, df: DataFrame, columns: _columns.Columns, keep: bool) -> None:
        names = df.columns
        self.columns = columns
        target = None if columns.labels else columns.target
        for name in filter(None, (target, columns.weight, columns.precision, columns.exposure)):
            _check_number(df, name)
        fields = [df.schema[names.index(name)] for name in self.columns.features]
        self.example = _spark_types.example_of(fields)
        self.df = _spark_session.numbered(df).select(
            *(_spark_session.number_name(names.index(name)) for name in self.columns.all)
        )
        self.partitions = 0  # unknown before the first pass, because Spark may decide on them while it runs
        self.passes = _partitions.Passes()
        self.packed = keep
        self.kept: list[DataFrame] = []
        if keep:
            self._keep(self.df.mapInArrow(_executors.pack, _executors.BLOCK_OF_SPARK))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *failure: object) -> None:
        self._release(0)

    def _keep(self, df: DataFrame) -> None:
        """Let later passes read this table."""
        self.df = _spark_session.persisted(df)
        self.kept.append(self.df)

    def _release(self, newest: int) -> None:
        """Release persisted tables, except so many of the newest."""
        while len(self.kept) > newest:
            self.kept.pop(0).unpersist()

    def run(self, task: bytes) -> bytes:
        """One pass: the task on every partition, and the results merged."""
        start = time.perf_counter()
        kind, result_bytes = _counts.described(task)
        with (
            _spark_session.shared(self.df.sparkSession, task, f"kore: {kind}") as broadcast,
            _spark_session.clear_errors(kind),
        ):
            first = self.partitions == 0
            merged = self._merged(task, broadcast, result_bytes)
            self._release(1)
            if first and self.packed and not merged.failure:
                self._join_neighbours(_partitions.neighbours_to_join(self.partitions, merged.kept_bytes))
        if merged.failure:
            raise ValueError(merged.failure)
        _partitions.check_rows(merged, self.columns.target)
        self.passes.add(kind, task, merged, time.perf_counter() - start)
        return merged.result

    def _merged(self, task: bytes, broadcast: Any, result_bytes: int) -> _partitions.Outcome:
        """Merge the results of all partitions. As long as their number and size are not known, they stay on the
        executors until they have been counted."""
        threads = _spark_session.threads_of(self.df.sparkSession)
        runner = _executors.partition_runner(broadcast, self.columns, threads, self.packed)
        parcels = self.df.mapInArrow(runner, _executors.PARCEL_OF_SPARK)
        if self.partitions > 0:
            return self._merged_by_tree(task, broadcast, parcels, result_bytes, result_bytes * self.partitions)
        parcels = _spark_session.persisted(parcels)
        try:
            found = parcels.selectExpr("place", "length(content) as bytes").toArrow()
            sizes = np.bincount(found.column("place").to_numpy(), found.column("bytes").to_numpy(), 1)
            self.partitions = len(sizes)
            return self._merged_by_tree(task, broadcast, parcels, int(sizes.max()), int(sizes.sum()))
        finally:
            parcels.unpersist()

    def _join_neighbours(self, count: int) -> None:
        """Join the persisted blocks of so many neighbouring partitions, in the same order at every run."""
        if count == 1:
            return
        self.partitions = -(-self.partitions // count)
        joined = self.df.repartition(self.partitions, functions.expr(f"place div {count}"))
        self._keep(joined.sortWithinPartitions("place", "piece"))

    def _merged_by_tree(
        self, task: bytes, broadcast: Any, parcels: DataFrame, result_bytes: int, all_bytes: int
    ) -> _partitions.Outcome:
        """Merge neighbours until one result is left: on executors, or by the driver where results are small. The tree
        is the same in both cases, and so are the bits."""
        fan_in = _partitions.fan_in_of(result_bytes)
        levels = _partitions.levels_of(self.partitions, fan_in)
        left = self.partitions
        for _ in range(0 if all_bytes <= DIRECT_BYTES else levels):
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
    tasks = int(cores) // _spark_session.threads_of(spark)
    return _spark_limits.settings_of(lambda name, default: conf.get(name, default) or default, master, tasks)


def _cores_of(master: str, context: Any) -> int:
    """Cores of an executor without a setting: from the name of a local cluster, or an equal share of all cores."""
    if master.startswith("local-cluster["):
        return int(master.split(",")[1])
    executors = max(1, context._jsc.sc().getExecutorMemoryStatus().size() - 1)  # the driver is one of them
    return max(1, int(context.defaultParallelism) // int(executors))


def _check_frame(df: Any) -> None:
    if type(df).__module__.startswith("pyspark.sql.connect"):
        raise TypeError(
            "kore.spark needs a classic session: one through Spark Connect has no broadcasts. Start one on the cluster "
            "(SparkSession.builder.master(...), without `remote` and SPARK_REMOTE), or write the columns to Parquet "
            "files and fit those with `kore fit \"FROM 'part-*.parquet'\"`."
        )
    if not isinstance(df, DataFrame):
        raise TypeError(
            f"kore.spark works on DataFrames of Spark, got {type(df).__module__}.{type(df).__name__}; "
            "the estimators of kore itself fit local tables."
        )


def _check_number(df: DataFrame, name: str) -> None:
    kind = df.schema[name].dataType
    if not _spark_types.is_number(kind):
        raise ValueError(
            f"Column '{name}' is of type {kind.simpleString()}; target and weight must be numbers (labels are for "
            "KOREClassifier)."
        )


_DOUBLE = spark_types.DoubleType()
