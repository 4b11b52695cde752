"""What the tests of clusters share: sessions of Spark, tables in partitions of any size, models as numbers."""

import itertools
import json
import os
import re
import sys
import tempfile
from pathlib import Path

import numpy as np
import pyarrow as pa

# Nothing, one row, nothing again, nearly everything, a few: as tables lie in lakes.
SKEWED = (0.0, 0.0, 0.002, 0.002, 0.9, 0.95, 1.0, 1.0)


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


def check_same(model, whole):
    """Equal selections, and coefficients within 1e-10 of the largest."""
    assert (model.structure_, model.G_star_, model.fits_) == (whole.structure_, whole.G_star_, whole.fits_)
    assert model.pairs_ == whole.pairs_
    curves = [{name: list(curve) for name, curve in fitted.candidates_.items()} for fitted in (model, whole)]
    assert curves[0] == curves[1]
    ours, theirs = model_in_report(model), model_in_report(whole)
    encodings = [[{**column, "share": None} for column in found["columns"]] for found in (ours, theirs)]
    assert encodings[0] == encodings[1]  # levels, medians and what is missing
    assert [term["bases"] for term in ours["terms"]] == [term["bases"] for term in theirs["terms"]]
    coefficients = [
        np.concatenate([[found["intercept"]], *(term["coefficients"] for term in found["terms"])])
        for found in (ours, theirs)
    ]
    difference = np.abs(coefficients[0] - coefficients[1]).max() / np.abs(coefficients[1]).max()
    assert difference < 1e-10
    return difference
