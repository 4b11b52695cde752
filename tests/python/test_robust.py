"""Gross errors in the target do not bend a robust fit, however the rows are read."""

import json

import numpy as np
import pandas
import pytest
from kore import KOREAdditiveRegressor, KORERegressor, load


def measurements(rows=600, seed=5):
    random = np.random.default_rng(seed)
    X = random.random((rows, 3))
    truth = np.sin(5 * X[:, 0]) + X[:, 1] ** 2
    y = truth + 0.1 * random.standard_normal(rows)
    wrong = np.arange(rows) % 50 == 7
    return X, np.where(wrong, y + 30, y), truth


def error(model, X, truth):
    return np.sqrt(np.mean((model.predict(X) - truth) ** 2))


def test_gross_errors_do_not_bend_the_fit():
    X, y, truth = measurements()
    plain = KORERegressor().fit(X, y)
    robust = KORERegressor(loss="robust").fit(X, y)
    assert error(robust, X, truth) < 0.05
    assert error(plain, X, truth) > 5 * error(robust, X, truth)
    story = json.loads(robust._model.to_json())
    assert story["robust"]["discounted"] == 12
    assert story["robust"]["scale"] == pytest.approx(0.1, rel=0.2)
    assert "count for less than half" in robust.describe()


def test_left_out_residuals_of_wrong_rows_are_their_whole_errors():
    X, y, _ = measurements()
    model = KOREAdditiveRegressor(loss="robust").fit(X, y)
    wrong = np.arange(len(y)) % 50 == 7
    np.testing.assert_allclose(model.loo_residuals_[wrong], (y - model.predict(X))[wrong], rtol=1e-9)


def test_a_loaded_model_knows_its_loss(tmp_path):
    X, y, _ = measurements(200)
    KORERegressor(loss="robust").fit(X, y).save(tmp_path / "m.kore")
    assert load(tmp_path / "m.kore").loss == "robust"


def test_the_paper_profile_refuses_it():
    X, y, _ = measurements(100)
    with pytest.raises(ValueError, match="default profile"):
        KORERegressor(loss="robust", profile="paper").fit(X, y)
    with pytest.raises(ValueError, match="loss must be 'squared' or 'robust'"):
        KORERegressor(loss="huber").fit(X, y)


def test_chunks_give_the_fit_of_the_whole_table():
    X, y, _ = measurements()
    table = pandas.DataFrame(X, columns=["a", "b", "c"])
    whole = KORERegressor(loss="robust").fit(table, y)
    pieces = [(table[first : first + 150], y[first : first + 150]) for first in range(0, 600, 150)]
    parts = KORERegressor(loss="robust").fit_chunks(pieces)
    np.testing.assert_allclose(parts.predict(table), whole.predict(table), rtol=1e-9)
