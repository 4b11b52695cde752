#!/usr/bin/env python3
"""What README says under "Install" works: the rows that take seconds are carried out.

Usage: install_test.py README FOLDER BUILD    (BUILD is a build of everything, FOLDER is made anew)
The row of C++ is the test install.consumer; archive, wheels and R's package have tests where they are made.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path


def rows(text):
    """What the table under "Install" is for -> what to do."""
    section = text.split("\n## Install\n", 1)[1].split("\n## ", 1)[0]
    table = [line.strip("|").split("|") for line in section.splitlines() if line.startswith("| ")]
    return {row[0].strip(): row[1].strip() for row in table[1:]}


def run(*command, folder, environment):
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))} fails:\n{done.stdout}{done.stderr}")
    return done.stdout


def main():
    readme, folder, build = (Path(argument).resolve() for argument in sys.argv[1:])
    root, found = readme.parent, rows(readme.read_text())
    assert {"the command", "C++20"} <= set(found) and len(found) == 6, found
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)

    # The command, at another place than /usr/local, used from another folder and with nothing of this shell around it.
    assert "`make build`, then `sudo make install`" in found["the command"] and "PREFIX=" in found["the command"]
    prefix = folder / "a prefix"
    install = ["make", "--no-print-directory", "install", f"PREFIX={prefix}"]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    if build != root / "build":
        environment["KORE_BUILD"] = str(build.parent)
    run(*install, folder=root, environment=environment)
    shutil.copy(root / "examples/data/cars.json", folder)
    program = prefix / "bin/kore"
    run(program, "fit", "cars.json", "--target", "Miles_per_Gallon", "-o", "cars.kore", folder=folder, environment={})
    predicted = run(program, "predict", "cars.kore", "cars.json", "-q", folder=folder, environment={})
    assert len(predicted.splitlines()) == 407, predicted[:200]
    libraries = subprocess.check_output(["ldd", program], text=True)
    for library in ("libduckdb", "libscipy_openblas"):
        if library in libraries and not re.search(rf"{library}\.so => {re.escape(str(prefix))}/", libraries):
            sys.exit(f"The installed command takes another {library} than the one beside it:\n{libraries}")
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
