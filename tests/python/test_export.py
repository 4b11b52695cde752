"""Exported models predict what `kore predict` predicts, where they live: databases, compilers, runtimes."""

import datetime
import gzip
import json
import subprocess
import tempfile

import export_homes as homes
import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import pytest

ROOT = homes.ROOT
RESPONSES = ROOT.parent / "shared" / "data"


def cars(n=300):
    """Numbers with gaps, values that repeat, yes and no, dates, times, and texts that must be quoted."""
    random = np.random.default_rng(5)
    power = random.uniform(40, 230, n)
    weight = random.gamma(6, 200, n) + 700
    year = random.integers(70, 83, n).astype(float)
    origin = random.choice(["USA", "Europe", "Japan", 'O\'Neill "&" \\ Söhne', "a' OR '1'='1", "--;/*"], n)
    gears = random.choice([3.0, 4.0, 5.0, 2.5], n)
    turbo = random.uniform(size=n) < 0.3
    built = [datetime.date(1970, 1, 1) + datetime.timedelta(days=int(d)) for d in random.integers(0, 4000, n)]
    sold = [
        datetime.datetime(1990, 1, 1) + datetime.timedelta(seconds=int(s) * 977) for s in random.integers(0, 10**6, n)
    ]
    effect = np.array([0.0, 0.3, 0.5, -0.4, 0.2, 0.1])[np.unique(origin, return_inverse=True)[1]]
    level = 3.5 - 0.004 * power - 3e-4 * weight + 0.03 * (year - 70) + effect + 0.2 * turbo
    level += 0.3 * np.sin(power / 25) * (weight - 1900) / 1000 + 0.15 * (year == 75) + 0.05 * gears
    level += 0.2 * np.cos([d.toordinal() / 600 for d in built]) * (origin == "USA")
    target = np.exp(level + random.normal(0, 0.05, n))
    gaps = np.where(random.uniform(size=n) < 0.08, np.nan, power)
    origin = [None if r < 0.05 else str(o) for o, r in zip(origin, random.uniform(size=n), strict=True)]
    return pa.table(
        {
            "id": pa.array(range(n), pa.int64()),
            'Horse"power': pa.array([None if g != g else g for g in gaps], pa.float64()),
            "weight; DROP TABLE cars": pa.array(weight),
            "year": pa.array(year),
            "Origin`s": pa.array(origin, pa.string()),
            "gears": pa.array(gears),
            "turbo": pa.array(turbo),
            "built": pa.array(built, pa.date32()),
            "sold": pa.array(sold, pa.timestamp("us")),
            "mpg": pa.array(target),
        }
    )


def strange(table, target):
    """Rows of the table, and rows with gaps, unseen levels, values outside the range and far outside."""
    random = np.random.default_rng(8)
    rows = table.slice(0, 60).to_pylist()
    for name in table.column_names:
        if name in ("id", target):
            continue
        for value in unlike(table, name, random):
            rows.append({**rows[int(random.integers(60))], name: value})
    for row in [dict(row) for row in rows[:20]]:
        for name in random.choice(table.column_names, 3, replace=False):
            if name != target:
                row[name] = next(iter(unlike(table, name, random)))
        rows.append(row)
    for i, row in enumerate(rows):
        row["id"] = i
    return pa.Table.from_pylist(rows, table.schema)


def unlike(table, name, random):
    kind = table.schema.field(name).type
    yield None
    if pa.types.is_string(kind):
        yield from ("never seen", "", "'; DROP TABLE cars; --", "\\", "(other)", "(missing)")
    elif pa.types.is_boolean(kind):
        yield from (True, False)
    elif pa.types.is_date(kind):
        yield from (datetime.date(1950, 5, 5), datetime.date(2040, 2, 29))
    elif pa.types.is_timestamp(kind):
        yield from (datetime.datetime(1960, 1, 1, 1, 2, 3), datetime.datetime(2050, 1, 1, 23, 59, 59, 500000))
    elif pa.types.is_floating(kind) or pa.types.is_integer(kind):
        values = table[name].drop_null().to_numpy().astype(float)
        low, high = values.min(), values.max()
        for value in (low, high, low - (high - low) / 7, high + (high - low) * random.uniform(0.1, 3)):
            yield float(value) if pa.types.is_floating(kind) else round(value)
        yield float(high * 1e4 + 1e4) if pa.types.is_floating(kind) else 10**9


def shared(name, target, rows=500):
    path = RESPONSES / f"{name}.csv.gz"
    if not path.exists():
        pytest.skip(f"there is no {path.name}")
    with gzip.open(path) as file:
        table = pa.csv.read_csv(file)
    table = table.take(np.sort(np.random.default_rng(1).permutation(table.num_rows)[:rows]))
    assert target in table.column_names
    return table.add_column(0, "id", pa.array(range(table.num_rows), pa.int64()))


TABLES = {
    "cars": (cars, "mpg"),
    "turbos": (cars, "turbo"),
    "diamonds": (lambda: shared("responses/diamonds_price", "price"), "price"),
    "bikes": (lambda: shared("responses/bike_sharing_hourly", "cnt"), "cnt"),
    "abalone": (lambda: shared("abalone", "Class_Rings"), "Class_Rings"),
}
QUICK = ["--referee-folds", "1"]
MODELS = {
    "cars-log": ("cars", ["--scale", "log", "--categorical", "gears", *QUICK]),
    "cars-sqrt": ("cars", ["--scale", "sqrt", *QUICK]),
    "cars-plain": ("cars", ["--scale", "identity", "--degree", "2", *QUICK]),
    "cars-paper": ("cars", ["--profile", "paper", "--max-g-additive", "6", "--max-g-pairwise", "2"]),
    "cars-gamma": ("cars", ["--family", "gamma", *QUICK]),
    "turbos": ("turbos", QUICK),
    "diamonds": ("diamonds", QUICK),
    "diamonds-paper": ("diamonds", ["--profile", "paper", "--structure", "additive"]),
    "bikes": ("bikes", QUICK),
    "abalone": ("abalone", QUICK),
}


class Export:
    """A fitted model, and what `kore predict` says of strange rows."""

    def __init__(self, name, command, folder):
        self.command = command
        self.folder = folder
        table_name, options = MODELS[name]
        make, target = TABLES[table_name]
        table = make()
        pa.parquet.write_table(table, folder / "table.parquet")
        command(
            "fit",
            "table.parquet",
            "--target",
            target,
            "--drop",
            "id",
            *options,
            "-q",
            "-o",
            "model.kore",
            folder=folder,
        )
        self.rows = strange(table, target)
        pa.parquet.write_table(self.rows, folder / "rows.parquet")
        command("predict", "model.kore", "rows.parquet", "-q", "--keep", "id", "-o", "predicted.parquet", folder=folder)
        self.expected = pa.parquet.read_table(folder / "predicted.parquet").sort_by("id")["prediction"].to_numpy()

    def __call__(self, to, name, *options):
        self.command("export", "model.kore", "--to", to, "-o", name, *options, folder=self.folder)
        return self.folder / name

    def model(self):
        return json.loads(self("json", "model.json").read_text())

    def check(self, predictions, compared=slice(None)):
        assert None not in predictions
        size = np.maximum(np.abs(self.expected), 1)
        worst = np.max((np.abs(np.array(predictions) - self.expected) / size)[compared])
        assert worst < 1e-9, f"differs by {worst}"


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
    effects = exports(name).model()["decomposition"]["effects"]
    assert sum(effect["share"] for effect in effects) == pytest.approx(1)


@pytest.mark.parametrize("name", MODELS)
def test_node(exports, name):
    exports(name).check(homes.in_node(exports(name), exports(name).rows))


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("name", MODELS)
def test_c(exports, name, compiler):
    exports(name).check(homes.in_c(exports(name), exports(name).rows, compiler))


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("name", MODELS)
def test_c_under_sanitizers(exports, name, compiler):
    exports(name).check(homes.in_sanitized_c(exports(name), exports(name).rows, compiler))


@pytest.mark.parametrize("name", MODELS)
def test_onnx(exports, name):
    # ONNX has no missing texts: the empty one stands for them, and cannot be an unseen level.
    compared = np.array(["" not in row.values() for row in exports(name).rows.to_pylist()])
    exports(name).check(homes.in_onnx(exports(name), exports(name).rows), compared)


@pytest.mark.parametrize("name", MODELS)
def test_onnx_in_single_precision(exports, name):
    export = exports(name)
    rows = export.rows
    compared = np.array(["" not in row.values() for row in rows.to_pylist()])
    rounded = rows
    for place, field in enumerate(rows.schema):
        values = rows.column(place)
        if pa.types.is_timestamp(field.type):  # days since 1970 in single precision
            microseconds = values.cast(pa.int64()).to_pylist()
            days = [None if us is None else float(np.float32(us / 86400e6)) for us in microseconds]
            values = pa.array([None if d is None else round(d * 86400e6) for d in days], pa.int64()).cast(field.type)
        elif pa.types.is_floating(field.type):
            values = pa.array([None if v is None else float(np.float32(v)) for v in values.to_pylist()], field.type)
        rounded = rounded.set_column(place, field.name, values)
    pa.parquet.write_table(rounded, export.folder / "rounded.parquet")
    output = ("-q", "--keep", "id", "-o", "single.parquet")
    export.command("predict", "model.kore", "rounded.parquet", *output, folder=export.folder)
    expected = pa.parquet.read_table(export.folder / "single.parquet").sort_by("id")["prediction"].to_numpy()
    found = np.array(homes.in_onnx(export, rows, "--float", number=np.float32), dtype=float)
    worst = np.max((np.abs(found - expected) / np.maximum(np.abs(expected), 1))[compared])
    assert worst < 1e-5, f"differs by {worst}"


@pytest.mark.parametrize("name", MODELS)
def test_duckdb(exports, name):
    exports(name).check(homes.in_duckdb(exports(name), exports(name).rows))


@pytest.mark.parametrize("name", MODELS)
def test_sqlite(exports, name):
    exports(name).check(homes.in_sqlite(exports(name), exports(name).rows))


@pytest.mark.parametrize("name", MODELS)
def test_postgres(exports, postgres, name):
    exports(name).check(homes.in_postgres(exports(name), exports(name).rows, postgres))


@pytest.mark.parametrize("name", ["cars-paper", "diamonds"])
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
    program = [ROOT / "build" / "kore", "export", "model.kore", *arguments]
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
