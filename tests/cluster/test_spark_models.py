"""A cluster of several processes finds the model of one machine: the same selections, the same coefficients."""

import kore
import kore.spark
import pytest
from clusters import check_same, cut, in_spark, known_rows, make_table

NUMBERS = ["area", "age"]
EVERYTHING = ["city", "area", "age", "garden", "sold"]
KINDS = ["KOREAdditiveRegressor", "KOREPairwiseRegressor", "KORERegressor"]
WAYS = {
    "skewed": None,  # nothing, one row, nothing again, nearly everything, a few
    "one": (),
    "many": tuple(place / 20 for place in range(1, 20)),
}


@pytest.fixture(scope="module")
def partitions(session, table):
    return {name: in_spark(session, cut(table) if way is None else cut(table, way)) for name, way in WAYS.items()}


@pytest.mark.parametrize("profile", ["default", "paper"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("weighted", [False, True], ids=["rows", "weights"])
@pytest.mark.parametrize("features", [NUMBERS, EVERYTHING], ids=["numbers", "everything"])
def test_skewed_and_empty_partitions(table, partitions, kind, profile, weighted, features):
    weight = "count" if weighted else None
    model = getattr(kore.spark, kind)(profile=profile).fit(partitions["skewed"], "price", weight, features)
    found = check_same(model, known_rows(table), features, weight, kind, profile=profile)
    print(f"{kind}, {profile}, {len(model.passes_)} passes: coefficients differ by {found:.1e}")


@pytest.mark.parametrize("way", ["one", "many"])
@pytest.mark.parametrize("profile", ["default", "paper"])
def test_however_the_rows_are_cut(table, partitions, way, profile):
    model = kore.spark.fit(partitions[way], "price", "count", EVERYTHING, profile=profile)
    check_same(model, known_rows(table), EVERYTHING, "count", profile=profile)


@pytest.mark.parametrize("profile", ["default", "paper"])
def test_results_merged_by_executors_have_the_same_bits(table, partitions, profile, monkeypatch):
    models = []
    for most in (0, 10**12):  # all merged by executors, all merged by the driver
        monkeypatch.setattr(kore.spark, "DIRECT_BYTES", most)
        models.append(kore.spark.fit(partitions["many"], "price", "count", EVERYTHING, profile=profile))
    assert (models[0].predict(table) == models[1].predict(table)).all()


def test_a_sample_of_a_longer_table_decides_as_on_one_machine(session):
    """Beyond 5,000 rows the default profile draws a sample, which must not depend on how rows are cut."""
    table = make_table(12_000, seed=5)
    model = kore.spark.fit(in_spark(session, cut(table)), "price", "count", EVERYTHING)
    check_same(model, known_rows(table), EVERYTHING, "count")


def test_the_command_reads_what_spark_has_fitted(table, partitions, tmp_path):
    model = kore.spark.fit(partitions["skewed"], "price", "count", EVERYTHING)
    model.save(tmp_path / "model.kore")
    assert (kore.load(tmp_path / "model.kore").predict(table) == model.predict(table)).all()
    scored = kore.spark.transform(kore.load(tmp_path / "model.kore"), partitions["many"]).toArrow()
    assert (scored.column("prediction").to_numpy() == model.predict(table)).all()
