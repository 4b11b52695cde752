"""What the wheel holds beside the module: the command, the licences of everything inside, and a list of it."""

import importlib.metadata
import json
import subprocess
import sys
from pathlib import Path

import kore
import pandas
import pytest
from conftest import BUILD

PROGRAM = Path(sys.prefix, "bin", "kore")


def run(*arguments, **options):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, check=False, **options)


def test_the_command_is_on_the_path_and_is_that_of_the_engine():
    assert run("--version").stdout.strip() == kore.__version__
    assert run("--help-all").stdout == subprocess.check_output([BUILD / "kore", "--help-all"], text=True)


def test_it_fits_what_python_loads(tmp_path):
    table = tmp_path / "line.csv"
    table.write_text("x,y\n" + "".join(f"{i},{2 * i + i % 3}\n" for i in range(60)))
    assert run("fit", table, "--target", "y", "-o", tmp_path / "line.kore").returncode == 0
    told = run("predict", tmp_path / "line.kore", table, "-q").stdout.split()[1:]
    X = pandas.DataFrame({"x": range(60)})
    assert [float(line) for line in told] == kore.load(tmp_path / "line.kore").predict(X).tolist()


def test_status_and_complaint_come_through(tmp_path):
    done = run("fit", "missing.csv", "--target", "y", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith("kore: ") and done.stderr.count("\n") == 1


@pytest.mark.parametrize("program", [PROGRAM, BUILD / "kore"])
def test_a_closed_pipe_ends_it_in_silence(program, tmp_path):
    """Python ignores the signal of a closed pipe; the command has to meet it all the same."""
    shell = f"'{program}' example friedman-1 --n 100000 | head -n 1; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", shell], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == str(128 + 13)
    assert done.stderr == ""


def test_the_licences_of_everything_inside_come_along():
    files = {str(file): file for file in importlib.metadata.files("kore")}
    (bill,) = [file for name, file in files.items() if name.endswith("sboms/kore.cdx.json")]
    (notices,) = [file for name, file in files.items() if name.endswith("THIRD_PARTY_NOTICES.txt")]
    (licence,) = [file for name, file in files.items() if name.endswith("licenses/LICENSE")]
    assert "MIT" in licence.read_text()
    listed = json.loads(bill.read_text())
    assert listed["metadata"]["component"]["version"] == kore.__version__
    names = {component["name"] for component in listed["components"]}
    assert {"OpenBLAS", "DuckDB", "nanobind", "Vega"} <= names
    assert all(f"\n* {name} " in notices.read_text() for name in names)
    # Shared libraries of others that lie in the wheel are among them.
    libraries = {Path(name).name for name in files if ".so" in Path(name).name and "_engine" not in name}
    assert libraries == {"libduckdb.so", "libscipy_openblas.so"}
