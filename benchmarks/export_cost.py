"""What a prediction costs in each export beside `kore predict`: user CPU microseconds per row, all in one run.

Usage: python benchmarks/export_cost.py KORE MODEL ROWS.parquet

Each home predicts the rows twice over different numbers of rows; the difference leaves starting, parsing and compiling
out. Needs duckdb, onnxruntime, pyarrow and gcc.
"""

import contextlib
import ctypes
import json
import math
import resource
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import onnxruntime
import pyarrow as pa
import pyarrow.parquet

import duckdb

LOOP = """
#include "model.c"
void predict_all(const struct exported_row *rows, long count, double *to)
{
  long row;
  for (row = 0; row < count; ++row) to[row] = exported_predict(&rows[row]);
}
"""


def cpu_seconds():
    return sum(resource.getrusage(who).ru_utime for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


class Homes:
    def __init__(self, kore, model, folder):
        self.kore, self.model, self.folder = kore, model, folder
        for to, name, *options in (
            ("json", "model.json"),
            ("c", "model.c", "--name", "exported"),
            ("onnx", "model.onnx"),
            ("sql", "duckdb.sql", "--table", "cars"),
            ("sql", "sqlite.sql", "--table", "cars", "--dialect", "sqlite"),
        ):
            subprocess.run([kore, "export", model, "--to", to, "-o", folder / name, *options], check=True)
        self.inputs = json.loads((folder / "model.json").read_text())["inputs"]

    def values(self, rows, column):
        """A column as texts or doubles, with the export's marks of missing values."""
        values = rows[column["name"]].to_pylist()
        if column["kind"] == "category":
            return [None if value is None else str(value) for value in values]
        return [math.nan if value is None else float(value) for value in values]

    def predict(self, rows):
        file = self.folder / "rows.parquet"
        pa.parquet.write_table(rows, file)
        arguments = ["--threads", "1", "-q", "-o", self.folder / "out.parquet"]
        yield lambda: subprocess.run([self.kore, "predict", self.model, file, *arguments], check=True)

    def c(self, rows):
        (self.folder / "loop.c").write_text(LOOP)
        library = self.folder / "model.so"
        subprocess.run(["gcc", "-O2", "-shared", "-fPIC", "-o", library, self.folder / "loop.c"], check=True)
        kinds = [ctypes.c_char_p if column["kind"] == "category" else ctypes.c_double for column in self.inputs]
        row_type = type("Row", (ctypes.Structure,), {"_fields_": [(f"x{i}", kind) for i, kind in enumerate(kinds)]})
        columns = [
            [None if value is None else value.encode() for value in self.values(rows, column)]
            if column["kind"] == "category"
            else self.values(rows, column)
            for column in self.inputs
        ]
        table = (row_type * rows.num_rows)(*(row_type(*row) for row in zip(*columns, strict=True)))
        to = (ctypes.c_double * rows.num_rows)()
        predict_all = ctypes.CDLL(str(library)).predict_all
        yield lambda: predict_all(table, ctypes.c_long(rows.num_rows), to)

    def onnx(self, rows):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        session = onnxruntime.InferenceSession(str(self.folder / "model.onnx"), options)
        feed = {
            column["name"]: np.array(
                ["" if value is None else value for value in self.values(rows, column)],
                dtype=object if column["kind"] == "category" else np.float64,
            ).reshape(-1, 1)
            for column in self.inputs
        }
        yield lambda: session.run(None, feed)

    def duckdb(self, rows):
        with duckdb.connect(config={"threads": 1}) as connection:
            connection.register("cars", rows)
            query = (self.folder / "duckdb.sql").read_text()
            yield lambda: connection.execute(query).fetchnumpy()

    def sqlite(self, rows):
        with contextlib.closing(sqlite3.connect(":memory:")) as connection:
            names = ", ".join('"' + name.replace('"', '""') + '"' for name in rows.column_names)
            connection.execute(f"CREATE TABLE cars ({names})")
            marks = ", ".join("?" * rows.num_columns)
            connection.executemany(f"INSERT INTO cars VALUES ({marks})", (tuple(r.values()) for r in rows.to_pylist()))
            query = (self.folder / "sqlite.sql").read_text()
            yield lambda: connection.execute(query).fetchall()


def cost(home, rows):
    """User CPU seconds of the second of two runs."""
    for run in home(rows):
        run()
        before = cpu_seconds()
        run()
        return cpu_seconds() - before


def main(kore, model, table):
    rows = pa.parquet.read_table(table)
    print("home           rows      us per row")
    with tempfile.TemporaryDirectory() as folder:
        homes = Homes(kore, model, Path(folder))
        # The command takes a tenth of a second to start, which must be little beside the rows.
        for name, times in (("predict", 20), ("c", 4), ("onnx", 1), ("duckdb", 1), ("sqlite", 1)):
            many = pa.concat_tables([rows] * times)
            few = many.slice(0, many.num_rows // 10)
            seconds = cost(getattr(homes, name), many) - cost(getattr(homes, name), few)
            per_row = seconds / (many.num_rows - few.num_rows)
            print(f"{name:<14} {many.num_rows:<9} {1e6 * per_row:.3f}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
