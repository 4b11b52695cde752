"""The report: one file that explains a model."""

import json
import re

import numpy as np
import pandas
import pytest
from kore import KORERegressor, load


def model_in(path):
    """The model that a report carries for machines."""
    page = path.read_text()
    found = re.search(r'<script type="application/json" id="kore-model">(.*?)</script>', page, re.S)
    assert found
    return json.loads(found[1])


def test_a_report_shows_the_rows_of_the_fit(waves, tmp_path):
    X, y = waves
    model = KORERegressor().fit(X, y)
    model.report(tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text()
    assert page.startswith("<!doctype html>")
    assert f"those of the {len(y)} rows of the fit" in page
    carried = model_in(tmp_path / "report.html")
    assert [column["name"] for column in carried["columns"]] == ["x0", "x1", "x2", "x3"]
    assert carried["story"]["loo"] == pytest.approx(model.loo_)


def test_a_report_on_new_rows_says_so(waves, tmp_path):
    X, y = waves
    model = KORERegressor().fit(X[:300], y[:300])
    model.report(tmp_path / "report.html", X[300:], y[300:])
    assert "that the model was not fitted to" in (tmp_path / "report.html").read_text()


def test_a_loaded_model_has_a_report_without_rows(waves, tmp_path):
    X, y = waves
    KORERegressor().fit(X, y).save(tmp_path / "waves.kore")
    model = load(tmp_path / "waves.kore")
    model.report(tmp_path / "report.html")
    assert "shown when the report is given the table" in (tmp_path / "report.html").read_text()
    model.report(tmp_path / "report.html", X, y)
    assert "rows of the fit" in (tmp_path / "report.html").read_text()


def test_nothing_of_a_table_becomes_markup(tmp_path):
    generator = np.random.default_rng(3)
    name = "</script><b>x</b>"
    table = pandas.DataFrame({name: generator.uniform(size=80), "kind": generator.choice(["<i>", '"'], 80)})
    KORERegressor().fit(table, np.sin(5 * table[name])).report(tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text()
    assert "<b>x</b>" not in page
    assert "<i>" not in page
    assert model_in(tmp_path / "report.html")["columns"][0]["name"] == name


def test_half_of_a_table_is_refused(waves, tmp_path):
    X, y = waves
    with pytest.raises(ValueError, match="both X and y"):
        KORERegressor().fit(X, y).report(tmp_path / "report.html", X)
    assert not (tmp_path / "report.html").exists()


def test_a_place_that_cannot_be_written_is_named(waves, tmp_path):
    with pytest.raises(OSError, match="nowhere"):
        KORERegressor().fit(*waves).report(tmp_path / "nowhere" / "report.html")
