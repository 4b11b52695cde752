"""Exported models predict what `kore predict` predicts, where they live: databases, compilers, runtimes."""

import json
import subprocess
import tempfile

import export_homes as homes
import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest
from conftest import BUILD
from export_tables import MODELS, TABLES, strange


class Export:
    """A fitted model, and what `kore predict` says of strange rows."""

    def __init__(self, name, command, folder):
        self.command = command
        self.folder = folder
        table_name, options = MODELS[name]
        make, target = TABLES[table_name]
        table = make()
        pa.parquet.write_table(table, folder / "table.parquet")
        fit = ("fit", "table.parquet", "--target", target, "--drop", "id", *options, "-q", "-o", "model.kore")
        command(*fit, folder=folder)
        self.rows = strange(table, target)
        pa.parquet.write_table(self.rows, folder / "rows.parquet")
        self.expected, self.classes = self.predicted("rows.parquet")

    def predicted(self, rows):
        """The numbers of each row, in columns, and its class where the model has classes."""
        self.command("predict", "model.kore", rows, "-q", "--keep", "id", "-o", "predicted.parquet", folder=self.folder)
        table = pa.parquet.read_table(self.folder / "predicted.parquet").sort_by("id")
        self.class_names = [name[12:] for name in table.column_names if name.startswith("probability:")]
        names = [f"probability:{name}" for name in self.class_names] or ["prediction"]
        classes = table["class"].to_pylist() if self.class_names else None
        return np.column_stack([table[name].to_numpy() for name in names]), classes

    def __call__(self, to, name, *options):
        self.command("export", "model.kore", "--to", to, "-o", name, *options, folder=self.folder)
        return self.folder / name

    def model(self):
        return json.loads(self("json", "model.json").read_text())

    def check(self, predictions, compared=slice(None), most=1e-9, expected=None):
        """Of classes a prediction is the class and all probabilities. None must be where there is no number."""
        expected = self.expected if expected is None else expected
        if self.classes:
            pairs = zip(predictions, self.classes, strict=True)
            wrong = np.array([found is None or found[0] != wanted for found, wanted in pairs])
            assert not wrong[compared].any()
            predictions = [None if row is None else row[1:] for row in predictions]
        width = expected.shape[1]
        found = np.array([np.full(width, np.nan) if row is None else np.atleast_1d(row) for row in predictions])
        known = np.isfinite(expected)
        assert (np.isfinite(found) == known)[compared].all()
        away = np.where(known, np.abs(found - expected), 0) / np.maximum(np.abs(np.where(known, expected, 1)), 1)
        assert np.max(away[compared]) < most, f"differs by {np.max(away[compared])}"

    def rows_without(self, *texts):
        """Which rows have none of these in their texts; None among them is a missing one."""
        columns = [field.name for field in self.rows.schema if pa.types.is_string(field.type)]

        def has_one(value):
            return any(value == text or (text and value and text in value) for text in texts)

        return np.array([not any(has_one(row[name]) for name in columns) for row in self.rows.to_pylist()])

    def without_missing_texts(self):
        """ONNX has no missing texts: the empty one stands for them, unless it is a level."""
        empty_is_a_level = any("" in column.get("levels", []) for column in self.model()["inputs"])
        return self.rows_without(None if empty_is_a_level else "")


@pytest.fixture(scope="module")
def exports(command, tmp_path_factory):
    made = {}

    def export(name):
        if name not in made:
            made[name] = Export(name, command, tmp_path_factory.mktemp(name))
        return made[name]

    return export


@pytest.fixture(scope="module")
def postgres():
    server = homes.Postgres()
    yield server
    server.stop()


@pytest.fixture(scope="module")
def spark():
    sql = pytest.importorskip("pyspark.sql")
    session = (
        sql.SparkSession.builder.master("local[1]")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.sql.warehouse.dir", tempfile.gettempdir())
        .config("spark.sql.session.timeZone", "UTC")
        .getOrCreate()
    )
    yield session
    session.stop()


pytestmark = pytest.mark.xdist_group("export")


@pytest.mark.parametrize("name", MODELS)
def test_json(exports, name):
    exports(name).check(homes.in_json(exports(name), exports(name).rows))


@pytest.mark.parametrize("name", MODELS)
def test_effects_of_the_json_add_up_to_the_prediction(exports, name):
    exports(name).check(homes.in_json(exports(name), exports(name).rows, decomposed=True))
    model = exports(name).model()
    for one in model.get("classes", [model]):
        effects = one["decomposition"]["effects"]
        assert not effects or sum(effect["share"] for effect in effects) == pytest.approx(1)


@pytest.mark.parametrize("name", MODELS)
def test_node(exports, name):
    exports(name).check(homes.in_node(exports(name), exports(name).rows))


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("name", MODELS)
def test_c(exports, name, compiler):
    export = exports(name)
    export.check(homes.in_c(export, export.rows, compiler), export.rows_without("\0"))


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("name", MODELS)
def test_c_under_sanitizers(exports, name, compiler):
    export = exports(name)
    export.check(homes.in_sanitized_c(export, export.rows, compiler), export.rows_without("\0"))


@pytest.mark.parametrize("name", MODELS)
def test_onnx(exports, name):
    export = exports(name)
    export.check(homes.in_onnx(export, export.rows), export.without_missing_texts())


def in_single_precision(rows):
    """The rows as a program gives them that has nothing else. Times are days since 1970."""
    for place, field in enumerate(rows.schema):
        values = rows.column(place)
        if pa.types.is_timestamp(field.type):
            microseconds = values.cast(pa.int64()).to_pylist()
            days = [None if us is None else float(np.float32(us / 86400e6)) for us in microseconds]
            values = pa.array([None if d is None else round(d * 86400e6) for d in days], pa.int64()).cast(field.type)
        elif pa.types.is_floating(field.type) or (pa.types.is_integer(field.type) and field.name != "id"):
            values = pa.array([None if v is None else float(np.float32(v)) for v in values.to_pylist()], pa.float64())
        rows = rows.set_column(place, field.name, values)
    return rows


@pytest.mark.parametrize("name", [name for name in MODELS if name != "sizes"])  # 1e80 is too much for single precision
def test_onnx_in_single_precision(exports, name):
    export = exports(name)
    pa.parquet.write_table(in_single_precision(export.rows), export.folder / "rounded.parquet")
    expected, _ = export.predicted("rounded.parquet")
    found = homes.in_onnx(export, export.rows, "--float", number=np.float32)
    if export.classes:  # two may be nearly as probable
        found = [None if row is None else (wanted, *row[1:]) for row, wanted in zip(found, export.classes, strict=True)]
    export.check(found, export.without_missing_texts(), most=1e-5, expected=expected)


@pytest.mark.parametrize("name", MODELS)
def test_duckdb(exports, name):
    exports(name).check(homes.in_duckdb(exports(name), exports(name).rows))


@pytest.mark.parametrize("name", MODELS)
def test_sqlite(exports, name):
    exports(name).check(homes.in_sqlite(exports(name), exports(name).rows))


@pytest.mark.parametrize("name", MODELS)
def test_postgres(exports, postgres, name):
    export = exports(name)
    export.check(homes.in_postgres(export, export.rows, postgres), export.rows_without("\0"))


IN_SPARK = [
    "cars-paper",
    "diamonds",
    "counts-exposure",
    "classes",
    "odd",
    "hours",
    *(n for n in MODELS if n.startswith("shared-")),
]


@pytest.mark.parametrize("name", IN_SPARK)
def test_spark(exports, spark, name):
    exports(name).check(homes.in_spark(exports(name), exports(name).rows, spark))


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--to", "cobol"], "cobol"),
        (["--to", "sql", "--dialect", "oracle"], "oracle"),
        (["--to", "sql", "--keep", "prediction"], "prediction"),
        (["--to", "sql", "--table", "a..b"], "empty"),
        (["--to", "c", "--name", "9lives"], "9lives"),
        (["--to", "c", "--name", "while"], "while"),
        (["--to", "json", "-o", "model.kore"], "model.kore"),
        (["--to", "json", "-o", "no/such/folder.json"], "folder"),
    ],
)
def test_what_cannot_be_written_is_refused_in_a_sentence(exports, arguments, sentence):
    folder = exports("cars-paper").folder
    before = (folder / "model.kore").read_bytes()
    program = [BUILD / "kore", "export", "model.kore", *arguments]
    done = subprocess.run(program, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert sentence in done.stderr
    assert done.stdout == ""
    assert (folder / "model.kore").read_bytes() == before


def test_infinite_numbers_have_no_prediction(exports):
    export = exports("cars-paper")
    row = {**export.rows.slice(0, 1).to_pylist()[0], "year": float("inf")}
    rows = pa.Table.from_pylist([row], export.rows.schema)
    assert homes.in_json(export, rows) == [None]
    assert homes.in_c(export, rows, "gcc") == [None]
    assert homes.in_onnx(export, rows) == [None]
    assert homes.in_duckdb(export, rows) == [None]
    assert homes.in_sqlite(export, rows) == [None]


def test_infinite_numbers_have_no_class(exports):
    export = exports("classes")
    row = {**export.rows.slice(0, 1).to_pylist()[0], "age": float("inf")}
    rows = pa.Table.from_pylist([row], export.rows.schema)
    for home in (homes.in_json, homes.in_onnx, homes.in_duckdb, homes.in_sqlite):
        assert home(export, rows) == [None]
    assert homes.in_c(export, rows, "gcc") == [None]


def test_one_class_is_a_model_of_its_own(exports):
    export = exports("classes")
    one = export.class_names[1]
    export("json", "one.json", "--class", one)
    from kore_model import Model

    model, all_classes = Model(export.folder / "one.json"), export.model()
    part = next(part for part in all_classes["classes"] if part["name"] == one)
    assert part["terms"][0]["coefficients"] == model.json["terms"][0]["coefficients"]
    assert all(0 < model.predict(row) < 1 for row in homes.plain_rows(export.rows, model.json))


def test_a_row_without_its_exposure_is_one_of_one_unit(exports):
    export = exports("counts-exposure")
    rows = export.rows.slice(0, 20)
    place = rows.schema.get_field_index("years")
    ones = rows.set_column(place, "years", pa.array([1.0] * 20))
    none = rows.set_column(place, "years", pa.array([None] * 20, pa.float64()))
    for home in (homes.in_json, homes.in_node, homes.in_onnx, homes.in_duckdb, homes.in_sqlite):
        assert home(export, none) == home(export, ones)
    assert homes.in_c(export, none, "gcc") == homes.in_c(export, ones, "gcc")
    doubled = rows.set_column(place, "years", pa.array([2.0] * 20))
    np.testing.assert_allclose(homes.in_duckdb(export, doubled), np.multiply(2, homes.in_duckdb(export, ones)))


def near_zero(exports):
    """Rows whose products are too small for a double: PostgreSQL would end the query where one of them is zero."""
    rows = exports("sizes").rows.slice(0, 6).to_pylist()
    for row, value in zip(rows, (5e-324, 1e-300, -1e-300, 1e-200, 1e-17, -1e-120), strict=True):
        row.update({"from zero": value, "huge": value, "far from zero": value})
    return pa.Table.from_pylist(rows, exports("sizes").rows.schema)


def test_products_that_are_too_small_end_no_query(exports, postgres):
    export, rows = exports("sizes"), near_zero(exports)
    pa.parquet.write_table(rows, export.folder / "near_zero.parquet")
    expected, _ = export.predicted("near_zero.parquet")
    export.check(homes.in_postgres(export, rows, postgres), expected=expected)
    export.check(homes.in_duckdb(export, rows), expected=expected)
    export.check(homes.in_c(export, rows, "gcc"), expected=expected)
