"""Offsets: known parts of the linear predictor."""

import numpy as np
import pytest
from kore import KOREClassifier, KORERegressor, load


@pytest.fixture(scope="module")
def rows():
    random = np.random.default_rng(4)
    X = random.uniform(size=(500, 2))
    offset = random.normal(size=500) / 2
    return X, np.sin(5 * X[:, 0]) + X[:, 1], offset, random


def test_an_offset_of_counts_is_the_logarithm_of_an_exposure(rows):
    X, eta, offset, random = rows
    y = random.poisson(np.exp(eta + offset))
    by_offset = KORERegressor(family="poisson").fit(X, y, offset=offset)
    by_exposure = KORERegressor(family="poisson").fit(X, y, exposure=np.exp(offset))
    expected = by_exposure.predict(X, 0.9, exposure=np.exp(offset))
    np.testing.assert_allclose(by_offset.predict(X, 0.9, offset=offset), expected)
    assert by_offset.score(X, y, offset=offset) == pytest.approx(by_exposure.score(X, y, exposure=np.exp(offset)))


def test_an_offset_of_amounts_is_the_logarithm_of_a_factor(rows, tmp_path):
    X, eta, offset, random = rows
    y = random.gamma(3, np.exp(eta + offset) / 3)
    model = KORERegressor(family="gamma").fit(X, y, offset=offset)
    plain = KORERegressor(family="gamma").fit(X, y / np.exp(offset))
    np.testing.assert_allclose(model.predict(X, offset=offset), plain.predict(X) * np.exp(offset))
    np.testing.assert_allclose(model.predict(X), plain.predict(X))
    np.testing.assert_allclose(model.loo_residuals_, plain.loo_residuals_ * np.exp(offset))
    model.save(tmp_path / "m.kore")
    np.testing.assert_array_equal(
        load(tmp_path / "m.kore").predict(X, 0.9, offset=offset), model.predict(X, 0.9, offset=offset)
    )


def test_an_offset_of_numbers_is_a_part_of_the_target(rows):
    X, eta, offset, random = rows
    y = eta + offset + random.normal(size=500) / 20
    model = KORERegressor().fit(X, y, offset=offset)
    assert model.score(X, y, offset=offset) > 0.98
    prediction, lower, upper = model.predict(X, 0.9, offset=offset)
    assert 0.85 < np.mean((lower <= y) & (y <= upper)) < 0.96
    np.testing.assert_allclose(prediction - offset, model.predict(X))


def test_offsets_are_refused_where_they_cannot_be(rows):
    X, eta, offset, random = rows
    y = random.poisson(np.exp(eta))
    with pytest.raises(ValueError, match="the family is 'negative_binomial'"):
        KORERegressor(family="negative_binomial").fit(X, y, offset=offset)
    with pytest.raises(ValueError, match="cannot both be given"):
        KORERegressor(family="poisson").fit(X, y, offset=offset, exposure=np.exp(offset))
    with pytest.raises(ValueError, match="offset contains NaN"):
        KORERegressor().fit(X, y, offset=np.where(offset > 1, np.nan, offset))
    model = KORERegressor(structure="additive").fit(X, y)
    with pytest.raises(ValueError, match="without an offset"):
        model.predict(X, offset=offset)
    with pytest.raises(ValueError, match="score needs the offset"):
        KORERegressor(structure="additive").fit(X, y, offset=offset).score(X, y)
    with pytest.raises(TypeError):
        KOREClassifier().fit(X, y > 1, offset=offset)
