"""The program that README shows runs as it stands, and pip takes the project as README says."""

import re
import shutil
import subprocess
import sys

import kore
from conftest import ROOT


def test_the_python_of_readme_runs(tmp_path):
    programs = re.findall(r"^```python\n(.*?)^```$", (ROOT / "README.md").read_text(), re.M | re.S)
    assert len(programs) == 1
    shutil.copy(ROOT / "examples/data/cars.json", tmp_path)
    (tmp_path / "readme.py").write_text(programs[0])
    done = subprocess.run([sys.executable, "readme.py"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "<html" in (tmp_path / "cars.html").read_text()
    assert (tmp_path / "cars.kore").read_bytes()[:4] == b"KORE"


def test_pip_finds_the_package_in_the_project():
    """`pip install .` would compile everything; this is what it does first. scripts/test_pythons.sh does it all."""
    assert "then `pip install .`" in (ROOT / "README.md").read_text()
    settings = ["--dry-run", "--ignore-installed", "--no-deps", "--no-build-isolation", "--disable-pip-version-check"]
    command = [sys.executable, "-m", "pip", "install", *settings, "."]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert f"Would install kore-{kore.__version__}" in done.stdout
