"""The scale of the target: chosen, asked for, refused, and the same from partitions."""

import numpy as np
import pandas
import pytest
from kore import KOREAdditiveRegressor, KORERegressor


def prices(rows=500, seed=5):
    random = np.random.default_rng(seed)
    ranges = {"size": (1, 9), "age": (0, 50), "floor": (0, 5)}
    table = pandas.DataFrame({name: random.uniform(*ends, rows) for name, ends in ranges.items()})
    logarithm = 2 - table["age"] / 20 + table["floor"] / 3 + 0.4 * random.standard_normal(rows)
    price = table["size"] * np.exp(logarithm)
    return table, price.rename("price")


def test_noise_that_multiplies_asks_for_the_logarithm():
    X, y = prices()
    model = KORERegressor().fit(X, y)
    assert model.target_scale_ == "log"
    assert abs(model.predict(X).sum() / y.sum() - 1) < 0.02
    assert KORERegressor(target_scale="identity").fit(X, y).target_scale_ == "identity"


def test_residuals_and_intervals_are_in_units_of_the_target():
    X, y = prices()
    model = KOREAdditiveRegressor(target_scale="log").fit(X, y)
    left_out = y - model.loo_residuals_
    assert (left_out > 0).all()
    assert abs(np.log(left_out / model.predict(X))).max() < 0.5
    prediction, lower, upper = model.predict(X, return_interval=0.9)
    assert (lower > 0).all() and (lower < prediction).all() and (prediction < upper).all()
    assert 0.85 < np.mean((lower <= y) & (y <= upper)) < 0.95


def test_a_scale_that_is_not_one_or_not_of_the_profile_is_refused():
    X, y = prices(60)
    with pytest.raises(ValueError, match="target_scale"):
        KORERegressor(target_scale="cube").fit(X, y)
    with pytest.raises(ValueError, match="The paper profile fits the target as it is"):
        KORERegressor(target_scale="log", profile="paper").fit(X, y)
    with pytest.raises(ValueError, match="cannot be taken on the logarithmic scale"):
        KORERegressor(target_scale="log").fit(X, y - y.max())


def test_partitions_of_dask_give_the_model_of_the_whole():
    dask = pytest.importorskip("dask.dataframe")
    import kore.dask

    X, y = prices(900)
    table = X.assign(price=y)
    model = kore.dask.fit(dask.from_pandas(table, npartitions=4), target="price", target_scale="log")
    whole = KORERegressor(target_scale="log").fit(X, y)
    np.testing.assert_allclose(model.predict(X), whole.predict(X), rtol=1e-9)
