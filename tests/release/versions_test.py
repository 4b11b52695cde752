#!/usr/bin/env python3
"""Every file that names the version of KORE names that of CMakeLists.txt, and so does the command.

Usage: versions_test.py PROJECT KORE
"""

import re
import subprocess
import sys
from pathlib import Path

# Where the version stands. Everything else (wheel, archive, packages for CMake) takes it from CMakeLists.txt.
PLACES = {
    "include/kore/version.hpp": r'version = "(.*)"',
    "include/kore/kore.h": r'^/\* "(.*)"\. \*/$',
    "r/DESCRIPTION": r"^Version: (.*)$",
    "CITATION.cff": r"^version: (.*)$",
    "examples/export/package.json": r'"version": "(.*)"',
    "README.md": r"\bkore[_-](\d+\.\d+\.\d+)",
    "docs/r.md": r"\bkore_(\d+\.\d+\.\d+)\.tar\.gz",
    "docs/python.md": r"\bkore-(\d+\.\d+\.\d+)-",
    "docs/command.md": r"\bkore-(\d+\.\d+\.\d+)-",
}


def complaints(project, version):
    for name, pattern in PLACES.items():
        found = re.findall(pattern, (project / name).read_text(), re.M)
        if not found:
            yield f"{name} does not name the version as {pattern}"
        yield from (f"{name} says {other}, CMakeLists.txt {version}" for other in found if other != version)
    releases = re.findall(r"^## \[(\d[\d.]*)\] - (\S+)$", (project / "CHANGELOG.md").read_text(), re.M)
    if not releases or releases[0][0] != version:
        yield f"the newest release in CHANGELOG.md is not {version}"
    cited = re.search(r"^date-released: (.*)$", (project / "CITATION.cff").read_text(), re.M)
    if not cited or not releases or cited[1] != releases[0][1]:
        yield "CITATION.cff and CHANGELOG.md have different dates of the release"


def main():
    project, kore = Path(sys.argv[1]), sys.argv[2]
    version = re.search(r"project\(kore VERSION (\S+)", (project / "CMakeLists.txt").read_text())[1]
    wrong = list(complaints(project, version))
    printed = subprocess.run([kore, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    if printed != version:
        wrong.append(f"kore --version prints {printed}, CMakeLists.txt says {version}")
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
