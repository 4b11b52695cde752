"""The C interface from a second client, ctypes: the models and predictions of the command, and sentences for errors."""

import ctypes
import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest
from export_homes import ROOT


class Stream(ctypes.Structure):
    _fields_ = [(name, ctypes.c_void_p) for name in ("schema", "next", "error", "release", "private")]


class Opaque(ctypes.Structure):
    """Room for an ArrowSchema or an ArrowArray."""

    _fields_ = [("words", ctypes.c_uint64 * 10)]


class Library:
    def __init__(self, path):
        self.c = ctypes.CDLL(str(path))
        self.c.kore_last_error.restype = ctypes.c_char_p
        self.c.kore_free.argtypes = [ctypes.c_void_p]

    def stream(self, table):
        stream = Stream()
        table.to_reader()._export_to_c(ctypes.addressof(stream))
        return stream

    def fit(self, table, **options):
        model = ctypes.c_void_p()
        text = json.dumps(options).encode()
        status = self.c.kore_fit(ctypes.byref(self.stream(table)), text, None, None, ctypes.byref(model))
        assert status == 0, self.c.kore_last_error().decode()
        return model

    def predict(self, model, table, **options):
        schema, array = Opaque(), Opaque()
        status = self.c.kore_predict(
            model,
            ctypes.byref(self.stream(table)),
            json.dumps(options).encode(),
            ctypes.byref(schema),
            ctypes.byref(array),
        )
        assert status == 0, self.c.kore_last_error().decode()
        return pa.RecordBatch._import_from_c(ctypes.addressof(array), ctypes.addressof(schema))

    def text(self, function, model):
        place = ctypes.c_void_p()
        assert function(model, ctypes.byref(place)) == 0
        text = ctypes.string_at(place).decode()
        self.c.kore_free(place)
        return text


@pytest.fixture(scope="module")
def library():
    path = ROOT / "build" / "src" / "libkore.so"
    assert path.exists(), "Build the library first: make build"
    return Library(path)


@pytest.fixture(scope="module")
def flats():
    random = np.random.default_rng(2)
    n = 250
    area = random.uniform(20, 120, n)
    town = random.choice(["Oslo", "Rome", "Köln"], n)
    rent = 200 + 9 * area + 150 * (town == "Oslo") + random.normal(0, 30, n)
    gaps = [None if i % 17 == 3 else a for i, a in enumerate(area)]
    targets = [None if i % 50 == 7 else r for i, r in enumerate(rent)]
    return pa.table({"area": gaps, "town": town, "weight": random.integers(1, 3, n) * 1.0, "rent": targets})


def test_model_and_predictions_are_those_of_the_command(library, flats, command, tmp_path):
    options = {"target": "rent", "weights": "weight", "referee_folds": 3, "max_order": 2}
    model = library.fit(flats, **options)
    pa.parquet.write_table(flats, tmp_path / "flats.parquet")
    command(
        "fit", "flats.parquet", "--target", "rent", "--weights", "weight", "--referee-folds", "3", "--max-order", "2",
        "-q", "-o", "flats.kore", folder=tmp_path,
    )  # fmt: skip
    command("predict", "flats.kore", "flats.parquet", "--interval", "0.8", "-q", "-o", "out.parquet", folder=tmp_path)
    expected = pa.parquet.read_table(tmp_path / "out.parquet")
    found = library.predict(model, flats, interval=0.8)
    for name in ("prediction", "lower", "upper"):
        assert found[name].to_pylist() == expected[name].to_pylist(), "the same bits"
    info = json.loads(library.text(library.c.kore_info, model))
    assert info["accuracy"] == json.loads(command("info", "flats.kore", "--json", folder=tmp_path))["accuracy"]
    terms = library.predict(model, flats, terms=True)
    assert terms.schema.names[:2] == ["prediction", "eta"]
    effects = json.loads(library.text(library.c.kore_effects, model))
    assert len(effects["terms"]) == len(terms.schema.names) - 2
    assert library.c.kore_free_model(model) == 0
    assert library.c.kore_free_model(model) == 11


def test_a_table_without_a_needed_column_is_refused_with_its_name(library, flats):
    model = library.fit(flats, target="rent", max_order=1, referee_folds=1)
    schema, array = Opaque(), Opaque()
    stream = library.stream(flats.drop_columns(["town"]))
    status = library.c.kore_predict(model, ctypes.byref(stream), None, ctypes.byref(schema), ctypes.byref(array))
    assert status == 2
    assert "town" in library.c.kore_last_error().decode()
    assert stream.release is None, "the stream is released all the same"
