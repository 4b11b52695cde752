"""Rows explained, and columns ranked by how much they matter."""

import kore
import numpy as np
import pandas
import polars
import pyarrow
import pytest
from kore import KOREClassifier, KORERegressor


@pytest.fixture(scope="module")
def dependent():
    """Two features that nearly determine each other, a category, gaps, and a column that does nothing."""
    random = np.random.default_rng(5)
    a = random.uniform(0, 1, 600)
    X = pandas.DataFrame(
        {
            "a": a,
            "b": 0.8 * a + 0.2 * random.uniform(0, 1, 600),
            "kind": random.choice(["x", "y", "z"], 600),
            "idle": random.uniform(0, 1, 600),
        }
    )
    y = np.sin(5 * X["a"]) + 4 * X["a"] * X["b"] + (X["kind"] == "y") * X["b"] + random.normal(0, 0.05, 600)
    X.loc[::17, "b"] = np.nan
    return X, y.to_numpy()


@pytest.fixture(scope="module")
def model(dependent):
    return KORERegressor().fit(*dependent)


def effects_of(table):
    return table[[name for name in table.columns if name.startswith("effect of ")]]


@pytest.mark.parametrize("raw", [False, True])
def test_constant_and_effects_add_up_to_the_prediction(model, dependent, raw):
    X = dependent[0].copy()
    X.loc[3, "a"] = 7.0  # outside
    X.loc[4, "kind"] = "never seen"
    X.index = X.index + 1000
    with pytest.warns(UserWarning):
        table = model.explain(X, raw=raw)
    with pytest.warns(UserWarning):
        np.testing.assert_array_equal(table["prediction"], model.predict(X))
    np.testing.assert_array_equal(table.index, X.index)
    np.testing.assert_allclose(table["constant"] + effects_of(table).sum(axis=1), table["sum"], rtol=0, atol=1e-10)
    inside = np.delete(np.arange(len(X)), 3)
    np.testing.assert_allclose(table["sum"].iloc[inside], table["prediction"].iloc[inside])


def test_effects_of_rows_are_those_of_the_command(model, dependent, tmp_path, command):
    X = dependent[0]
    model.save(tmp_path / "m.kore")
    X.to_parquet(tmp_path / "rows.parquet")
    command("explain", "m.kore", "rows.parquet", "-o", "explained.parquet", folder=tmp_path)
    theirs = pandas.read_parquet(tmp_path / "explained.parquet")
    pandas.testing.assert_frame_equal(theirs, model.explain(X).reset_index(drop=True), check_exact=True)


@pytest.mark.parametrize("make", [polars.from_pandas, pyarrow.Table.from_pandas], ids=["polars", "pyarrow"])
def test_explanations_come_in_the_users_library(dependent, make):
    X, y = dependent
    table = make(X)
    explained = KORERegressor().fit(table, y).explain(table)
    assert type(explained) is type(table)


def test_classes_are_explained_on_the_scale_of_the_log_odds(dependent):
    X, y = dependent
    model = KOREClassifier().fit(X, y > np.median(y))
    table = model.explain(X)
    np.testing.assert_allclose(table["constant"] + effects_of(table).sum(axis=1), table["sum"], rtol=0, atol=1e-10)
    np.testing.assert_allclose(model.predict_proba(X)[:, 1], table["prediction"])
    odds = np.log(table["prediction"] / (1 - table["prediction"]))
    middle = table["prediction"].between(0.01, 0.99)
    np.testing.assert_allclose(odds[middle], table["sum"][middle], atol=1e-9)


def test_importances_of_columns_add_up_to_one(model, dependent):
    X, _ = dependent
    shares = model.feature_importances_
    assert shares.shape == (4,)
    assert shares.sum() == pytest.approx(1)
    assert abs(shares[3]) < 0.01 < shares[2]
    ranked = kore.importance(model, X)
    assert list(ranked.columns) == ["feature", "share"]
    assert ranked["share"].sum() == pytest.approx(1)
    assert list(ranked["share"]) == sorted(ranked["share"], reverse=True)
    # Over the training rows they are those of the model.
    np.testing.assert_allclose(ranked.set_index("feature")["share"][X.columns], shares, atol=1e-6)


def test_a_column_that_matters_adds_to_the_loss_where_it_is_shuffled(model, dependent):
    X, y = dependent
    for table in (X, polars.from_pandas(X), pyarrow.Table.from_pandas(X)):
        ranked = kore.importance(model, table, y, repeats=2, seed=3).set_index("feature")["loss_added"]
        assert ranked["a"] > 0.1 > 0.01 > abs(ranked["idle"])
        assert ranked["kind"] > 0
    again = kore.importance(model, X, y, repeats=2, seed=3)
    pandas.testing.assert_frame_equal(again, kore.importance(model, X, y, repeats=2, seed=3))


def test_several_classes_share_their_importances(dependent):
    X, y = dependent
    model = KOREClassifier().fit(X, np.digitize(y, np.quantile(y, [0.3, 0.7])))
    assert model.feature_importances_.sum() == pytest.approx(1)
    ranked = kore.importance(model, X, np.digitize(y, np.quantile(y, [0.3, 0.7])), repeats=1)
    assert ranked["share"].sum() == pytest.approx(1)


def test_raw_effects_are_the_terms_as_they_were_fitted(model):
    raw = {tuple(effect["features"]) for effect in model.effects_}
    assert set(model.effects(points=5, surface_points=3, raw=True)["term"]) == {" × ".join(term) for term in raw}
    assert model.effects(points=5, surface_points=3)["effect"].notna().all()
