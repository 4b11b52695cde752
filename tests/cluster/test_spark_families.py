"""Families on a cluster: probabilities, counts, rates and amounts are those of one machine."""

import kore
import kore.spark
import pytest
from clusters import (
    DRIVER,
    check_families,
    check_same_family,
    claims_table,
    column_of,
    cut,
    family_here,
    in_spark,
    known_rows,
)

# Below, the driver gets all rows as the sample; above, a sample decides and every Newton step is a pass.
SIZES = {"sample": 1500, "passes": 12_000}


@pytest.fixture(scope="module", params=SIZES.values(), ids=SIZES)
def drivers(request, session):
    table = claims_table(request.param)
    return table, in_spark(session, cut(table))


@pytest.mark.parametrize(
    ("family", "weight"),
    [("binomial", None), ("poisson", None), ("gamma", "count"), ("negative_binomial", "count")],
)
def test_families_are_those_of_one_machine(drivers, family, weight):
    table, df = drivers
    rows = known_rows(table, family)
    model = kore.spark.fit(df, family, weight, DRIVER, family=family)
    found = check_same_family(model, family_here(rows, family, weight, family=family), rows)
    print(f"{family}, {table.num_rows} rows, {len(model.passes_)} passes: means differ by {found:.1e}")
    assert model.structure_ != "additive"
    kinds = [record["kind"] for record in model.passes_]
    assert (kinds.count("gram") + kinds.count("dense products") >= 2) == (table.num_rows > 5000)
    assert (column_of(model.transform(df), "prediction") == model.predict(table)).all()


def test_labels_and_exposures(drivers):
    table, df = drivers
    check_families(kore.spark, df, table)


def test_rows_kept_nowhere_and_results_merged_by_executors_give_the_same_bits(drivers, monkeypatch):
    table, df = drivers
    model = kore.spark.KOREClassifier().fit(df, "label", "count", DRIVER)
    monkeypatch.setattr(kore.spark, "DIRECT_BYTES", 0)
    again = kore.spark.KOREClassifier().fit(df, "label", "count", DRIVER, keep=False)
    assert (again.predict_proba(table) == model.predict_proba(table)).all()


def test_the_command_and_python_read_what_spark_has_fitted(drivers, tmp_path):
    table, df = drivers
    model = kore.spark.KOREClassifier().fit(df, "label", features=DRIVER)
    model.save(tmp_path / "model.kore")
    assert (kore.load(tmp_path / "model.kore").predict_proba(table) == model.predict_proba(table)).all()
    loaded = kore.spark.load(tmp_path / "model.kore")
    assert type(loaded) is kore.spark.KOREClassifier
    assert (column_of(loaded.transform(df), "prediction") == model.predict_proba(table)[:, 1]).all()


@pytest.mark.parametrize(
    ("family", "target", "sentence"),
    [
        ("binomial", "poisson", "the binomial family needs 0 and 1"),
        ("poisson", "poisson - 1", "families of counts need values of at least 0"),
        ("gamma", "poisson", "the gamma family needs positive ones"),
        ("negative_binomial", "-poisson", "families of counts need values of at least 0"),
        ("poisson", "poisson * 0", "nothing to learn"),
    ],
)
def test_bad_targets_get_the_sentences_of_one_machine(session, family, target, sentence):
    table = claims_table(300)
    df = in_spark(session, cut(table)).selectExpr("age", "power", f"{target} as y")
    with pytest.raises(ValueError, match=sentence) as there:
        kore.spark.fit(df, "y", family=family)
    rows = df.where("y is not null").toPandas()
    with pytest.raises(ValueError) as here:
        kore.KORERegressor(family=family).fit(rows[["age", "power"]], rows["y"])
    assert str(there.value) == str(here.value)
