"""KORE as a stage of a ``pyspark.ml`` Pipeline: an Estimator, and the Model that it makes.

    from kore.spark_ml import KORERegressor

    stage = KORERegressor(inputCols=["area", "age", "city"], labelCol="price")
    model = Pipeline(stages=[indexer, stage]).fit(df)
    model.write().overwrite().save("hdfs:///models/price")
    CrossValidator(estimator=stage, estimatorParamMaps=grid, evaluator=RegressionEvaluator(labelCol="price")).fit(df)

The passes are those of :mod:`kore.spark`, and so is the model: ``stage.fit(df).local`` predicts without Spark.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import numpy as np

from . import _load, spark
from ._base import KoreEstimator
from ._engine import Model as FittedModel

# Where pyspark or Java is missing, kore.spark has said so already.
from pyspark import keyword_only  # isort: skip
from pyspark.ml import Estimator, Model  # isort: skip
from pyspark.ml.param import Param, Params, TypeConverters  # isort: skip
from pyspark.ml.param.shared import HasInputCols, HasLabelCol, HasPredictionCol, HasWeightCol  # isort: skip
from pyspark.ml.util import (  # isort: skip
    DefaultParamsReadable,
    DefaultParamsReader,
    DefaultParamsWritable,
    DefaultParamsWriter,
    MLReadable,
    MLReader,
    MLWritable,
    MLWriter,
)
from pyspark.sql import DataFrame  # isort: skip

__all__ = ["KORERegressionModel", "KORERegressor"]

Stage = TypeVar("Stage")

_COLUMNS = (
    *("inputCols", "labelCol", "weightCol", "predictionCol"),
    *("precisionCol", "groupCol", "exposureCol", "interval"),
)


def _pairs(value: Any) -> Any:
    return value if isinstance(value, str) else [TypeConverters.toListString(pair) for pair in value]


def _features(value: Any) -> Any:
    """Choices by names of columns. A file of Spark has them as JSON."""
    if not isinstance(value, Mapping) or not all(isinstance(name, str) for name in value):
        raise TypeError(
            f"features must be a dictionary by names of columns, such as {{'zip': 'category'}}, got {value!r}"
        )
    return {name: _native(said) for name, said in value.items()}


def _native(said: Any) -> Any:
    """As a file of Spark can hold it."""
    if isinstance(said, Mapping):
        return {key: _native(item) for key, item in said.items()}
    return said.item() if isinstance(said, np.generic) else said


# Parameters of kore.KORERegressor: what they are, and what makes their values of what Python or a file gives. Defaults
# are those of the class. `n_jobs` and `verbose` are left out, because executors have the threads that Spark gives them,
# and so is `radius`, a constant of the paper.
_PARAMETERS: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "pairs": ("'auto', 'all', 'none' or pairs of columns", _pairs),
    "degree": ("degree of the splines", TypeConverters.toInt),
    "max_G_add": ("largest resolution of curves", TypeConverters.toInt),
    "max_G_pair": ("largest resolution of surfaces", TypeConverters.toInt),
    "ridge": ("added to the diagonal", TypeConverters.toFloat),
    "structure": ("'auto', 'additive' or 'pairwise'", TypeConverters.toString),
    "family": ("the distribution of the target", TypeConverters.toString),
    "loss": ("'squared' or 'robust'", TypeConverters.toString),
    "profile": ("'default' or 'paper'", TypeConverters.toString),
    "categorical_features": ("numbers that are categories", TypeConverters.toListString),
    "features": ("what single columns are: 'category', 'linear', 'cyclic', 'curve' or a dictionary", _features),
    "max_levels": ("levels with an effect of their own", TypeConverters.toInt),
    "max_columns": ("models with more columns (coefficients) are not tried", TypeConverters.toInt),
    "max_terms": ("the most terms of the model", TypeConverters.toInt),
    "simple": ("take the simplest model within one standard error of the best", TypeConverters.toBoolean),
    "target_scale": ("the scale of the target", TypeConverters.toString),
}


def _parameter(name: str, text: str, convert: Callable[[Any], Any]) -> Param[Any]:
    return Param(Params._dummy(), name, text, convert)


def _with_parameters(stage: type[Stage]) -> type[Stage]:
    """Give a stage the parameters above, and a signature that says so."""
    for name, (text, convert) in _PARAMETERS.items():
        setattr(stage, name, _parameter(name, text, convert))
    local = inspect.signature(spark.KORERegressor).parameters
    own = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None) for name in _COLUMNS]
    further = [local[name].replace(kind=inspect.Parameter.KEYWORD_ONLY) for name in _PARAMETERS]
    setattr(stage, "__signature__", inspect.Signature([*own, *further]))  # noqa: B010  # no attribute of all classes
    return stage


class _Columns(HasInputCols, HasLabelCol, HasWeightCol, HasPredictionCol):
    """The columns that the estimator and its model have in common."""

    precisionCol = _parameter("precisionCol", "column of precisions in place of weights", TypeConverters.toString)
    groupCol = _parameter("groupCol", "column of groups that are left out together", TypeConverters.toString)
    exposureCol = _parameter("exposureCol", "column that counts are divided by", TypeConverters.toString)
    interval = _parameter("interval", "probability of prediction intervals, in (0, 1)", TypeConverters.toFloat)

    def _value(self, name: str) -> Any:
        """A parameter, or None where it was not set."""
        param = self.getParam(name)
        return self.getOrDefault(param) if self.isDefined(param) else None


@_with_parameters
class KORERegressor(
    Estimator["KORERegressionModel"], _Columns, DefaultParamsReadable["KORERegressor"], DefaultParamsWritable
):
    """An Estimator of Spark with the parameters of :class:`kore.KORERegressor` beside the columns.

    Parameters
    ----------
    inputCols : the columns to learn from: numbers, texts, booleans, dates. Columns, and not a vector made of them
    labelCol, weightCol, predictionCol : as everywhere in ``pyspark.ml``
    precisionCol, groupCol, exposureCol : as ``precision``, ``group`` and ``exposure`` of :func:`kore.spark.fit`
    interval : probability; predictions then have their interval beside them, in two columns
    others : those of :class:`kore.KORERegressor`; columns are named by texts
    """

    _input_kwargs: dict[str, Any]  # made by keyword_only

    @keyword_only
    def __init__(self, **given: Any) -> None:
        super().__init__()
        self.setParams(**self._input_kwargs)

    def setParams(self, **given: Any) -> KORERegressor:
        """Set the parameters that are given, by name; those that are None stay as they are."""
        for name in given:
            if not self.hasParam(name):
                known = ", ".join(sorted(param.name for param in self.params))
                raise TypeError(f"{type(self).__name__} has no parameter {name!r}; it has {known}.")
        self._set(**{name: value for name, value in given.items() if value is not None})
        return self

    def _fit(self, dataset: DataFrame) -> KORERegressionModel:
        columns = self._value("inputCols")
        if columns is None:
            # All other columns would include those that CrossValidator adds.
            raise ValueError("inputCols is not set: name the columns to learn from.")
        parameters = {name: value for name in _PARAMETERS if (value := self._value(name)) is not None}
        if not isinstance(parameters.get("pairs", ""), str):
            parameters["pairs"] = [tuple(pair) for pair in parameters["pairs"]]
        fitted = spark.KORERegressor(**parameters).fit(
            dataset,
            self.getLabelCol(),
            self._value("weightCol"),
            columns,
            precision=self._value("precisionCol"),
            group=self._value("groupCol"),
            exposure=self._value("exposureCol"),
        )
        return self._copyValues(KORERegressionModel(fitted))


class KORERegressionModel(Model, _Columns, MLReadable["KORERegressionModel"], MLWritable):
    """The Model of a fit. ``local`` is the same model as an estimator of :mod:`kore.spark`, which explains itself."""

    def __init__(self, local: KoreEstimator) -> None:
        super().__init__()
        self.local = local

    def _transform(self, dataset: DataFrame) -> DataFrame:
        return spark.transform(
            self.local,
            dataset,
            self.getPredictionCol(),
            self._value("interval"),
            exposure=self._value("exposureCol"),
        )

    def write(self) -> MLWriter:
        return _ModelWriter(self)

    @classmethod
    def read(cls) -> MLReader[KORERegressionModel]:
        return _ModelReader()


class _ModelWriter(MLWriter):
    """The parameters as every stage of Spark writes them, and beside them the model file as a table of one value, so
    that it lies wherever Spark can write."""

    def __init__(self, model: KORERegressionModel) -> None:
        super().__init__()
        self._model = model

    def saveImpl(self, path: str) -> None:
        session = self.sparkSession
        DefaultParamsWriter.saveMetadata(self._model, path, session)
        content = bytearray(self._model.local._model.to_bytes())
        session.createDataFrame([(content,)], "content binary").coalesce(1).write.parquet(f"{path}/model")


class _ModelReader(MLReader[KORERegressionModel]):
    def load(self, path: str) -> KORERegressionModel:
        metadata = DefaultParamsReader.loadMetadata(path, self.sparkSession)
        kept = self.sparkSession.read.parquet(f"{path}/model").first()
        if kept is None:
            raise ValueError(f"The stage in {path!r} has no model beside its parameters.")
        model = KORERegressionModel(_load.from_model(FittedModel.from_bytes(bytes(kept["content"]))))
        model._resetUid(metadata["uid"])
        DefaultParamsReader.getAndSetParams(model, metadata)
        return model
