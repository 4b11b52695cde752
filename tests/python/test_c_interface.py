"""The C interface from a second client, ctypes: the models and predictions of the command, and sentences for errors."""

import ctypes
import json
import os

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest
from conftest import BUILD


class Stream(ctypes.Structure):
    _fields_ = [(name, ctypes.c_void_p) for name in ("schema", "next", "error", "release", "private")]


class Opaque(ctypes.Structure):
    """Room for an ArrowSchema or an ArrowArray."""

    _fields_ = [("words", ctypes.c_uint64 * 10)]


class Library:
    def __init__(self, path):
        self.c = ctypes.CDLL(str(path))
        self.c.kore_last_error.restype = ctypes.c_char_p
        self.c.kore_last_reason.restype = ctypes.c_char_p
        self.c.kore_last_warnings.restype = ctypes.c_char_p
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

    def refusal(self, table, **options):
        """The reason why no model is fitted."""
        model = ctypes.c_void_p()
        text = json.dumps(options).encode()
        assert self.c.kore_fit(ctypes.byref(self.stream(table)), text, None, None, ctypes.byref(model)) == 1
        return self.c.kore_last_reason().decode()

    def predict(self, model, table, **options):
        return self.columns(self.c.kore_predict, model, table, options)

    def residuals(self, model, table, **options):
        return self.columns(self.c.kore_residuals, model, table, options)

    def columns(self, function, model, table, options):
        schema, array = Opaque(), Opaque()
        status = function(
            model,
            ctypes.byref(self.stream(table)),
            json.dumps(options).encode(),
            ctypes.byref(schema),
            ctypes.byref(array),
        )
        assert status == 0, self.c.kore_last_error().decode()
        return pa.RecordBatch._import_from_c(ctypes.addressof(array), ctypes.addressof(schema))

    def export(self, model, **options):
        place, size = ctypes.c_void_p(), ctypes.c_size_t()
        text = json.dumps(options).encode()
        assert self.c.kore_export(model, text, ctypes.byref(place), ctypes.byref(size)) == 0
        exported = ctypes.string_at(place, size.value)
        self.c.kore_free(place)
        return exported

    def text(self, function, model):
        place = ctypes.c_void_p()
        assert function(model, ctypes.byref(place)) == 0
        text = ctypes.string_at(place).decode()
        self.c.kore_free(place)
        return text


@pytest.fixture(scope="module")
def library():
    path = BUILD.parent / os.environ.get("KORE_C_BUILD", "build") / "src" / "libkore.so"
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


def test_choices_for_single_columns_are_those_of_the_command(library, command, tmp_path):
    random = np.random.default_rng(4)
    hour, x = random.integers(0, 24, 300), random.uniform(size=300)
    y = np.sin(hour / 24 * 2 * np.pi) + x + random.normal(size=300) * 0.2
    table = pa.table({"hour": hour, "wind": x, "y": y})
    pa.parquet.write_table(table, tmp_path / "hours.parquet")
    asked = {"cyclic": {"hour": 0, "wind": 1.5}, "max_resolutions": {"hour": 8, "wind": 5}}
    model = library.fit(table, target="y", referee_folds=1, **asked)
    command(
        "fit", "hours.parquet", "--target", "y", "--cyclic", "hour,wind:1.5", "--max-resolution", "hour:8,wind:5",
        "--referee-folds", "1", "-q", "-o", "hours.kore", folder=tmp_path,
    )  # fmt: skip
    command("predict", "hours.kore", "hours.parquet", "-q", "-o", "out.parquet", folder=tmp_path)
    expected = pa.parquet.read_table(tmp_path / "out.parquet")["prediction"].to_pylist()
    assert library.predict(model, table)["prediction"].to_pylist() == expected, "the same bits"
    later = table.set_column(0, "hour", pa.array(hour + 48))
    assert library.predict(model, later)["prediction"].to_pylist() == expected, "two days later"
    info = json.loads(library.text(library.c.kore_info, model))
    assert [feature["period"] for feature in info["features"]] == [24, 1.5]
    for options, reason in [
        ({"cyclic": {"hour": -24}}, "option_of_another_type"),
        ({"cyclic": {"wind": 0}}, "period_not_told"),
        ({"cyclic": ["hour"]}, "option_of_another_type"),
        ({"cyclic": {"hour": "24"}}, "option_of_another_type"),
        ({"max_resolutions": {"hour": 0}}, "option_of_another_type"),
        ({"max_resolutions": {"hour": 2.5}}, "option_of_another_type"),
        ({"max_resolutions": {"hour": 2**32 + 5}}, "option_of_another_type"),
        ({"max_resolutions": {"nobody": 5}}, "unknown_feature"),
    ]:
        assert library.refusal(table, target="y", **options) == reason


@pytest.fixture(scope="module")
def claims():
    random = np.random.default_rng(5)
    n = 400
    age, years = random.uniform(18, 80, n), random.uniform(0.2, 2, n)
    region = random.choice(["north", "south", "west"], n)
    mean = years * np.exp(0.4 * np.sin(age / 10) - 0.5 * (region == "west"))
    count = random.poisson(mean)
    return pa.table(
        {
            "age": age,
            "region": region,
            "years": years,
            "log_years": np.log(years),
            "claims": count.astype(float),
            "amount": random.gamma(3, mean),
            "any": np.where(count > 0, "yes", "no"),
            "kind": np.where(count > 1, "many", np.where(count > 0, "one", "none at all")),
        }
    )


FAMILIES = {
    "exposure": {"target": "claims", "family": "poisson", "exposure": "years", "drop": "log_years"},
    "offset of counts": {"target": "claims", "family": "poisson", "offset": "log_years", "drop": "years"},
    "offset of amounts": {"target": "amount", "family": "gamma", "offset": "log_years", "drop": "years"},
    "offset of numbers": {"target": "amount", "family": "normal", "offset": "years", "drop": "log_years"},
    "negative binomial": {"target": "claims", "family": "negative_binomial", "drop": "years"},
    "yes and no": {"target": "any", "drop": "years"},
    "no as the positive value": {"target": "any", "positive": "no", "drop": "years"},
    "one class": {"target": "kind", "positive": "many", "drop": "years"},
    "classes": {"target": "kind", "drop": "years"},
}


@pytest.mark.parametrize("options", FAMILIES.values(), ids=FAMILIES.keys())
def test_families_are_those_of_the_command(library, claims, command, tmp_path, options):
    targets = {"claims", "amount", "any", "kind"}
    dropped = [*sorted(targets - {options["target"]}), options["drop"]]
    settings = {key: value for key, value in options.items() if key != "drop"}
    model = library.fit(claims, **settings, drop=dropped, referee_folds=2, max_order=1)
    pa.parquet.write_table(claims, tmp_path / "claims.parquet")
    words = [word for key, value in settings.items() for word in (f"--{key}", value)]
    command(
        "fit", "claims.parquet", *words, "--drop", ",".join(dropped), "--referee-folds", "2", "--max-order", "1",
        "-q", "-o", "claims.kore", folder=tmp_path,
    )  # fmt: skip
    command("predict", "claims.kore", "claims.parquet", "-q", "-o", "out.parquet", folder=tmp_path)
    expected = pa.parquet.read_table(tmp_path / "out.parquet")
    for to in ("json", "sql", "c"):
        assert library.export(model, to=to).decode() == command("export", "claims.kore", "--to", to, folder=tmp_path)
    found = library.predict(model, claims)
    for name in expected.column_names:
        if name != "class":
            assert found[name].to_pylist() == expected[name].to_pylist(), "the same bits"
    if "class" in expected.column_names:
        names = json.loads(library.text(library.c.kore_info, model))["classes"]
        assert [names[int(place)] for place in found["class"].to_pylist()] == expected["class"].to_pylist()
        one = ctypes.c_void_p()
        assert library.c.kore_class(model, b"many", ctypes.byref(one)) == 0
        assert json.loads(library.text(library.c.kore_info, one))["target_levels"] == ["not many", "many"]
        assert library.c.kore_class(model, b"few", ctypes.byref(one)) == 1
        assert "few" in library.c.kore_last_error().decode()
    else:
        left_out = library.residuals(model, claims, **settings, drop=dropped)
        targets = claims[options["target"]].to_pylist()
        if isinstance(targets[0], str):
            positive = json.loads(library.text(library.c.kore_info, model))["target_levels"][1]
            targets = [float(target == positive) for target in targets]
        plain = np.array(targets) - np.array(found["prediction"].to_pylist())
        np.testing.assert_allclose(left_out["residual"], plain, rtol=1e-9, atol=1e-12)
        assert np.isfinite(left_out["left_out"]).all()


def test_a_prediction_says_what_to_be_careful_about(library, claims):
    dropped = ["amount", "any", "kind", "log_years"]
    model = library.fit(
        claims, target="claims", family="poisson", exposure="years", drop=dropped, max_order=1, referee_folds=2
    )
    library.predict(model, claims.drop_columns(["years"]))
    assert "rates per unit of 'years'" in library.c.kore_last_warnings().decode()
    library.predict(model, claims.set_column(1, "region", pa.array(["east"] * len(claims))))
    assert "region" in library.c.kore_last_warnings().decode()
    library.predict(model, claims)
    assert library.c.kore_last_warnings() == b""


def test_a_table_without_a_needed_column_is_refused_with_its_name(library, flats):
    model = library.fit(flats, target="rent", max_order=1, referee_folds=1)
    schema, array = Opaque(), Opaque()
    stream = library.stream(flats.drop_columns(["town"]))
    status = library.c.kore_predict(model, ctypes.byref(stream), None, ctypes.byref(schema), ctypes.byref(array))
    assert status == 2
    assert "town" in library.c.kore_last_error().decode()
    assert stream.release is None, "the stream is released all the same"
