#!/usr/bin/env python3
"""Writes what a build of the command contains, with every licence, into a folder.

Usage: scripts/bill_of_materials.py VERSION FOLDER    makes kore.cdx.json (CycloneDX) and the licences of all components
"""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# Compiled in or packed beside the command: name, SPDX licence, package of the distribution.
OF_THE_SYSTEM = [
    ("fmt", "MIT", "libfmt-dev"),
    ("highway", "Apache-2.0", "libhwy-dev"),
    ("xxhash", "BSD-2-Clause", "libxxhash-dev"),
    ("boost", "BSL-1.0", "libboost1.74-dev"),
    ("cli11", "BSD-3-Clause", "libcli11-dev"),
    ("nlohmann-json", "MIT", "nlohmann-json3-dev"),
    ("libstdc++", "GPL-3.0-or-later WITH GCC-exception-3.1", "libstdc++6"),
    ("libgcc", "GPL-3.0-or-later WITH GCC-exception-3.1", "libgcc-s1"),
]
# What the scripts fetch: name, SPDX licence, its file, the script, and where its version stands there.
FETCHED = [
    ("duckdb", "MIT", "duckdb/LICENSE", "fetch_duckdb.sh", r"'duckdb@([\d.]+)'"),
    ("openblas", "BSD-3-Clause", "openblas/LICENSE", "fetch_openblas.sh", r"scipy-openblas32==([\d.]+)"),
    ("vega", "BSD-3-Clause", "vega/vega.LICENSE", "fetch_vega.sh", r"vega@([\d.]+)"),
    ("vega-lite", "BSD-3-Clause", "vega/vega-lite.LICENSE", "fetch_vega.sh", r"vega-lite@([\d.]+)"),
    ("vega-embed", "BSD-3-Clause", "vega/vega-embed.LICENSE", "fetch_vega.sh", r"vega-embed@([\d.]+)"),
]


def version_of_package(package):
    query = ["dpkg-query", "-W", "-f", "${Version}", package]
    return subprocess.run(query, capture_output=True, text=True, check=True).stdout


def component(name, version, licence):
    told = {"expression": licence} if " " in licence else {"license": {"id": licence}}
    return {"type": "library", "name": name, "version": version, "licenses": [told]}


def main():
    version, folder = sys.argv[1], Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    components = []
    for name, licence, package in OF_THE_SYSTEM:
        components.append(component(name, version_of_package(package), licence))
        shutil.copy(f"/usr/share/doc/{package}/copyright", folder / f"{name}.LICENSE")
    for name, licence, file, script, pattern in FETCHED:
        found = re.search(pattern, (ROOT / "scripts" / script).read_text())
        components.append(component(name, found[1], licence))
        shutil.copy(ROOT / "third_party" / file, folder / f"{name}.LICENSE")
    shutil.copy(ROOT / "LICENSE", folder / "kore.LICENSE")
    kore = {"type": "application", "name": "kore", "version": version, "licenses": [{"license": {"id": "MIT"}}]}
    bill = {"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1, "metadata": {"component": kore}}
    (folder / "kore.cdx.json").write_text(json.dumps(bill | {"components": components}, indent=2) + "\n")


if __name__ == "__main__":
    main()
