"""Simple models, choices for single columns, and what is kept with a model."""

import kore
import numpy as np
import pandas as pd
import pytest
from kore import KOREClassifier, KORERegressor


@pytest.fixture(scope="module")
def table():
    random = np.random.default_rng(5)
    X = pd.DataFrame(random.uniform(size=(300, 4)), columns=["a", "b", "c", "d"])
    X["zip"] = random.integers(10, 16, 300)
    y = 2 * np.sin(5 * X["a"]) + 0.1 * X["b"] + 0.5 * (X["zip"] == 12) + random.normal(size=300) * 0.3
    return X, y


def terms(model):
    return [effect["features"] for effect in model.effects_]


def test_max_terms_keeps_the_terms_that_matter(table):
    model = KORERegressor(max_terms=1).fit(*table)
    assert terms(model) == [("a",)]


def test_simple_has_fewer_terms_and_a_stated_error_of_its_own(table):
    best, simple = KORERegressor().fit(*table), KORERegressor(simple=True).fit(*table)
    assert len(terms(simple)) < len(terms(best))
    assert "the simplest model" in simple.describe()


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"simple": 1}, "simple must be True or False"),
        ({"max_terms": 0}, "max_terms must be an integer of 1 or more"),
        ({"max_terms": 2, "profile": "paper"}, "belong to the default profile"),
        ({"max_columns": -1}, "max_columns must be an integer"),
        ({"features": {"a": "round"}}, "it may be 'category', 'linear' or 'curve'"),
        ({"features": {"nobody": "linear"}}, "not among the features"),
        ({"features": ["a"]}, "must be None or a dictionary"),
    ],
)
def test_parameters_are_checked(table, parameters, words):
    with pytest.raises(ValueError, match=words):
        KORERegressor(**parameters).fit(*table)


def test_features_says_what_columns_are(table):
    X, y = table
    model = KORERegressor(structure="additive", features={"zip": "category", 0: "linear"}).fit(X, y)
    kinds = dict(zip(model.effects()["term"], model.effects()["kind"], strict=True))
    assert kinds["zip"] == "levels"
    assert kinds["a"] == "linear"
    assert kinds["b"] == "curve"


def test_a_limit_on_columns_makes_the_model_smaller(table):
    small = KORERegressor(max_columns=12).fit(*table)
    assert "columns" in small.describe()
    assert small._model.to_json().count('"few_terms"') > 0


def test_residuals_of_changed_rows_are_refused(table):
    X, y = table[0][["a", "b"]].to_numpy().copy(), table[1].to_numpy().copy()
    model = KORERegressor(structure="additive").fit(X, y)
    y[3] += 1
    with pytest.raises(ValueError, match="have been changed since"):
        _ = model.loo_residuals_
    y[3] -= 1
    assert len(model.loo_residuals_) == 300
    model = KORERegressor(structure="additive").fit(X, y)
    X[7, 1] += 1
    with pytest.raises(ValueError, match="have been changed since"):
        _ = model.loo_residuals_


def test_parameters_are_saved_with_the_model(table, tmp_path):
    X, y = table
    model = KORERegressor(pairs=[("a", "b")], features={"zip": "category"}, max_terms=4).fit(X, y)
    model.save(tmp_path / "model.kore")
    loaded = kore.load(tmp_path / "model.kore")
    assert loaded.get_params() == model.get_params()
    assert (loaded.predict(X) == model.predict(X)).all()


def test_classes_take_the_same_choices(table):
    X, y = table
    model = KOREClassifier(max_terms=1).fit(X, y > y.median())
    assert terms(model) == [("a",)]


def test_tables_that_cannot_be_read_are_refused_in_a_sentence(table):
    X, y = table
    levels = X[["a", "b"]].copy()
    levels.columns = pd.MultiIndex.from_tuples([("u", "a"), ("u", "b")])
    with pytest.raises(ValueError, match="MultiIndex"):
        KORERegressor().fit(levels, y)
    polars = pytest.importorskip("polars")
    with pytest.raises(TypeError, match=r"Give X\.collect\(\)"):
        KORERegressor().fit(polars.DataFrame(X.to_dict("list")).lazy(), y)


def test_charts_show_in_every_notebook(table, tmp_path):
    chart = KORERegressor().fit(*table).plot(terms=3)
    shown = chart._repr_mimebundle_()
    assert shown["text/html"].count("<svg") == 1
    assert "<script" not in shown["text/html"]
    assert "application/vnd.vegalite.v5+json" in shown
    chart.save(tmp_path / "effects.svg")
    assert (tmp_path / "effects.svg").read_text(encoding="utf-8").startswith("<svg")


def test_a_figure_of_matplotlib(table):
    pytest.importorskip("matplotlib")
    figure = KORERegressor().fit(*table).plot(terms=2, backend="matplotlib")
    assert len(figure.axes) >= 2
    with pytest.raises(ValueError, match="backend must be"):
        KORERegressor().fit(*table).plot(backend="plotly")
