"""Whatever table comes: a fit and its predictions are finite, or the error is one that scikit-learn would raise."""

import warnings

import numpy as np
import pandas
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some
from kore import KOREAdditiveRegressor, KOREPairwiseRegressor, KORERegressor

COMMON = settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))

estimators = some.sampled_from([KORERegressor, KOREAdditiveRegressor, KOREPairwiseRegressor])
profiles = some.sampled_from(["default", "paper"])
dtypes = some.sampled_from([np.float64, np.float32, np.int64, np.int8, np.uint16, bool])


@some.composite
def arrays(draw):
    """Numbers of any size, type and order, often with ties, constant columns and gaps."""
    rows, columns = draw(some.integers(2, 80)), draw(some.integers(1, 5))
    random = np.random.default_rng(draw(some.integers(0, 2**32 - 1)))
    X = random.normal(size=(rows, columns)) * 10 ** draw(some.floats(-6, 6))
    if draw(some.booleans()):
        X = np.round(X / (np.abs(X).max() + 1e-9) * 3)
    X = X.astype(draw(dtypes))
    if draw(some.booleans()):
        X[:, draw(some.integers(0, columns - 1))] = X[0, 0]
    if X.dtype.kind == "f" and draw(some.booleans()):
        X[random.random(X.shape) < draw(some.floats(0, 0.9))] = np.nan
    return np.asfortranarray(X) if draw(some.booleans()) else X


@some.composite
def tables(draw):
    """Columns of texts, numbers, yes and no, and times, each with gaps."""
    rows = draw(some.integers(2, 60))
    random = np.random.default_rng(draw(some.integers(0, 2**32 - 1)))
    columns = {}
    for place in range(draw(some.integers(1, 4))):
        kind = draw(some.sampled_from(["text", "number", "flag", "time", "category"]))
        if kind in ("text", "category"):
            levels = draw(some.lists(some.text(max_size=6), min_size=1, max_size=5))
            column = pandas.Series(random.choice(np.array(levels, dtype=object), rows), dtype=object)
        elif kind == "number":
            column = pandas.Series(random.integers(0, 9, rows), dtype="Float64")
        elif kind == "flag":
            column = pandas.Series(random.random(rows) < 0.5, dtype="boolean")
        else:
            column = pandas.Series(
                pandas.to_datetime("2024-01-01") + pandas.to_timedelta(random.integers(0, 999, rows), "h")
            )
        gaps = random.random(rows) < draw(some.sampled_from([0, 0.2, 1]))
        column[gaps] = None
        columns[f"c{place}"] = column.astype("category") if kind == "category" else column
    return pandas.DataFrame(columns)


def expect_finite_or_a_value_error(estimator, X, y, new):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            predicted = estimator.fit(X, y).predict(new)
        except ValueError as error:
            assert str(error)
            return
    assert predicted.shape == (len(new),)
    assert np.isfinite(predicted).all()
    assert not np.isnan(estimator.loo_)


@COMMON
@given(arrays(), estimators, profiles, some.integers(0, 2**32 - 1))
def test_arrays_never_crash_and_never_give_nan(X, estimator, profile, seed):
    y = np.random.default_rng(seed).normal(size=len(X))
    expect_finite_or_a_value_error(estimator(profile=profile), X, y, X)


@COMMON
@given(tables(), estimators, profiles, some.integers(0, 2**32 - 1))
def test_tables_never_crash_and_never_give_nan(table, estimator, profile, seed):
    random = np.random.default_rng(seed)
    y = random.normal(size=len(table))
    new = table.sample(frac=1, replace=True, random_state=seed % 1000).iloc[::-1]
    expect_finite_or_a_value_error(estimator(profile=profile), table, y, new)


@settings(COMMON, max_examples=25)
@given(some.integers(0, 2**32 - 1), some.sampled_from(["C", "F"]), some.sampled_from([np.float64, np.float32]))
def test_order_and_width_of_numbers_do_not_matter(seed, order, dtype):
    random = np.random.default_rng(seed)
    X = random.uniform(size=(60, 2)).astype(np.float32)
    y = np.sin(3 * X[:, 0]) + X[:, 1]
    expected = KOREAdditiveRegressor().fit(X.astype(float), y).predict(X.astype(float))
    other = np.array(X, dtype=dtype, order=order)
    np.testing.assert_array_equal(KOREAdditiveRegressor().fit(other, y).predict(other), expected)


@settings(COMMON, max_examples=25)
@given(some.integers(0, 2**32 - 1), some.permutations(range(3)))
def test_the_order_of_named_columns_does_not_matter_for_prediction(seed, order):
    random = np.random.default_rng(seed)
    table = pandas.DataFrame(random.uniform(size=(50, 3)), columns=list("abc"))
    model = KOREAdditiveRegressor().fit(table, table["a"] ** 2 + table["b"])
    np.testing.assert_array_equal(model.predict(table.iloc[:, list(order)]), model.predict(table))
