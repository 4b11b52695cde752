"""KORE as a stage of a Pipeline of Spark: fitted, searched, saved and loaded there."""

import inspect

import numpy as np
import pandas
import pytest
from clusters import start_session
from kore import KORERegressor as Local

pytest.importorskip("pyspark")
from kore.spark_ml import KORERegressionModel, KORERegressor
from pyspark.ml import Pipeline, PipelineModel
from pyspark.ml.evaluation import RegressionEvaluator
from pyspark.ml.feature import SQLTransformer
from pyspark.ml.tuning import CrossValidator, ParamGridBuilder

pytestmark = pytest.mark.xdist_group("spark")


@pytest.fixture(scope="module")
def session():
    session = start_session("local-cluster[2,1,1024]")
    yield session
    session.stop()


@pytest.fixture(scope="module")
def rows():
    random = np.random.default_rng(4)
    rows = pandas.DataFrame({"a": random.uniform(size=300), "b": random.uniform(size=300)})
    rows["kind"] = random.choice(["red", "green"], size=300)
    rows["weight"] = 1.0 + (np.arange(300) % 3 == 0)
    rows["y"] = np.sin(6 * rows["a"]) + (rows["kind"] == "red") + random.normal(0, 0.1, 300)
    return rows


@pytest.fixture(scope="module")
def table(session, rows):
    return session.createDataFrame(rows).coalesce(2)


def stage(**further):
    return KORERegressor(inputCols=["a", "b", "kind"], labelCol="y", structure="additive", **further)


def test_a_pipeline_predicts_what_the_model_of_one_machine_does(table, rows):
    doubled = SQLTransformer(statement="SELECT *, 2 * a AS twice FROM __THIS__")
    last = KORERegressor(
        inputCols=["twice", "b", "kind"], labelCol="y", weightCol="weight", predictionCol="guess", structure="additive"
    )
    model = Pipeline(stages=[doubled, last]).fit(table)
    found = model.transform(table).select("guess").toPandas()["guess"]
    X = rows.assign(twice=2 * rows["a"])[["twice", "b", "kind"]]
    local = Local(structure="additive").fit(X, rows["y"], sample_weight=rows["weight"])
    np.testing.assert_allclose(found, local.predict(X), rtol=1e-9)
    assert model.stages[-1].local.structure_ == "additive"


def test_a_saved_pipeline_predicts_the_same_bits(table, tmp_path):
    model = Pipeline(stages=[stage(interval=0.9)]).fit(table)
    before = model.transform(table).toPandas()
    assert {"prediction", "prediction_lower", "prediction_upper"} <= set(before.columns)
    model.write().overwrite().save(str(tmp_path / "pipeline"))
    loaded = PipelineModel.load(str(tmp_path / "pipeline"))
    pandas.testing.assert_frame_equal(loaded.transform(table).toPandas(), before, check_exact=True)
    assert isinstance(loaded.stages[0], KORERegressionModel)
    assert loaded.stages[0].uid == model.stages[0].uid
    assert loaded.stages[0].getInputCols() == ["a", "b", "kind"]


def test_an_estimator_is_saved_with_its_parameters(session, tmp_path):
    given = stage(degree=2, pairs=[("a", "b")], categorical_features=["b"], ridge=1e-9)
    given.save(str(tmp_path / "stage"))
    loaded = KORERegressor.load(str(tmp_path / "stage"))
    assert {p.name: v for p, v in loaded.extractParamMap().items()} == {
        p.name: v for p, v in given.extractParamMap().items()
    }


def test_a_search_takes_the_better_parameters(table):
    search = stage()
    grid = ParamGridBuilder().addGrid(search.max_G_add, [1, 12]).build()
    validator = CrossValidator(
        estimator=search, estimatorParamMaps=grid, evaluator=RegressionEvaluator(labelCol="y"), numFolds=2, seed=1
    )
    found = validator.fit(table)
    assert found.avgMetrics[1] < found.avgMetrics[0]
    assert found.bestModel.local.get_params()["max_G_add"] == 12


def test_what_is_wrong_is_said_in_a_sentence(table):
    with pytest.raises(ValueError, match="inputCols is not set: name the columns"):
        KORERegressor(labelCol="y").fit(table)
    with pytest.raises(ValueError, match="There is no column 'c' in the table"):
        KORERegressor(inputCols=["a", "c"], labelCol="y").fit(table)
    with pytest.raises(ValueError, match="profile must be 'default' or 'paper'"):
        stage(profile="other").fit(table)
    with pytest.raises(TypeError, match="degree"):
        stage(degree="two")


def test_the_stage_has_the_parameters_of_the_regressor():
    """Without Spark: the threads of executors are Spark's to give, and a radius is for the paper's constants."""
    local = inspect.signature(Local).parameters
    ours = inspect.signature(KORERegressor).parameters
    assert set(local) - set(ours) == {"n_jobs", "verbose", "radius"}
    assert all(ours[name].default == local[name].default for name in set(local) & set(ours))
    assert set(ours) - set(local) == {
        *("inputCols", "labelCol", "weightCol", "predictionCol", "precisionCol", "groupCol", "exposureCol", "interval")
    }


def test_choices_for_columns_and_simple_models_are_saved_and_fitted(table, rows, tmp_path):
    features = {"a": {"max_resolution": np.int64(4), "cyclic": 1.5}, "b": "linear"}
    simple = {"features": features, "max_columns": 30, "max_terms": 2, "simple": True}
    given = stage(**simple)
    given.save(str(tmp_path / "stage"))
    loaded = KORERegressor.load(str(tmp_path / "stage"))
    X = rows[["a", "b", "kind"]]
    local = Local(structure="additive", **simple).fit(X, rows["y"])
    model = loaded.fit(table)
    found = model.transform(table).select("prediction").toPandas()["prediction"]
    np.testing.assert_allclose(found, local.predict(X), rtol=1e-9)
    assert model.local.get_params()["features"] == features
    assert len(model.local.effects_) <= 2


def test_a_parameter_that_is_not_there_is_refused(session):
    with pytest.raises(TypeError, match=r"has no parameter 'max_term'; it has .*max_terms"):
        KORERegressor(max_term=2)
    with pytest.raises(TypeError, match="features must be a dictionary by names of columns"):
        KORERegressor(features={0: "linear"})
    with pytest.raises(TypeError, match="simple"):
        KORERegressor(simple="yes")
