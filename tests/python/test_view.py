"""What a model shows: effects, charts, its story."""

import json

import numpy as np
import pandas
import polars
import pyarrow
import pytest
from kore import KOREAdditiveRegressor, KORERegressor


@pytest.mark.parametrize(
    ("convert", "kind"),
    [
        (lambda X: X, pandas.DataFrame),
        (lambda X: pandas.DataFrame(X, columns=list("abcd")), pandas.DataFrame),
        (lambda X: polars.DataFrame(X, schema=list("abcd")), polars.DataFrame),
        (lambda X: pyarrow.table({name: X[:, j] for j, name in enumerate("abcd")}), pyarrow.Table),
    ],
    ids=["numpy", "pandas", "polars", "pyarrow"],
)
def test_effects_come_as_a_table_of_the_users_library(waves, convert, kind):
    X, y = waves
    table = KORERegressor().fit(convert(X), y).effects(points=11, surface_points=5)
    assert isinstance(table, kind)
    names = table.column_names if kind is pyarrow.Table else list(table.columns)
    assert names == ["term", "kind", "share", "x1", "x2", "effect", "lower", "upper"]


def test_effects_have_the_bands_that_the_command_writes(waves, tmp_path, command):
    model = KORERegressor().fit(*waves)
    model.save(tmp_path / "waves.kore")
    table = model.effects(points=11, surface_points=5)
    text = command("effects", "waves.kore", "--format", "json", "--points", 11, "--surface-points", 5, folder=tmp_path)
    for term in json.loads(text)["terms"]:
        ours = table[table["term"] == " × ".join(term["features"])]
        np.testing.assert_array_equal(ours["effect"], term["effect"])
        if len(term["features"]) > 2:
            assert ours[["lower", "upper"]].isna().all(axis=None)
            continue
        assert (ours["lower"] < ours["effect"]).all()
        np.testing.assert_array_equal(ours["lower"], term["lower"])
        np.testing.assert_array_equal(ours["upper"], term["upper"])


@pytest.mark.parametrize(
    ("convert", "rows_of"),
    [
        (lambda X: X, lambda table: table.to_dict("records")),
        (polars.from_pandas, lambda table: table.to_dicts()),
        (pyarrow.table, lambda table: table.to_pylist()),
    ],
    ids=["pandas", "polars", "pyarrow"],
)
def test_levels_are_called_by_their_names(shop, convert, rows_of):
    columns, price = shop
    X = convert(pandas.DataFrame({name: columns[name] for name in ("city", "rooms", "area")}))
    rows = rows_of(KOREAdditiveRegressor().fit(X, price).effects(points=5))
    cities = {row["level1"]: row["effect"] for row in rows if row["term"] == "city"}
    assert set(cities) == {"Oslo", "Rome", "Köln", "(missing)", "(other)"}
    assert cities["Oslo"] > cities["Rome"]
    assert all(pandas.isna(row["level1"]) for row in rows if row["term"] == "rooms")


def test_effects_and_the_constant_add_up_to_the_prediction(waves):
    X, y = waves
    model = KOREAdditiveRegressor().fit(X, y)
    table = model.effects(points=401)
    point = X[17]
    total = model._model.constant
    for j in range(4):
        curve = table[table["term"] == f"x{j}"]
        total += np.interp(point[j], curve["x1"], curve["effect"])
    assert total == pytest.approx(model.predict([point])[0], abs=1e-3)


def test_the_most_important_effect_comes_first(waves):
    model = KORERegressor().fit(*waves)
    shares = [effect["share"] for effect in model.effects_]
    assert shares == sorted(shares, reverse=True)
    assert model.effects_[0]["features"] == ("x0",)
    assert sum(effect["covariance_share"] for effect in model.effects_) == pytest.approx(1)


def test_a_chart_is_shown_by_notebooks_and_saved_as_a_page(waves, tmp_path):
    chart = KORERegressor().fit(*waves).plot(terms=5)
    bundle = chart._repr_mimebundle_()
    specification = bundle["application/vnd.vegalite.v5+json"]
    assert specification["concat"][0]["title"].startswith("x0 (")
    assert len(specification["concat"]) == 5
    assert "var(--" not in str(specification)  # colours of a page that is not there
    assert "x0" in bundle["text/plain"]
    chart.save(tmp_path / "effects.html")
    page = (tmp_path / "effects.html").read_text()
    assert page.startswith("<!doctype html>") or page.startswith("<!DOCTYPE html>")
    assert "vega" in page
    assert [path.name for path in tmp_path.iterdir()] == ["effects.html"]


def test_a_triple_is_drawn_as_surfaces_at_three_values_of_its_last_feature(product_of_three):
    model = KORERegressor().fit(*product_of_three)
    titles = [panel["title"] for panel in model.plot(terms=99).to_dict()["concat"]]
    assert len(titles) == len(model.effects_) + 2
    slices = [title for title in titles if title.startswith("x0 × x1 at x2 = ")]
    assert len(slices) == 3
    colours = [
        panel["layer"][0]["encoding"]["color"]["scale"]["domain"]
        for panel in model.plot(terms=99).to_dict()["concat"]
        if panel["title"] in slices
    ]
    assert colours[0] == colours[1] == colours[2]


def test_names_in_charts_cannot_become_markup(waves, tmp_path):
    X, y = waves
    table = pandas.DataFrame(X, columns=["<script>alert(1)</script>", "b", "c", "d"])
    model = KOREAdditiveRegressor().fit(table, y)
    model.plot().save(tmp_path / "effects.html")
    assert "<script>alert" not in (tmp_path / "effects.html").read_text()
    assert "<script>alert" not in model._repr_mimebundle_()["text/html"]


def test_a_notebook_shows_the_story_below_the_parameters(waves):
    model = KORERegressor(degree=2)
    assert "Accuracy" not in model._repr_mimebundle_()["text/plain"]
    model.fit(*waves)
    bundle = model._repr_mimebundle_()
    assert bundle["text/plain"].startswith("KORERegressor(degree=2)")
    assert "leave-one-out RMSE" in bundle["text/plain"]
    assert "leave-one-out RMSE" in bundle["text/html"]
    assert repr(model) == "KORERegressor(degree=2)"


def test_the_story_is_the_commands(waves, tmp_path, command):
    model = KORERegressor().fit(*waves)
    model.save(tmp_path / "waves.kore")
    assert model.describe() in command("info", "waves.kore", folder=tmp_path)
