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
        ({"features": {"a": "round"}}, "it may be 'category', 'linear', 'cyclic' or 'curve'"),
        ({"features": {"a": {"colour": 3}}}, "or a dictionary with the keys 'kind', 'max_resolution' or 'cyclic'"),
        ({"features": {"a": {"max_resolution": 0}}}, "max_resolution of 'a' must be an integer"),
        ({"features": {"a": {"cyclic": -1}}}, "cyclic of 'a' must be True, False or a period"),
        ({"features": {"a": {"kind": "linear", "cyclic": True}}}, "has no curve with a resolution or a period"),
        ({"features": {"a": {"kind": "cyclic", "cyclic": False}}}, "says 'cyclic' of 'a' and cyclic=False beside it"),
        ({"features": {"a": "cyclic"}}, "do not tell after how much they begin again"),
        ({"features": {"a": {"cyclic": 1e-300}}}, "too short beside its values"),
        ({"features": {"a": "cyclic"}, "profile": "paper"}, "belong to the default profile"),
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


def test_hours_begin_again(table):
    random = np.random.default_rng(6)
    X = pd.DataFrame({"hour": random.integers(0, 24, 500), "x": random.uniform(size=500)})
    y = np.sin(X["hour"] / 24 * 2 * np.pi) + X["x"] + random.normal(size=500) * 0.2
    model = KORERegressor(features={"hour": {"max_resolution": 8, "cyclic": True}}).fit(X, y)
    curve = model.effects()[lambda effects: effects["term"] == "hour"]
    assert curve["x1"].max() == 24
    assert curve["effect"].iloc[0] == pytest.approx(curve["effect"].iloc[-1], abs=1e-10)
    assert any("begins again after 24" in note for note in model.notes_)
    resolutions = [
        resolution
        for effect in model.effects_
        for name, resolution in zip(effect["features"], effect["resolutions"], strict=True)
        if name == "hour"
    ]
    assert resolutions
    assert max(resolutions) <= 8
    later = X.assign(hour=X["hour"] + 24 * random.integers(-3, 4, 500))
    assert (model.predict(later) == model.predict(X)).all()
    days = X.assign(hour=X["hour"] + 24 * random.integers(0, 4, 500))
    rounds = KORERegressor(features={"hour": {"cyclic": 24.0}}, structure="additive").fit(days, y)
    assert rounds.effects()["x1"].max() == days["hour"].min() + 24
    given = KORERegressor(features={"hour": {"cyclic": 24.0}, 1: "linear"}, structure="additive").fit(X, y)
    assert given.effects()["x1"].max() == 24


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


def test_changed_tables_weights_and_reports_on_them_are_refused(table, tmp_path):
    X, y = table[0].copy(), table[1].to_numpy().copy()
    weights = np.ones(len(y))
    model = KORERegressor(structure="additive").fit(X, y, sample_weight=weights)
    weights[5] = 2
    with pytest.raises(ValueError, match="have been changed since"):
        _ = model.loo_residuals_
    with pytest.raises(ValueError, match="have been changed since"):
        model.report(tmp_path / "page.html")
    weights[5] = 1
    model.report(tmp_path / "page.html")
    (tmp_path / "page.html").unlink()
    y[3] += 1
    with pytest.raises(ValueError, match="have been changed since"):
        model.report(tmp_path / "page.html")
    assert not (tmp_path / "page.html").exists()
    y[3] -= 1
    assert len(model.loo_residuals_) == 300


def test_residuals_of_changed_columns_of_a_table_are_refused(table):
    X = table[0].copy()
    model = KORERegressor(structure="additive").fit(X, table[1])
    X.loc[7, "a"] += 1
    with pytest.raises(ValueError, match="have been changed since"):
        _ = model.loo_residuals_
    with pytest.raises(ValueError, match="have been changed since"):
        model.report("page.html")
    X.loc[7, "a"] -= 1
    values = np.asfortranarray(table[0].to_numpy())
    model = KORERegressor(structure="additive").fit(pd.DataFrame(values, columns=list("abcde"), copy=False), table[1])
    values[7, 0] += 1
    with pytest.raises(ValueError, match="have been changed since"):
        _ = model.loo_residuals_


def test_residuals_do_not_depend_on_what_becomes_of_the_exposures(table):
    X, years = table[0], np.random.default_rng(2).uniform(0.5, 2, 300)
    counts = np.random.default_rng(3).poisson(years * np.exp(X["a"])).astype(float)
    expected = (
        KORERegressor(family="poisson", structure="additive").fit(X, counts, exposure=years.copy()).loo_residuals_
    )
    model = KORERegressor(family="poisson", structure="additive").fit(X, counts, exposure=years)
    years *= 2
    np.testing.assert_array_equal(model.loo_residuals_, expected)


def test_parameters_are_saved_with_the_model(table, tmp_path):
    X, y = table
    features = {"zip": "category", "c": {"max_resolution": 6, "cyclic": 1.0}}
    model = KORERegressor(pairs=[("a", "b")], features=features, max_terms=4).fit(X, y)
    model.save(tmp_path / "model.kore")
    loaded = kore.load(tmp_path / "model.kore")
    assert loaded.get_params() == model.get_params()
    assert (loaded.predict(X) == model.predict(X)).all()
    assert (loaded.fit(X, y).predict(X) == model.predict(X)).all()


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


def test_few_whole_numbers_are_points_of_a_figure():
    pytest.importorskip("matplotlib")
    from kore._matplotlib import figure_of

    effect = {
        "kind": "curve", "name": "urban", "target": "y", "x": {"name": "urban", "points": [0, 1], "dates": False},
        "values": [-1, 1], "lower": [-2, 0], "upper": [0, 2], "value_places": [], "value_effects": [],
        "central": None, "single": True,
    }  # fmt: skip
    points = figure_of([effect], 1).axes[0]
    assert [tick for tick in points.get_xticks()] == [0, 1]
    assert any(line.get_marker() == "o" for line in points.lines)
    curve = figure_of([{**effect, "single": False}], 1).axes[0]
    assert not any(line.get_marker() == "o" for line in curve.lines)


def test_a_figure_of_matplotlib(table, tmp_path):
    pytest.importorskip("matplotlib")
    X = table[0].assign(day=pd.date_range("2020-01-01", periods=300), town=["Bonn", "Köln", "Ulm"] * 100)
    model = KORERegressor(pairs=[("a", "town")], structure="pairwise").fit(X, table[1] + (X["town"] == "Ulm") * X["a"])
    figure = model.plot(terms=20, backend="matplotlib")
    assert len(figure.axes) >= 5
    legends = [axes.get_legend() for axes in figure.axes if axes.get_legend() is not None]
    assert len(legends) == 1, "the pair of a number and three towns is three lines"
    assert [text.get_text() for text in legends[0].get_texts()] == ["Bonn", "Köln", "Ulm"]
    names = [label.get_text() for axes in figure.axes for label in axes.get_yticklabels()]
    assert {"Bonn", "Köln", "Ulm"} <= set(names)
    figure.canvas.draw()
    day = next(axes for axes in figure.axes if axes.get_xlabel() == "day")
    assert any("2020" in label.get_text() for label in day.get_xticklabels())
    chart = model.plot(terms=2)
    assert chart._repr_mimebundle_()["image/png"].startswith(b"\x89PNG")
    chart.save(tmp_path / "effects.png")
    assert (tmp_path / "effects.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(ValueError, match="backend must be"):
        KORERegressor().fit(*table).plot(backend="plotly")
