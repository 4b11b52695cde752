"""KORE as a stage of a ``pyspark.ml`` Pipeline: an Estimator, and the Model that it makes.

    from kore.spark_ml import KORERegressor

    stage = KORERegressor(inputCols=["area", "age", "city"], labelCol="price")
    model = Pipeline(stages=[indexer, stage]).fit(df)
    model.write().overwrite().save("hdfs:///models/price")
    CrossValidator(estimator=stage, estimatorParamMaps=grid, evaluator=RegressionEvaluator(labelCol="price")).fit(df)

The passes are those of :mod:`kore.spark`, and so is the model: ``stage.fit(df).local`` predicts without Spark.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

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

# Parameters of kore.KORERegressor, and what makes their values of what Python or a file gives.
_PARAMETERS: dict[str, Callable[[Any], Any]] = {
    "structure": TypeConverters.toString,
    "family": TypeConverters.toString,
    "loss": TypeConverters.toString,
    "profile": TypeConverters.toString,
    "target_scale": TypeConverters.toString,
    "degree": TypeConverters.toInt,
    "max_G_add": TypeConverters.toInt,
    "max_G_pair": TypeConverters.toInt,
    "max_levels": TypeConverters.toInt,
    "ridge": TypeConverters.toFloat,
    "pairs": lambda value: value if isinstance(value, str) else [TypeConverters.toListString(p) for p in value],
    "categorical_features": TypeConverters.toListString,
}


def _parameter(name: str, text: str, convert: Callable[[Any], Any]) -> Param[Any]:
    return Param(Params._dummy(), name, text, convert)


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

    structure = _parameter("structure", "'auto', 'additive' or 'pairwise'", _PARAMETERS["structure"])
    family = _parameter("family", "the distribution of the target", _PARAMETERS["family"])
    loss = _parameter("loss", "'squared' or 'robust'", _PARAMETERS["loss"])
    profile = _parameter("profile", "'default' or 'paper'", _PARAMETERS["profile"])
    target_scale = _parameter("target_scale", "the scale of the target", _PARAMETERS["target_scale"])
    degree = _parameter("degree", "degree of the splines", _PARAMETERS["degree"])
    max_G_add = _parameter("max_G_add", "largest resolution of curves", _PARAMETERS["max_G_add"])
    max_G_pair = _parameter("max_G_pair", "largest resolution of surfaces", _PARAMETERS["max_G_pair"])
    max_levels = _parameter("max_levels", "levels with an effect of their own", _PARAMETERS["max_levels"])
    ridge = _parameter("ridge", "added to the diagonal", _PARAMETERS["ridge"])
    pairs = _parameter("pairs", "'auto', 'all', 'none' or pairs of columns", _PARAMETERS["pairs"])
    categorical_features = _parameter(
        "categorical_features", "numbers that are categories", _PARAMETERS["categorical_features"]
    )

    _input_kwargs: dict[str, Any]  # made by keyword_only

    @keyword_only
    def __init__(
        self,
        *,
        inputCols: Sequence[str] | None = None,
        labelCol: str = "label",
        weightCol: str | None = None,
        predictionCol: str = "prediction",
        precisionCol: str | None = None,
        groupCol: str | None = None,
        exposureCol: str | None = None,
        interval: float | None = None,
        structure: str = "auto",
        family: str = "normal",
        loss: str = "squared",
        profile: str = "default",
        target_scale: str = "auto",
        degree: int = 3,
        max_G_add: int | None = None,
        max_G_pair: int | None = None,
        max_levels: int | None = None,
        ridge: float | None = None,
        pairs: str | Sequence[tuple[str, str]] | None = None,
        categorical_features: Sequence[str] | None = None,
    ) -> None:
        super().__init__()
        self.setParams(**self._input_kwargs)

    def setParams(self, **given: Any) -> KORERegressor:
        """Set the parameters that are given, by name; those that are None stay as they are."""
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
        fitted = spark.fit(
            dataset,
            self.getLabelCol(),
            self._value("weightCol"),
            columns,
            precision=self._value("precisionCol"),
            group=self._value("groupCol"),
            exposure=self._value("exposureCol"),
            **parameters,
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
