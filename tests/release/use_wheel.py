"""Uses the installed wheel as people do, in a system with nothing else.

scripts/make_wheels.sh runs it beside cars.json, and here.csv, which is what the command predicted where the wheel was
made.
"""

import csv
import importlib.metadata
import json
import math
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import kore
import numpy as np


def command(*arguments, status=0):
    done = subprocess.run(["kore", *map(str, arguments)], capture_output=True, text=True, check=False)
    assert done.returncode == status, (arguments, done.returncode, done.stderr)
    return done.stdout


def predictions(text):
    return np.array([float(row["prediction"]) for row in csv.DictReader(text.splitlines())])


def check_command(folder):
    """It is on the path, and predicts the same bits as where it was built."""
    assert command("--version").strip() == kore.__version__ == importlib.metadata.version("kore")
    command("fit", "cars.json", "--target", "Miles_per_Gallon", "--drop", "Name", "-o", folder / "cars.kore")
    predicted = predictions(command("predict", folder / "cars.kore", "cars.json", "-q"))
    np.testing.assert_array_equal(predicted, predictions(Path("here.csv").read_text()))
    command("report", folder / "cars.kore", "cars.json", "-o", folder / "cars.html", "-q")
    assert "<html" in (folder / "cars.html").read_text()
    command("export", folder / "cars.kore", "--to", "sql", "-o", folder / "cars.sql")
    command("fit", "missing.csv", "--target", "y", status=2)


def check_package(folder):
    """It fits, predicts, explains, reports; the command reads its model and predicts the same bits."""
    rows = json.loads(Path("cars.json").read_text())
    rows = [row for row in rows if row["Miles_per_Gallon"] is not None]
    names = ["Cylinders", "Displacement", "Horsepower", "Weight_in_lbs", "Acceleration"]
    X = np.array([[math.nan if row[name] is None else row[name] for name in names] for row in rows], dtype=float)
    y = np.array([row["Miles_per_Gallon"] for row in rows], dtype=float)
    model = kore.KORERegressor().fit(X, y)
    predicted = model.predict(X)
    assert 1 - np.mean((predicted - y) ** 2) / np.var(y) > 0.8
    model.report(folder / "model.html")
    assert "<html" in (folder / "model.html").read_text()
    model.save(folder / "model.kore")
    np.testing.assert_array_equal(kore.load(folder / "model.kore").predict(X), predicted)
    with (folder / "model.csv").open("w", newline="") as file:
        csv.writer(file).writerow([f"x{i}" for i in range(X.shape[1])])
        csv.writer(file).writerows(["" if math.isnan(v) else repr(v) for v in row] for row in X.tolist())
    told = predictions(command("predict", folder / "model.kore", folder / "model.csv", "-q"))
    np.testing.assert_array_equal(told, predicted)
    origins = np.array([row["Origin"] for row in rows])
    assert np.mean(kore.KOREClassifier().fit(X, origins).predict(X) == origins) > 0.7


# Whose the shared libraries in the wheel are, by the beginning of their names.
LIBRARIES = {
    "libduckdb": "DuckDB",
    "libscipy_openblas": "OpenBLAS",
    "libhwy": "Highway",
    "libfmt": "fmt",
    "libz": "zlib",
}


def check_notices():
    files = {str(file): file for file in importlib.metadata.files("kore")}
    assert any(name.endswith("licenses/LICENSE") for name in files), sorted(files)
    (notices,) = [file for name, file in files.items() if name.endswith("THIRD_PARTY_NOTICES.txt")]
    (bill,) = [file for name, file in files.items() if name.endswith("sboms/kore.cdx.json")]
    inside = [component["name"] for component in json.loads(bill.read_text())["components"]]
    text = notices.read_text()
    assert all(f"* {name} " in text for name in inside)
    libraries = {re.match(r"[a-z_]+", Path(name).name)[0] for name in files if name.startswith("kore.libs/")}
    assert {"libduckdb", "libscipy_openblas"} <= libraries
    assert all(LIBRARIES[library] in inside for library in libraries)


def main():
    with tempfile.TemporaryDirectory() as folder:
        check_command(Path(folder))
        check_package(Path(folder))
    check_notices()
    # Whatever it loaded came from the environment or from the system's C and C++ libraries.
    loaded = {line.split()[-1] for line in Path("/proc/self/maps").read_text().splitlines() if ".so" in line}
    foreign = [name for name in loaded if "kore" in name and not name.startswith(sys.prefix)]
    assert not foreign, foreign


if __name__ == "__main__":
    main()
