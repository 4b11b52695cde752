"""The examples run, as a reader would run them."""

import subprocess
import sys

import pytest
from conftest import BUILD, ROOT

FOLDER = ROOT / "examples/python"
ARGUMENTS = {"command_line": [BUILD / "kore"]}
SHOWN = {
    "quickstart": "leave-one-out RMSE",
    "pipeline": "best of the search",
    "cars": "miles per gallon",
    "command_line": "500 of 500 predictions have the same bits",
    "chunks": "1,000,000 rows",
    "claims": "the fifth with the highest rates has",
    "credit": "times the odds of being paid",
    "counts": "times as many are hired",
}


def test_every_example_is_run():
    assert {path.stem for path in FOLDER.glob("*.py")} == set(SHOWN)


@pytest.mark.parametrize("name", SHOWN)
def test_the_example_runs_and_shows_what_it_promises(name, tmp_path):
    done = subprocess.run(
        [sys.executable, "-W", "error", FOLDER / f"{name}.py", *ARGUMENTS.get(name, [])],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert SHOWN[name] in done.stdout
