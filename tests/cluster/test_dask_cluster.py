"""The second adapter on workers that are processes of their own."""

import dask
import dask.dataframe
import kore.dask
import pytest
from clusters import check_families, check_same, claims_table, cut, known_rows
from distributed import Client, LocalCluster

FEATURES = ["city", "area", "age", "garden", "sold"]


@pytest.fixture(scope="module", autouse=True)
def client():
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        yield client


@pytest.mark.parametrize("profile", ["default", "paper"])
@pytest.mark.parametrize("kind", ["KOREAdditiveRegressor", "KOREPairwiseRegressor"])
def test_skewed_and_empty_partitions(table, kind, profile):
    parts = [dask.delayed(part) for part in cut(table)]
    model = getattr(kore.dask, kind)(profile=profile).fit(parts, "price", "count", FEATURES)
    check_same(model, known_rows(table), FEATURES, "count", kind, profile=profile)


def test_predictions_are_those_of_the_local_model(table):
    ddf = dask.dataframe.from_pandas(table.to_pandas(), npartitions=5)
    model = kore.dask.fit(ddf, "price", features=FEATURES)
    assert (model.transform(ddf).compute()["prediction"] == model.predict(table)).all()


def test_families_are_those_of_one_machine():
    """More rows than decide on the structure, so that Newton's steps are passes over the workers."""
    table = claims_table(7000)
    check_families(kore.dask, dask.dataframe.from_pandas(table.to_pandas(), npartitions=5), table)
