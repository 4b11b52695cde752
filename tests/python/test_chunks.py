"""A table in pieces gives the model of the whole."""

import itertools

import numpy as np
import pandas
import pytest
from kore import KOREAdditiveRegressor, KORERegressor


def pieces_of(X, y, *cuts):
    ends = [0, *cuts, len(y)]
    return [(X[a:b], y[a:b]) for a, b in itertools.pairwise(ends)]


@pytest.mark.parametrize("cuts", [(300,), (2, 3, 599), tuple(range(10, 600, 10))])
def test_chunks_of_arrays_give_the_bits_of_the_whole(waves, cuts):
    X, y = waves
    whole = KORERegressor().fit(X, y)
    model = KORERegressor().fit_chunks(pieces_of(X, y, *cuts))
    assert (model.structure_, model.G_star_, model.n_features_in_) == (whole.structure_, whole.G_star_, 4)
    np.testing.assert_allclose(model.predict(X), whole.predict(X), atol=1e-9)


def test_chunks_of_tables_are_encoded_as_the_whole(shop):
    columns, price = shop
    table = pandas.DataFrame(columns)
    whole = KORERegressor().fit(table, price)

    def read():
        for first in range(0, len(table), 90):
            part = slice(first, first + 90)
            yield table.iloc[part], price[part], np.ones(len(price[part]))

    model = KORERegressor().fit_chunks(read)
    np.testing.assert_allclose(model.predict(table), whole.predict(table), rtol=1e-9)
    assert list(model.feature_names_in_) == list(columns)
    assert model.pairs_ == whole.pairs_


def test_rows_that_change_between_passes_are_noticed(waves):
    X, y = waves
    left = iter(range(600, 0, -1))

    def shrinking():
        rows = next(left)
        yield X[:rows], y[:rows]

    with pytest.raises(ValueError, match="must be the same every time"):
        KOREAdditiveRegressor().fit_chunks(shrinking)


def test_an_error_in_the_reader_comes_through():
    def read():
        raise OSError("the disk is gone")
        yield

    with pytest.raises(OSError, match="the disk is gone"):
        KORERegressor().fit_chunks(read)


def test_no_chunks_are_refused():
    with pytest.raises(ValueError, match="no chunks"):
        KORERegressor().fit_chunks([])
