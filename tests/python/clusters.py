"""What the tests of clusters share: sessions of Spark, tables in partitions of any size, models as numbers."""

import itertools
import json
import os
import re
import sys
import tempfile
from pathlib import Path

import kore
import numpy as np
import pyarrow as pa
import pytest
from kore import _cluster_fits, _partitions
from kore._engine import Frame

# Nothing, one row, nothing again, nearly everything, a few: as tables lie in lakes.
SKEWED = (0.0, 0.0, 0.002, 0.002, 0.9, 0.95, 1.0, 1.0)


class ListOfPartitions:
    """Tables in a list, each a partition, and how every task went."""

    def __init__(self, parts, columns, fan_in=3):
        self.parts = parts
        self.columns = columns
        self.fan_in = fan_in
        self.tasks = []
        self.dropped = []

    def run(self, task):
        self.tasks.append(task)
        outcomes = {
            place: _partitions.run_partition(task, [part], self.columns) for place, part in enumerate(self.parts)
        }
        for _ in range(_partitions.levels_of(len(self.parts), self.fan_in)):
            outcomes = _partitions.merge_level(task, outcomes, self.fan_in)
        assert list(outcomes) == [0]
        self.dropped.append(outcomes[0].dropped)
        return outcomes[0].result

    def fit(self, estimator):
        self.example = Frame.from_stream(self.parts[0].slice(0, 0).select(list(self.columns.features)))
        _cluster_fits.fit_partitions(estimator, self, "parts", lambda columns: None)
        return estimator


def start_session(master):
    """A session of Spark whose executors are processes of their own, with this interpreter and its packages."""
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    session = (
        SparkSession.builder.master(master)
        .appName("kore tests")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.sql.warehouse.dir", tempfile.gettempdir())
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("OFF")
    return session


def make_table(rows=1500, seed=3):
    """A table as people have them: numbers, a category, yes and no, dates, gaps, rows without a target, weights."""
    random = np.random.default_rng(seed)
    city = random.choice(["Oslo", "Rome", "Köln", "Łódź"], rows).astype(object)
    area = random.uniform(20, 200, rows)
    age = random.integers(0, 90, rows).astype(float)
    garden = random.random(rows) < 0.3
    sold = np.datetime64("2024-01-01", "us") + random.integers(0, 700 * 86400, rows) * np.timedelta64(1, "s")
    price = 3 * area + 40 * np.sin(age / 9) + 0.02 * area * age + 50 * (city == "Oslo") + 30 * garden
    price += random.normal(0, 9, rows)
    area[5::29] = np.nan
    city[::37] = None
    price[11::101] = np.nan
    return pa.table(
        {
            "city": pa.array(city, pa.string()),
            "area": pa.array(area, from_pandas=True),
            "age": age,
            "garden": garden,
            "sold": sold,
            "price": pa.array(price, from_pandas=True),
            "count": random.integers(0, 3, rows).astype(float),
        }
    )


def known_rows(table, target="price"):
    """The rows that have a target, as a local fit wants them."""
    return table.filter(table.column(target).is_valid())


def cut(table, shares=SKEWED):
    """Partitions from one share of the rows to the next."""
    places = [0, *(round(share * table.num_rows) for share in shares), table.num_rows]
    return [table.slice(first, last - first) for first, last in itertools.pairwise(places)]


def in_spark(session, parts, before=None):
    """A DataFrame with exactly these partitions; `before(place)` is called on executors when one is read."""
    pickled = [part.combine_chunks() for part in parts]
    schema = session.createDataFrame(pickled[0].slice(0, 0)).schema

    def read(batches):
        for batch in batches:
            for place in batch.column(0).to_pylist():
                if before is not None:
                    before(place)
                yield from pickled[place].to_batches(max_chunksize=500)

    return session.range(0, len(parts), 1, len(parts)).mapInArrow(read, schema)


def model_in_report(model):
    """The model as numbers, from the report that carries them for machines."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "report.html"
        model._rows = None
        model.report(path)
        found = re.search(r'<script type="application/json" id="kore-model">(.*?)</script>', path.read_text(), re.S)
    return json.loads(found[1])


def local_fit(rows, features, weight=None, kind="KORERegressor", **parameters):
    """The model of one machine."""
    weights = None if weight is None else rows.column(weight).to_numpy()
    estimator = getattr(kore, kind)(**parameters)
    return estimator.fit(rows.select(features), rows.column("price").to_numpy(), weights)


def selection_of(model):
    curves = {name: list(curve) for name, curve in model.candidates_.items()}
    return model.structure_, model.G_star_, model.fits_, model.pairs_, curves


def coefficients_of(model):
    carried = model_in_report(model)
    return np.concatenate([[carried["intercept"]], *(term["coefficients"] for term in carried["terms"])])


def encoding_of(model):
    """Levels, medians and what is missing, and where knots lie."""
    carried = model_in_report(model)
    columns = [{**column, "share": None} for column in carried["columns"]]
    return columns, [term["bases"] for term in carried["terms"]]


def distance(found, wanted):
    return np.abs(found - wanted).max() / np.abs(wanted).max()


def check_groups_and_precisions(fit, parts, table):
    """Groups and precisions mean on a cluster what they mean on one machine."""
    features = ["area", "garden"]
    model = fit(parts, target="price", features=features, group="age", precision="count", pairs="none")
    rows = known_rows(table)
    whole = kore.KORERegressor(pairs="none").fit(
        rows.select(features),
        rows.column("price").to_numpy(),
        precision=rows.column("count").to_numpy(),
        groups=rows.column("age").to_numpy(),
    )
    local, found = (json.loads(one._model.to_json())["accuracy"] for one in (whole, model))
    assert found["groups"] == local["groups"] > 80
    assert found["folds"] == local["folds"]
    assert found["rmse"] == pytest.approx(local["rmse"], rel=1e-9)
    assert np.abs(model.predict(table) - whole.predict(table)).max() < 1e-6
    with pytest.raises(ValueError, match="The group 'city' has no value in"):
        fit(parts, target="price", features=features, group="city")
    with pytest.raises(ValueError, match="weight and precision cannot both be given"):
        fit(parts, target="price", features=features, weight="count", precision="age")


def check_same(model, rows, features, weight=None, kind="KORERegressor", **parameters):
    """The model is that of one machine: equal selections and encodings, coefficients and predictions within 1e-10.

    Sums of partitions round otherwise than sums from the first row to the last. Where the rows do not determine a
    coefficient of the paper's profile, which has a tiny ridge only, one machine moves as well when it gets the same
    rows in another order; ten times that is then allowed. Returns the distance of coefficients.
    """
    whole = local_fit(rows, features, weight, kind, **parameters)
    assert selection_of(model) == selection_of(whole)
    assert encoding_of(model) == encoding_of(whole)
    measures = [coefficients_of, lambda fitted: fitted.predict(rows)]
    distances = [distance(measure(model), measure(whole)) for measure in measures]
    if max(distances) > 1e-10:
        assert parameters.get("profile") == "paper"
        random = np.random.default_rng(1)
        orders = [np.arange(rows.num_rows)[::-1], *(random.permutation(rows.num_rows) for _ in range(3))]
        others = [local_fit(rows.take(pa.array(order)), features, weight, kind, **parameters) for order in orders]
        for measure, found in zip(measures, distances, strict=True):
            moved = max(distance(measure(other), measure(whole)) for other in others)
            assert found <= max(1e-10, 10 * moved)
    return distances[0]


DRIVER = ["age", "power", "city"]


def claims_table(rows=600, seed=5):
    """Drivers with a target for every family, all around one mean in which age and power act together; the years that
    each was insured, and weights. Some rows have no target."""
    random = np.random.default_rng(seed)
    age, power = random.uniform(18, 80, rows), random.uniform(40, 200, rows)
    city = random.choice(["Oslo", "Rome", "Köln"], rows)
    together = 0.6 * np.sin(age / 8) * np.cos(power / 25)
    mean = np.exp(-0.3 + 0.8 * np.cos(age / 12) + 0.005 * power + 0.4 * (city == "Oslo") + together)
    years = random.uniform(0.1, 2, rows)
    yes = random.uniform(size=rows) < mean / (1 + mean)
    targets = {
        "binomial": yes.astype(float),
        "poisson": random.poisson(mean).astype(float),
        "gamma": random.gamma(2, mean / 2),
        "negative_binomial": random.poisson(random.gamma(1.5, 5 * mean / 1.5)).astype(float),
        "claims": random.poisson(mean * years).astype(float),
        "label": np.where(yes, "yes", "no").astype(object),
    }
    gone = random.uniform(size=rows) < 0.03
    known = {name: pa.array(values, mask=gone) for name, values in targets.items()}
    beside = {"years": years, "count": random.integers(0, 3, rows).astype(float)}
    return pa.table({"age": age, "power": power, "city": city, **known, **beside})


def family_here(rows, target, weight=None, exposure=None, kind="KORERegressor", **parameters):
    """The model of one machine, of a target of `claims_table`."""
    weights = None if weight is None else rows.column(weight).to_numpy()
    over = {} if exposure is None else {"exposure": rows.column(exposure).to_numpy()}
    y = rows.column(target).to_numpy(zero_copy_only=False)
    return getattr(kore, kind)(**parameters).fit(rows.select(DRIVER), y, weights, **over)


def check_same_family(model, whole, rows):
    """The same choices, and means within 1e-8 of each other, each relative to itself. Returns their distance."""
    assert model._model.family == whole._model.family
    assert selection_of(model) == selection_of(whole)
    assert encoding_of(model) == encoding_of(whole)
    here, there = (
        np.asarray(one._model.predict(Frame.from_stream(rows.select(DRIVER)), 1)[0]) for one in (whole, model)
    )
    moved = np.abs(there / here - 1).max()
    assert moved < 1e-8
    assert model.loo_ == pytest.approx(whole.loo_, rel=1e-7)
    return moved


def check_families(module, parts, table):
    """Labels, and counts over exposures: fits and predictions on a cluster are those of one machine. `module` is
    ``kore.spark`` or ``kore.dask``."""
    rows = known_rows(table, "label")
    model = module.KOREClassifier().fit(parts, "label", features=DRIVER)
    check_same_family(model, family_here(rows, "label", kind="KOREClassifier"), rows)
    assert model.classes_.tolist() == ["no", "yes"]
    assert model.dropped_rows_ == table.num_rows - rows.num_rows > 0
    assert (column_of(model.transform(parts), "prediction") == model.predict_proba(table)[:, 1]).all()
    rates = module.fit(parts, "claims", "count", DRIVER, exposure="years", family="poisson")
    check_same_family(rates, family_here(rows, "claims", "count", "years", family="poisson"), rows)
    found = rates.transform(parts, interval=0.9, exposure="years")
    counts = rates.predict(table, return_interval=0.9, exposure=table.column("years").to_numpy())
    for name, expected in zip(("prediction", "prediction_lower", "prediction_upper"), counts, strict=True):
        assert (column_of(found, name) == expected).all()
    assert (column_of(rates.transform(parts), "prediction") == rates.predict(table)).all()


def column_of(frame, name):
    """A column of numbers of a DataFrame of Spark or Dask."""
    return frame.compute()[name].to_numpy() if hasattr(frame, "compute") else frame.toArrow().column(name).to_numpy()
