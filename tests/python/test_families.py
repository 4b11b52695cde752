"""Families of the target: counts, positive amounts, yes and no, and rates of counts over exposures."""

import json

import numpy as np
import pandas
import pytest
from kore import KOREAdditiveRegressor, KORERegressor, compare, load
from sklearn.linear_model import PoissonRegressor


def claims(rows=800, seed=5):
    """A table of drivers, the years each was insured, the number of claims, and the true rate per year."""
    random = np.random.default_rng(seed)
    table = pandas.DataFrame({"age": random.uniform(18, 80, rows), "power": random.uniform(40, 200, rows)})
    rate = np.exp(-0.3 + 0.8 * np.cos(table["age"] / 12) + 0.005 * table["power"])
    years = random.uniform(0.1, 2, rows)
    return table, years, random.poisson(years * rate), rate.to_numpy()


def deviance(y, mean):
    return 2 * np.mean(y * np.log(np.where(y > 0, y, mean) / mean) - (y - mean))


def test_counts_have_positive_means_that_add_up_to_the_counts():
    X, _, _, rate = claims()
    y = np.random.default_rng(1).poisson(rate)
    model = KORERegressor(family="poisson").fit(X, y)
    means = model.predict(X)
    assert (means > 0).all()
    assert means.sum() == pytest.approx(y.sum(), rel=1e-3)
    # Beside a straight line on the same scale, which cannot follow the wave along the age.
    line = PoissonRegressor(alpha=0).fit(X / X.std(), y).predict(X / X.std())
    assert deviance(rate, means) < 0.3 * deviance(rate, line)


def test_left_out_residuals_are_those_of_fits_without_the_row():
    X, _, _, rate = claims(120)
    y = np.random.default_rng(2).poisson(rate)
    model = KOREAdditiveRegressor(family="poisson").fit(X, y)
    left_out = y - model.loo_residuals_
    assert (left_out > 0).all()
    # Leaving a row out moves its mean away from its target.
    moved = (left_out - model.predict(X)) * (y - model.predict(X))
    assert (moved < 1e-9).all()
    assert model.loo_ == pytest.approx(deviance(y, left_out), rel=1e-6)


def test_rates_times_exposures_are_counts():
    X, years, y, rate = claims()
    model = KORERegressor(family="poisson").fit(X, y, exposure=years)
    np.testing.assert_allclose(model.predict(X, exposure=years), model.predict(X) * years)
    assert model.predict(X, exposure=years).sum() == pytest.approx(y.sum(), rel=1e-3)
    assert np.mean(np.abs(np.log(model.predict(X) / rate))) < 0.15
    assert model.loo_residuals_.sum() == pytest.approx(0, abs=0.02 * y.sum())
    np.testing.assert_allclose(
        model.score(X, y, exposure=years), 1 - np.var(y - model.predict(X, exposure=years)) / np.var(y), atol=1e-3
    )


def test_intervals_hold_whole_counts():
    X, years, y, _ = claims()
    model = KORERegressor(family="poisson").fit(X, y, exposure=years)
    mean, lower, upper = model.predict(X, return_interval=0.9, exposure=years)
    assert (lower <= mean).all() and (lower <= upper).all()
    np.testing.assert_array_equal(upper, upper.round())
    assert np.mean((lower <= y) & (y <= upper)) > 0.88


def test_a_unit_of_exposure_changes_nothing_but_the_rate():
    X, years, y, _ = claims(300)
    model = KORERegressor(family="poisson").fit(X, y, exposure=years)
    days = KORERegressor(family="poisson").fit(X, y, exposure=365 * years)
    np.testing.assert_allclose(days.predict(X) * 365, model.predict(X), rtol=5e-3)


def test_equal_exposures_are_no_exposures():
    X, _, _, rate = claims(300)
    y = np.random.default_rng(3).poisson(rate)
    model = KORERegressor(family="poisson").fit(X, y)
    rates = KORERegressor(family="poisson").fit(X, y, exposure=np.full(len(y), 2.0))
    np.testing.assert_allclose(rates.predict(X, exposure=np.full(len(y), 2.0)), model.predict(X), rtol=1e-6)


def test_positive_amounts_and_counts_that_vary_more():
    X, _, _, rate = claims()
    random = np.random.default_rng(4)
    costs = random.gamma(2, rate / 2)
    assert np.mean(np.abs(np.log(KORERegressor(family="gamma").fit(X, costs).predict(X) / rate))) < 0.15
    counts = random.poisson(random.gamma(1.5, 5 * rate / 1.5))
    model = KORERegressor(family="negative_binomial").fit(X, counts)
    assert np.mean(np.abs(np.log(model.predict(X) / (5 * rate)))) < 0.2
    assert 1 < json.loads(model._model.to_json())["family_parameter"] < 2.5


def test_a_probability_is_the_mean_of_zeros_and_ones():
    X, _, _, rate = claims()
    y = np.random.default_rng(6).uniform(size=len(X)) < rate / (1 + rate)
    model = KORERegressor(family="binomial").fit(X, y)
    shares = model.predict(X)
    assert ((shares > 0) & (shares < 1)).all()
    assert np.mean(np.abs(shares - rate / (1 + rate))) < 0.05
    with pytest.raises(ValueError, match="yes or no"):
        model.predict(X, return_interval=0.9)


@pytest.mark.parametrize(
    ("family", "spoil", "sentence"),
    [
        ("poisson", lambda y: y - 1.0, "families of counts need values of at least 0"),
        ("gamma", lambda y: y, "the gamma family needs positive ones"),
        ("negative_binomial", lambda y: -1.0 * y, "families of counts need values of at least 0"),
        ("binomial", lambda y: y, "the binomial family needs 0 and 1"),
        ("poisson", lambda y: 0 * y, "nothing to learn"),
    ],
)
def test_bad_targets_get_a_sentence(family, spoil, sentence):
    X, _, y, _ = claims(200)
    with pytest.raises(ValueError, match=sentence):
        KORERegressor(family=family).fit(X, spoil(y))


def test_bad_exposures_get_a_sentence():
    X, years, y, _ = claims(200)
    model = KORERegressor(family="poisson")
    with pytest.raises(ValueError, match="above 0 in every row, and its smallest value is 0"):
        model.fit(X, y, exposure=np.where(np.arange(200) == 7, 0, years))
    with pytest.raises(ValueError, match="exposure contains NaN"):
        model.fit(X, y, exposure=np.where(np.arange(200) == 7, np.nan, years))
    with pytest.raises(ValueError, match="exposure must have one value for each of the 200 rows"):
        model.fit(X, y, exposure=years[1:])
    with pytest.raises(ValueError, match="exposure belongs to family='poisson'"):
        KORERegressor().fit(X, y, exposure=years)
    with pytest.raises(ValueError, match="exposure and precision"):
        model.fit(X, y, precision=years, exposure=years)
    with pytest.raises(ValueError, match="fitted without exposures"):
        model.fit(X, y).predict(X, exposure=years)
    model.fit(X, y, exposure=years)
    with pytest.raises(ValueError, match="Intervals of a model of rates need the exposures"):
        model.predict(X, return_interval=0.9)
    with pytest.raises(ValueError, match="score needs the exposure"):
        model.score(X, y)


def test_parameters_that_do_not_go_together_are_refused():
    X, _, y, _ = claims(100)
    with pytest.raises(ValueError, match="The paper profile has the normal family only"):
        KORERegressor(family="poisson", profile="paper").fit(X, y)
    with pytest.raises(ValueError, match="loss='robust' belongs to family='normal'"):
        KORERegressor(family="poisson", loss="robust").fit(X, y)
    with pytest.raises(ValueError, match="target_scale='log' belongs to family='normal'"):
        KORERegressor(family="poisson", target_scale="log").fit(X, y)
    with pytest.raises(ValueError, match="family must be 'normal', 'binomial', 'poisson'"):
        KORERegressor(family="tweedie").fit(X, y)
    with pytest.raises(ValueError, match="compare is about the normal family"):
        compare(X, y, family="poisson")


def test_a_saved_model_keeps_family_and_exposure(tmp_path):
    X, years, y, _ = claims(300)
    model = KORERegressor(family="poisson").fit(X, y, exposure=pandas.Series(years, name="years"))
    model.save(tmp_path / "claims.kore")
    loaded = load(tmp_path / "claims.kore")
    assert loaded.family == "poisson"
    np.testing.assert_array_equal(loaded.predict(X, exposure=years), model.predict(X, exposure=years))
    assert "years" in loaded.describe()


def test_chunks_give_the_fit_of_the_whole_table():
    X, _, _, rate = claims(600)
    y = np.random.default_rng(7).poisson(rate)
    whole = KORERegressor(family="poisson").fit(X, y)
    parts = KORERegressor(family="poisson").fit_chunks([(X[k : k + 150], y[k : k + 150]) for k in range(0, 600, 150)])
    np.testing.assert_allclose(parts.predict(X), whole.predict(X), rtol=1e-6)


def test_partitions_of_dask_give_the_model_of_the_whole():
    dask = pytest.importorskip("dask.dataframe")
    import kore.dask

    X, _, _, rate = claims(600)
    table = X.assign(claims=np.random.default_rng(8).poisson(rate))
    model = kore.dask.fit(dask.from_pandas(table, npartitions=3), target="claims", family="poisson")
    whole = KORERegressor(family="poisson").fit(X, table["claims"])
    np.testing.assert_allclose(model.predict(X), whole.predict(X), rtol=1e-6)
