"""Spark, in small: a cluster of two executors, each a process of its own. `make test-cluster` has the rest."""

import os
import subprocess
import sys

import pandas
import pyarrow as pa
import pytest
from clusters import (
    DRIVER,
    check_families,
    check_groups_and_precisions,
    check_same,
    claims_table,
    cut,
    in_spark,
    known_rows,
    make_table,
    start_session,
)
from kore import KORERegressor, load
from kore._columns import columns_of

pytest.importorskip("pyspark")
import kore.spark

pytestmark = pytest.mark.xdist_group("spark")
FEATURES = ["city", "area", "age", "garden", "sold"]


@pytest.fixture(scope="module")
def session():
    session = start_session("local-cluster[2,1,1024]")
    yield session
    session.stop()


@pytest.fixture(scope="module")
def table():
    return make_table(600)


@pytest.fixture(scope="module")
def parts(session, table):
    return in_spark(session, cut(table, (0.0, 0.01, 0.8)))


@pytest.fixture(scope="module")
def model(parts):
    return kore.spark.fit(parts, target="price", weight="count", features=FEATURES, pairs="none")


def test_a_cluster_finds_the_model_of_one_machine(table, model):
    rows = known_rows(table)
    check_same(model, rows, FEATURES, "count", pairs="none")
    assert model.dropped_rows_ == table.num_rows - rows.num_rows


def test_texts_of_digits_stay_texts(session, table):
    texts = table.append_column("block", pa.array([f"{row * 7 % 30:02d}" for row in range(table.num_rows)]))
    parts = in_spark(session, cut(texts, (0.0, 0.5)))
    model = kore.spark.fit(parts, target="price", features=["area", "block"], pairs="none")
    check_same(model, known_rows(texts), ["area", "block"], pairs="none")


def test_groups_and_precisions_are_those_of_one_machine(table, parts):
    check_groups_and_precisions(kore.spark.fit, parts, table)


def test_families_are_those_of_one_machine(session):
    table = claims_table()
    parts = in_spark(session, cut(table, (0.0, 0.01, 0.8)))
    check_families(kore.spark, parts, table)
    with pytest.raises(
        ValueError, match=r"The target 'poisson' has values from 0 to .* the binomial family needs 0 and 1"
    ):
        kore.spark.fit(parts, "poisson", features=DRIVER, family="binomial")


def test_results_merged_on_executors_and_on_the_driver_have_the_same_bits(table, parts, model, monkeypatch):
    monkeypatch.setattr(kore.spark, "DIRECT_BYTES", 0)
    again = kore.spark.fit(parts, target="price", weight="count", features=FEATURES, pairs="none")
    assert (again.predict(table) == model.predict(table)).all()


def test_passes_tell_where_the_time_went(table, model):
    for record in model.passes_:
        assert record["partitions"] == 4
        assert record["rows"] + record["dropped"] == table.num_rows
        assert record["native_seconds"] >= 0


def test_partitions_are_counted_as_they_are_run(table, parts):
    """After a shuffle Spark joins small partitions while it runs, with or without what is kept."""
    rows = known_rows(table)
    unlike = parts.select(*FEATURES, "price").dropDuplicates()
    for keep in (True, False):
        model = kore.spark.fit(unlike, target="price", features=FEATURES, keep=keep, pairs="none")
        check_same(model, rows, FEATURES, pairs="none")
        assert all(0 < record["partitions"] < 10 for record in model.passes_)
    assert parts.sparkSession.conf.get(kore._spark_session.JOINS_WHAT_IS_KEPT) == "false"


def test_small_partitions_are_joined_after_the_first_pass(table, parts, model, monkeypatch):
    monkeypatch.setattr("kore._partitions.MANY_PARTITIONS", 3)
    joined = kore.spark.fit(parts, target="price", weight="count", features=FEATURES, pairs="none")
    assert [record["partitions"] for record in joined.passes_] == [4] + [1] * (len(joined.passes_) - 1)
    assert all(record["rows"] == known_rows(table).num_rows for record in joined.passes_)
    check_same(joined, known_rows(table), FEATURES, "count", pairs="none")
    assert parts.sparkSession.sparkContext._jsc.getPersistentRDDs().size() == 0


def test_nothing_runs_before_the_first_pass(parts):
    context = parts.sparkSession.sparkContext
    context.setJobGroup("before the first pass", "")
    for keep in (True, False):
        columns = columns_of(parts.columns, "price", None, FEATURES)
        with kore.spark.SparkRows(parts.dropDuplicates(), columns, keep):
            pass
    assert not context.statusTracker().getJobIdsForGroup("before the first pass")
    context.setLocalProperty("spark.jobGroup.id", None)


def test_predictions_on_spark_are_those_of_the_local_model(table, parts, model, tmp_path):
    expected, lower, upper = model.predict(table, return_interval=0.9)
    model.save(tmp_path / "model.kore")
    for fitted in (model, kore.spark.load(tmp_path / "model.kore")):
        found = fitted.transform(parts, interval=0.9).toArrow()
        assert found.column_names == [*table.column_names, "prediction", "prediction_lower", "prediction_upper"]
        assert found.select(["city", "area", "price"]).equals(table.select(["city", "area", "price"]))
        assert (found.column("prediction").to_numpy() == expected).all()
        assert (found.column("prediction_lower").to_numpy() == lower).all()
        assert (found.column("prediction_upper").to_numpy() == upper).all()
    local = load(tmp_path / "model.kore")
    assert (kore.spark.transform(local, parts, "p").toArrow().column("p").to_numpy() == expected).all()


def test_a_model_is_sent_to_the_executors_once(table, parts, model, monkeypatch):
    context = parts.sparkSession.sparkContext
    sent = []
    monkeypatch.setattr(context, "broadcast", lambda value: sent.append(value) or broadcast(value))
    broadcast = type(context).broadcast.__get__(context)
    model.transform(parts)
    assert not sent  # it is small, and travels with the function
    monkeypatch.setattr("kore._spark_session.CARRIED_BYTES", 0)
    for _ in range(3):
        predictions = model.transform(parts)
    assert len(sent) == 1
    assert (predictions.toArrow().column("prediction").to_numpy() == model.predict(table)).all()


def test_columns_may_have_any_names(table, parts):
    """Dots and backticks mean something to Spark, and it takes names that differ by case for one."""
    names = ["city.name", "a`rea", "age", "AGE", "sold", "the price", "count.of"]
    odd = parts.toDF(*names)
    features = ["city.name", "a`rea", "AGE"]
    model = kore.spark.fit(odd, target="the price", weight="count.of", features=features, pairs="none")
    local = known_rows(table).rename_columns([*names[:5], "price", names[6]])
    check_same(model, local, features, "count.of", pairs="none")
    found = model.transform(odd, "pre.dicted").toArrow()
    assert found.column_names == [*names, "pre.dicted"]
    assert (found.column("pre.dicted").to_numpy() == model.predict(table.rename_columns(names))).all()


def test_rows_that_no_pass_can_use_are_refused_in_the_words_of_the_engine(parts):
    infinite = parts.selectExpr("area", "if(area > 190, double('inf'), area) as price")
    with pytest.raises(ValueError, match=r"finite") as refusal:
        kore.spark.fit(infinite, target="price")
    assert "Traceback" not in str(refusal.value)
    assert "java" not in str(refusal.value)


def test_tables_without_rows_or_targets_are_refused(parts):
    with pytest.raises(ValueError, match="There are no rows in the table"):
        kore.spark.fit(parts.limit(0), target="price")
    with pytest.raises(ValueError, match="The target 'price' has no value in any row"):
        kore.spark.fit(parts.selectExpr("area", "double(null) as price"), target="price")


def test_arguments_are_checked_before_any_row_is_read(parts, model):
    with pytest.raises(TypeError, match="works on DataFrames of Spark, got pandas"):
        kore.spark.fit(pandas.DataFrame({"a": [1.0]}), target="a")
    with pytest.raises(ValueError, match="no column 'cost'"):
        kore.spark.fit(parts, target="cost")
    with pytest.raises(ValueError, match="'city' is of type string; target and weight must be numbers"):
        kore.spark.fit(parts, target="city")
    with pytest.raises(TypeError, match=r"target takes names of columns.* got a value of type pyspark"):
        kore.spark.fit(parts, target=parts.price)
    with pytest.raises(ValueError, match=r"Column 'all' is of Spark's type array<double>, .* Leave it out"):
        kore.spark.fit(parts.selectExpr("array(area, age) as all", "price"), target="price")
    with pytest.raises(AttributeError, match="fitted on a cluster or comes from a file has no rows here"):
        model.loo_residuals_  # noqa: B018
    with pytest.raises(ValueError, match="no column 'city', which the model was fitted with"):
        model.transform(parts.drop("city"))
    with pytest.raises(ValueError, match="column 'price' already"):
        model.transform(parts, "price")
    with pytest.raises(ValueError, match="Column 'area' holds dates or times, but the model needs numbers"):
        model.transform(parts.withColumn("area", parts.sold))
    with pytest.raises(ValueError, match="Column 'area' is of Spark's type array<double>"):
        model.transform(parts.selectExpr("* except (area)", "array(area) as area"))


def test_what_reads_local_tables_refuses_those_of_spark(parts, model, tmp_path):
    y = [0.0, 1.0]
    for read in (
        lambda: model.predict(parts),
        lambda: model.score(parts, y),
        lambda: model.report(tmp_path / "report.html", parts, y),
        lambda: KORERegressor().fit(parts, y),
        lambda: KORERegressor().fit_chunks([(parts, y)]),
    ):
        with pytest.raises(TypeError, match=r"X is a DataFrame of Spark.*kore.spark.transform predicts.*toPandas"):
            read()


def test_a_model_that_is_too_large_is_refused_before_the_work(parts, monkeypatch):
    tight = kore.spark.read_settings(parts.sparkSession)
    assert (tight.tasks, tight.python_bytes) == (1, 2**30)
    monkeypatch.setattr(kore.spark, "read_settings", lambda session: type(tight)(10_000, "spark.x", 1, 1, 1, 1))
    with pytest.raises(ValueError, match=r"columns has a Gram matrix of .* Set spark.x to"):
        kore.spark.fit(parts, target="price", features=["age"])


def run_python(text, **environment):
    kept = {name: value for name, value in os.environ.items() if name not in ("JAVA_HOME", "PYTHONPATH")}
    return subprocess.run(
        [sys.executable, "-c", text], env={**kept, **environment}, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(("adapter", "missing"), [("spark", "pyspark"), ("dask", "dask")])
def test_without_its_library_an_adapter_says_what_to_install(adapter, missing):
    done = run_python(
        f"import sys; sys.modules['{missing}'] = None\n"
        "import kore; kore.KORERegressor().fit([[i / 9.0] for i in range(30)], range(30)); print('works')\n"
        f"import kore.{adapter}"
    )
    assert done.stdout == "works\n"
    assert f"ImportError: kore.{adapter} needs {missing}" in done.stderr
    assert f"pip install 'kore[{adapter}]'" in done.stderr


def test_without_java_the_import_says_what_to_install(tmp_path):
    done = run_python("import kore; print('works')\nimport kore.spark", PATH=str(tmp_path))
    assert done.stdout == "works\n"
    assert "ImportError: kore.spark needs Java 17 or later" in done.stderr
    assert "openjdk-17-jre-headless" in done.stderr
