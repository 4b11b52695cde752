"""What the tests share: tables to learn from, and the command to compare with."""

import csv
import json
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

# Without it, scikit-learn passes over its checks of other libraries' arrays; it is read when SciPy is imported.
os.environ.setdefault("SCIPY_ARRAY_API", "1")

ROOT = Path(__file__).resolve().parents[2]
# Where things are made: in the source, unless KORE_BUILD names another folder.
BUILD = Path(os.environ.get("KORE_BUILD") or ROOT) / "build"


@pytest.fixture(scope="session")
def command():
    """The command `kore` of the same sources; every front must agree with it."""
    program = BUILD / "kore"
    assert program.exists(), "Build the command first: make build"

    def run(*arguments, folder):
        done = subprocess.run([program, *map(str, arguments)], cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


@pytest.fixture(scope="session")
def waves():
    """600 rows of a sum of curves and one product."""
    random = np.random.default_rng(7)
    X = random.uniform(size=(600, 4))
    y = np.sin(6 * X[:, 0]) + 2 * X[:, 1] * X[:, 2] + random.normal(0, 0.05, 600)
    return X, y


@pytest.fixture(scope="session")
def product_of_three():
    """900 rows of curves, and of three features that act together."""
    random = np.random.default_rng(11)
    X = random.uniform(size=(900, 3))
    curves = 4 * np.sin(9 * X[:, 0]) + 3 * np.cos(8 * X[:, 1])
    y = curves + np.sin(6 * X[:, 0]) * np.cos(5 * X[:, 1]) * X[:, 2] + random.normal(0, 0.05, 900)
    return X, y


@pytest.fixture(scope="session")
def shop():
    """A table as people have them: numbers, texts, yes and no, dates, gaps."""
    random = np.random.default_rng(3)
    n = 400
    city = random.choice(["Oslo", "Rome", "Köln"], n).astype(object)
    city[::37] = None
    area = random.uniform(20, 200, n)
    area[5::29] = np.nan
    rooms = random.integers(1, 7, n)
    garden = random.random(n) < 0.3
    sold = np.datetime64("2024-01-01", "us") + random.integers(0, 700 * 86400, n) * np.timedelta64(1, "s")
    price = 3 * np.nan_to_num(area, nan=90) + 20 * rooms + 50 * (city == "Oslo") + 30 * garden + random.normal(0, 9, n)
    return {"city": city, "area": area, "rooms": rooms, "garden": garden, "sold": sold}, price


def fixture_names():
    return sorted(path.stem for path in (ROOT / "tests/data/fixtures").glob("*.json"))


def load_fixture(name):
    return json.loads((ROOT / f"tests/data/fixtures/{name}.json").read_text())


def read_column(text, name):
    """A column of numbers from CSV."""
    return np.array([float(row[name]) for row in csv.DictReader(text.splitlines())])
