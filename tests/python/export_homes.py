"""Runs exported models where they live: each function predicts rows with one export.

A prediction is a number; of classes it is the class and the probability of each. None is no prediction.
"""

import contextlib
import csv
import ctypes
import datetime
import io
import json
import math
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "examples" / "export"))
EPOCH = datetime.datetime(1970, 1, 1)


def days(value):
    """Dates and times as exports that have no such type take them."""
    if isinstance(value, datetime.datetime):
        return (value - EPOCH).total_seconds() / 86400
    if isinstance(value, datetime.date):
        return float((datetime.datetime(value.year, value.month, value.day) - EPOCH).days)
    return value


def is_category(model, name):
    return any(column["name"] == name and column["kind"] == "category" for column in model["inputs"])


def level_text(value):
    """A level as the engine writes it."""
    if value is None or value != value:
        return None
    if isinstance(value, float) and value == int(value):
        return str(int(value))
    return str(value)


def plain_rows(rows, model):
    """Categories as texts, all else as numbers; None where a value is missing."""
    for row in rows.to_pylist():
        yield {
            column["name"]: level_text(row[column["name"]])
            if column["kind"] == "category"
            else days(row[column["name"]])
            for column in model["inputs"]
        }


def in_json(export, rows, decomposed=False):
    """With the terms as fitted, or with the effects that people read in their place."""
    from kore_model import Model

    path = export("json", "model.json")
    if decomposed:
        model = json.loads(path.read_text())
        for part in model.get("classes", [model]):
            part["intercept"] = part["decomposition"]["constant"]
            part["terms"] = [part for effect in part["decomposition"]["effects"] for part in effect["parts"]]
        path = export.folder / "decomposed.json"
        path.write_text(json.dumps(model))
    model = Model(path)
    return [by_class(model.predict(row)) for row in plain_rows(rows, model.json)]


def by_class(prediction):
    """The most probable class, and all probabilities."""
    if not isinstance(prediction, dict):
        return prediction
    return (max(prediction, key=prediction.get), *prediction.values())


NODE = """
import fs from 'node:fs';
const {koreModel} = await import(process.argv[1]);
const [model, rows] = process.argv.slice(2).map((file) => JSON.parse(fs.readFileSync(file, 'utf8')));
console.log(JSON.stringify(rows.map(koreModel(model))));
"""


def in_node(export, rows):
    if shutil.which("node") is None:
        pytest.skip("there is no node")
    model = export("json", "model.json")
    given = export.folder / "rows.json"
    given.write_text(json.dumps(list(plain_rows(rows, json.loads(model.read_text())))))
    module = (ROOT / "examples" / "export" / "kore-model.mjs").as_uri()
    program = ["node", "--input-type=module", "-e", NODE, module, model, given]
    found = json.loads(subprocess.run(program, check=True, capture_output=True, text=True).stdout)
    return [by_class(dict(row)) if isinstance(row, list) else row for row in found]


def found_compiler(name):
    """Debian's clang has its version in its name."""
    found = shutil.which(name) or shutil.which(f"{name}-14")
    if found is None:
        pytest.skip(f"there is no {name}")
    return found


def in_c(export, rows, compiler):
    compiler = found_compiler(compiler)
    model = export.model()
    source = export("c", "model.c", "--name", "exported")
    library = export.folder / f"model-{Path(compiler).name}.so"
    flags = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic-errors", "-O2", "-shared", "-fPIC", "-nostdlib"]
    subprocess.run([compiler, *flags, "-o", library, source], check=True)
    fields = [
        (f"column{i}", ctypes.c_char_p if column["kind"] == "category" else ctypes.c_double)
        for i, column in enumerate(model["inputs"])
    ]
    row_type = type("Row", (ctypes.Structure,), {"_fields_": fields})
    compiled = ctypes.CDLL(str(library))
    predictions = []
    for row in plain_rows(rows, model):
        values = [
            (None if value is None else value.encode())
            if is_category(model, name)
            else (math.nan if value is None else float(value))
            for name, value in row.items()
        ]
        predictions.append(predicted_in_c(compiled, row_type(*values), len(model.get("classes", []))))
    return predictions


def predicted_in_c(compiled, row, classes):
    if classes == 0:
        compiled.exported_predict.restype = ctypes.c_double
        result = compiled.exported_predict(ctypes.byref(row))
        return None if math.isnan(result) else result
    probabilities = (ctypes.c_double * classes)()
    place = compiled.exported_predict(ctypes.byref(row), probabilities)
    if place < 0:
        assert all(math.isnan(value) for value in probabilities)
        return None
    names = (ctypes.c_char_p * classes).in_dll(compiled, "exported_classes")
    return (names[place].decode(), *probabilities)


MAIN = """
#include <stdio.h>
#include "model.c"
static const struct exported_row rows[] = {
%s
};
int main(void)
{
  unsigned row;
  for (row = 0; row < sizeof rows / sizeof *rows; ++row) {
%s
  }
  return 0;
}
"""
ONE_NUMBER = """    printf("%.17g\\n", exported_predict(&rows[row]));"""
CLASSES = """    double p[sizeof exported_classes / sizeof *exported_classes];
    unsigned k, count = sizeof p / sizeof *p;
    printf("%d", exported_predict(&rows[row], p));
    for (k = 0; k < count; ++k) printf(" %.17g", p[k]);
    printf("\\n");"""


def in_sanitized_c(export, rows, compiler):
    """A program of its own, because a sanitized library cannot be loaded by an interpreter that is not."""
    compiler = found_compiler(compiler)
    model = export.model()

    def literal(name, value):
        if is_category(model, name):
            return "0" if value is None else '"' + "".join(f"\\{byte:03o}" for byte in value.encode()) + '"'
        return "0.0 / 0.0" if value is None else float(value).hex()

    export("c", "model.c", "--name", "exported")
    lines = ["{" + ", ".join(literal(*item) for item in row.items()) + "}," for row in plain_rows(rows, model)]
    (export.folder / "main.c").write_text(MAIN % ("\n".join(lines), CLASSES if "classes" in model else ONE_NUMBER))
    program = export.folder / f"sanitized-{Path(compiler).name}"
    flags = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-O1", "-g", "-fsanitize=address,undefined"]
    flags.append("-fno-sanitize-recover=all")
    subprocess.run([compiler, *flags, "-o", program, export.folder / "main.c"], check=True)
    found = subprocess.run([program], check=True, capture_output=True, text=True)
    if "classes" not in model:
        return [None if line.strip("-") == "nan" else float(line) for line in found.stdout.split()]
    rows = [[float(word) for word in line.split()] for line in found.stdout.splitlines()]
    return [None if row[0] < 0 else (model["classes"][int(row[0])]["name"], *row[1:]) for row in rows]


def in_onnx(export, rows, *options, number=None):
    runtime = pytest.importorskip("onnxruntime")
    model = export.model()
    session = runtime.InferenceSession(str(export("onnx", "model.onnx", *options)), providers=["CPUExecutionProvider"])
    columns = {column["name"]: [] for column in model["inputs"]}
    for row in plain_rows(rows, model):
        for name, value in row.items():
            missing = "" if is_category(model, name) else math.nan
            columns[name].append(missing if value is None else value)
    inputs = {
        name: np.array(values, dtype=object if is_category(model, name) else number or np.float64).reshape(-1, 1)
        for name, values in columns.items()
    }
    if "classes" not in model:
        (result,) = session.run([session.get_outputs()[0].name], inputs)
        return [None if math.isnan(value) else value for value in result[:, 0]]
    probabilities, classes = session.run(["probabilities", "class"], inputs)
    for row, name in zip(probabilities, classes[:, 0], strict=True):
        assert np.isnan(row).all() == (name == "")
    return [(name, *row) if name else None for row, name in zip(probabilities, classes[:, 0], strict=True)]


def in_sql(row):
    """The columns of a result behind its key."""
    if len(row) == 2:
        return row[1]
    assert (row[1] is None) == (row[2] is None)
    return None if row[1] is None else tuple(row[1:])


def in_duckdb(export, rows):
    duckdb = pytest.importorskip("duckdb")
    query = export("sql", "duckdb.sql", "--dialect", "duckdb", "--table", "cars", "--keep", "id").read_text()
    with duckdb.connect() as connection:
        connection.register("cars", rows)
        found = {row[0]: in_sql(row) for row in connection.execute(query).fetchall()}
    return [found[i] for i in rows["id"].to_pylist()]


def in_sqlite(export, rows):
    query = export("sql", "sqlite.sql", "--dialect", "sqlite", "--table", "cars", "--keep", "id").read_text()

    def stored(value):
        return (
            value.isoformat(" ")
            if isinstance(value, datetime.datetime)
            else (value.isoformat() if isinstance(value, datetime.date) else value)
        )

    with contextlib.closing(sqlite3.connect(":memory:")) as connection:
        names = ", ".join('"' + name.replace('"', '""') + '"' for name in rows.column_names)
        connection.execute(f"CREATE TABLE cars ({names})")
        marks = ", ".join("?" * rows.num_columns)
        connection.executemany(
            f"INSERT INTO cars VALUES ({marks})",
            ([stored(value) for value in row.values()] for row in rows.to_pylist()),
        )
        found = {row[0]: in_sql(row) for row in connection.execute(query).fetchall()}
    return [found[i] for i in rows["id"].to_pylist()]


class Postgres:
    """A server of its own in a new folder, reached by a socket there. PostgreSQL refuses to run as root."""

    def __init__(self):
        installed = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
        self.programs = installed[-1] if installed else Path(shutil.which("initdb") or "").parent
        if not (self.programs / "initdb").exists():
            pytest.skip("there is no PostgreSQL")
        self.folder = Path(tempfile.mkdtemp(prefix="kore-postgres-"))
        self.user = {}
        if os.getuid() == 0:
            self.user = {"user": "nobody", "group": "nogroup", "extra_groups": []}
            shutil.chown(self.folder, "nobody", "nogroup")
        data = self.folder / "data"
        self._run("initdb", "--auth=trust", "--username=kore", "--encoding=UTF8", "--locale=C", "-D", data)
        options = f"-c listen_addresses='' -c unix_socket_directories='{self.folder}' -c fsync=off"
        self._run("pg_ctl", "-D", data, "-l", self.folder / "log", "-w", "-t", "300", "-o", options, "start")

    def _run(self, program, *arguments):
        program = self.programs / program
        subprocess.run([program, *arguments], check=True, stdout=subprocess.DEVNULL, cwd=self.folder, **self.user)

    def stop(self):
        self._run("pg_ctl", "-D", self.folder / "data", "-m", "immediate", "stop")
        shutil.rmtree(self.folder)

    def query(self, text):
        program = [self.programs / "psql", "-h", self.folder, "-U", "kore", "-d", "postgres"]
        environment = {**os.environ, "PGCLIENTENCODING": "UTF8"}
        done = subprocess.run(
            [*program, "-qt", "--csv", "-v", "ON_ERROR_STOP=1"],
            input=text,
            capture_output=True,
            text=True,
            check=False,
            env=environment,
        )
        assert done.returncode == 0, done.stderr[:2000]
        return done.stdout


POSTGRES_TYPES = {"bool": "boolean", "date32[day]": "date", "timestamp[us]": "timestamp", "int64": "bigint"}


def in_postgres(export, rows, server):
    query = export("sql", "postgres.sql", "--dialect", "postgres", "--table", "cars", "--keep", "id").read_text()

    def stored(value):
        if value is None:
            return "\\N"
        return (
            str(value)
            .replace("\0", "")
            .replace("\\", "\\\\")
            .replace("\n", "\\n")
            .replace("\t", "\\t")
            .replace("\r", "\\r")
        )

    columns = ", ".join(
        f'"{field.name.replace(chr(34), chr(34) * 2)}" '
        + POSTGRES_TYPES.get(str(field.type), "text" if "string" in str(field.type) else "double precision")
        for field in rows.schema
    )
    data = "".join("\t".join(stored(value) for value in row.values()) + "\n" for row in rows.to_pylist())
    answer = server.query(
        f"BEGIN; CREATE TEMPORARY TABLE cars ({columns}) ON COMMIT DROP; COPY cars FROM STDIN;\n{data}\\.\n"
        f"SET extra_float_digits = 3; {query}; COMMIT;"
    )
    classes = "probability:" in query
    found = {}
    for key, *row in csv.reader(io.StringIO(answer, newline="")):
        numbers = [float(text) if text else None for text in (row[1:] if classes else row)]
        found[key] = in_sql([key, row[0] or None, *numbers] if classes else [key, *numbers])
    return [found[str(i)] for i in rows["id"].to_pylist()]


def in_spark(export, rows, session):
    query = export("sql", "spark.sql", "--dialect", "spark", "--table", "cars", "--keep", "id").read_text()
    session.createDataFrame(rows).createOrReplaceTempView("cars")
    found = {row[0]: in_sql(row) for row in session.sql(query).collect()}
    return [found[i] for i in rows["id"].to_pylist()]
