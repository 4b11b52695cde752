#!/usr/bin/env python3
"""What legal/ says is inside is inside: the versions are those that the set-up installs and those of the files that are
compiled in, nothing that the sources include is missing, and notices and bills of materials have every part. The R
package, as it is staged, carries the notices of what it bundles and of nothing else.

Usage: components_test.py PROJECT MADE    (MADE is the folder with third_party and .venv)
"""

import ctypes
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

INCLUDED = ["/usr/include", "/usr/local/include", ".venv/lib/python*/site-packages/nanobind/include", "third_party/*"]

# Where the set-up says which version it takes: a file and what stands before the version there.
PINS = {
    "OpenBLAS": ("fetch_openblas.sh", "scipy-openblas32=="),
    "DuckDB": ("fetch_duckdb.sh", "header_package='duckdb@"),
    "Highway": ("setup.sh", "libhwy-dev="),
    "Boost": ("setup.sh", "libboost-math-dev="),
    "fmt": ("setup.sh", "libfmt-dev="),
    "xxHash": ("setup.sh", "libxxhash-dev="),
    "JSON for Modern C++": ("setup.sh", "nlohmann-json3-dev="),
    "CLI11": ("setup.sh", "libcli11-dev="),
    "zlib": ("setup.sh", "zlib1g-dev="),
    "nanoarrow": ("fetch_nanoarrow.sh", "readonly version='"),
    "nanobind": ("../python/requirements.txt", "nanobind=="),
    "Vega": ("fetch_vega.sh", "vega@"),
    "Vega-Lite": ("fetch_vega.sh", "vega-lite@"),
    "vega-embed": ("fetch_vega.sh", "vega-embed@"),
    "iframe-worker": ("fetch_iframe_worker.sh", "iframe-worker@"),
}

# What the files that are compiled in say of themselves. A version is made of all numbers that a pattern finds.
SEEN = {
    "OpenBLAS": ("third_party/openblas/lib/libscipy_openblas.so", r"OpenBLAS (\d+)\.(\d+)\.(\d+)"),
    "Highway": ("hwy/highway.h", r"HWY_MAJOR (\d+)\s.*HWY_MINOR (\d+)\s.*HWY_PATCH (\d+)\s"),
    "Boost": ("boost/version.hpp", r"define BOOST_VERSION (\d)(\d\d\d)(\d\d)\s"),
    "fmt": ("fmt/core.h", r"FMT_VERSION (\d+)(\d\d)(\d\d)\s"),
    "xxHash": ("xxhash.h", r"VERSION_MAJOR +(\d+)\s.*VERSION_MINOR +(\d+)\s.*VERSION_RELEASE +(\d+)\s"),
    "JSON for Modern C++": (
        "nlohmann/detail/abi_macros.hpp",
        r"VERSION_MAJOR (\d+).*?VERSION_MINOR (\d+).*?VERSION_PATCH (\d+)",
    ),
    "CLI11": ("CLI/Version.hpp", r'CLI11_VERSION "(\d+)\.(\d+)\.(\d+)"'),
    "zlib": ("zlib.h", r'ZLIB_VERSION "(\d+)\.(\d+)\.(\d+)'),
    "nanoarrow": ("cmake/FindNanoarrow.cmake", r"NANOARROW_VERSION (\d+)\.(\d+)\.(\d+)"),
    "nanobind": ("nanobind/nanobind.h", r"MAJOR (\d+)\s.*MINOR (\d+)\s.*PATCH (\d+)\s"),
    "Vega": ("third_party/vega/vega.min.js", r'\.version="(\d+)\.(\d+)\.(\d+)"'),
    "Vega-Lite": ("third_party/vega/vega-lite.min.js", r'"use strict";var \w+="(\d+)\.(\d+)\.(\d+)"'),
    "vega-embed": ("third_party/vega/vega-embed.min.js", r'const \w+="(6)\.(\d+)\.(\d+)"'),
}

# Whose headers `#include <NAME/...>` means; the C library's and those of C++ have no folder.
HEADERS = {
    "boost": "Boost", "fmt": "fmt", "hwy": "Highway", "nlohmann": "JSON for Modern C++", "CLI": "CLI11",
    "nanobind": "nanobind", "nanoarrow": "nanoarrow", "xxhash.h": "xxHash", "zlib.h": "zlib", "duckdb.h": "DuckDB",
    "cblas.h": "OpenBLAS",
}  # fmt: skip
OF_THE_SYSTEM = {"sys", "kore"}

# What is fetched for the pages of docs/, and is in no package.
OF_THE_SITE = {"fetch_iframe_worker.sh"}

# What the set-up installs to build with, and what is no part of what is built.
TOOLS = {"make", "git", "ca-certificates", "g++", "cmake", "ninja-build", "ccache"}


def numbers(version):
    return [int(part) for part in version.split(".")]


def agree(one, other):
    """Whether two versions are the same as far as both go."""
    return all(a == b for a, b in zip(numbers(one), numbers(other), strict=False))


def pinned(project, name):
    file, before = PINS[name]
    return re.search(rf"(?<![\w-]){re.escape(before)}([\d.]*\d)", (project / "scripts" / file).read_text())[1]


def seen(project, made, name):
    file, pattern = SEEN[name]
    paths = [path for path in (project / file, made / file) if path.exists()]
    path = next(iter(paths or (path for folder in INCLUDED for path in found(made, folder, file))))
    matched = re.search(pattern, path.read_text(errors="replace"), re.S)
    return ".".join(str(int(number)) for number in matched.groups())


def found(made, folder, file):
    if folder.startswith("/"):
        return [path for path in [Path(folder, file)] if path.exists()]
    return sorted(made.glob(f"{folder}/{file}"))


def duckdb_says(made):
    library = ctypes.CDLL(str(made / "third_party/duckdb/lib/libduckdb.so"))
    library.duckdb_library_version.restype = ctypes.c_char_p
    return library.duckdb_library_version().decode().removeprefix("v")


def wrong_versions(project, made, versions):
    for name, version in versions.items():
        if not agree(version, pinned(project, name)):
            yield f"{name} {version}: the set-up takes {pinned(project, name)}"
        if name == "nanobind" and not (made / ".venv").exists():
            continue  # it is part of the set-up for Python alone
        inside = duckdb_says(made) if name == "DuckDB" else seen(project, made, name)
        if not agree(version, inside):
            yield f"{name} {version}: what is compiled in says {inside}"


def unnamed_libraries(project, versions):
    """Libraries that sources include or the set-up installs, and that are no component."""
    for source in [*project.glob("src/**/*.[ch]pp"), *project.glob("python/bindings/*.[ch]pp")]:
        for first, rest in re.findall(r"^#include <([\w.]+)(/?)", source.read_text(), re.M):
            named = HEADERS.get(first) in versions if first in HEADERS else not rest or first in OF_THE_SYSTEM
            if not named:
                yield f"{source.relative_to(project)} includes <{first}{rest}...>, which is no component"
    setup = (project / "scripts/setup.sh").read_text()
    for package in re.search(r"if needs build; then\n  packages\+=\(\n(.*?)\n  \)", setup, re.S)[1].split():
        name = package.partition("=")[0]
        if name not in TOOLS and not any(name + "=" == before for _, before in PINS.values()):
            yield f"scripts/setup.sh installs {name}, which is neither a tool nor a component"
    fetched = {file for name, (file, _) in PINS.items() if name in versions}
    for script in (project / "scripts").glob("fetch_*.sh"):
        if script.name not in fetched:
            yield f"{script.name} fetches what is no component"


def wrong_on_the_site(project, entries):
    """What the site carries has the version that is fetched, and brings its licence."""
    hooks = (project / "website/hooks.py").read_text()
    for entry in entries:
        name, version = entry["name"], entry["version"]
        if version != pinned(project, name):
            yield f"{name} {version}: the set-up takes {pinned(project, name)}"
        for place in [entry["script"], *(text.removeprefix("file:") for text in entry["texts"])]:
            if f'"{place}"' not in hooks:
                yield f"website/hooks.py does not put {place} into the site"


def entries(components):
    for component in components:
        yield component
        yield from component.get("parts", component.get("components", []))


def without_ends(text):
    return "\n".join(line.rstrip() for line in text.strip("\n").split("\n"))


def gaps(project, made, components, version):
    """What notices and bills of materials lack."""
    notices = (project / "legal/THIRD_PARTY_NOTICES.txt").read_text()
    for entry in entries(components):
        line = f"{entry['name']} {entry['version']}: " if "version" in entry else f"{entry['name']}: "
        if not re.search(rf"^(\* |  - ){re.escape(line)}", notices, re.M):
            yield f"the notices do not list {line[:-2]}"
        for text in entry.get("texts", []):
            place = text.removeprefix("file:")
            path = (made if place.startswith("third_party/") else project) / place
            if text.startswith("file:") and without_ends(path.read_text()) not in notices:
                yield f"the notices do not have {path.name}"
    for front in ("command", "python"):
        bill = json.loads((project / f"legal/{front}.cdx.json").read_text())
        inside = [c for c in components if front == "python" or front in c["in"]]
        wanted = {(e["name"], e.get("version")) for e in entries(inside)}
        if {(e["name"], e.get("version")) for e in entries(bill["components"])} != wanted:
            yield f"legal/{front}.cdx.json does not have the components of legal/components.json"
        if bill["metadata"]["component"]["version"] != version:
            yield f"legal/{front}.cdx.json is not that of version {version}"


def wrong_in_r(project, components):
    """The R package carries what its folder of libraries and its reports hold, with the texts of their licences."""
    with tempfile.TemporaryDirectory() as folder:
        package = Path(folder, "kore")
        subprocess.run([project / "scripts/stage_r_package.sh", package], check=True, stdout=subprocess.DEVNULL)
        bundled = {HEADERS.get(path.name, path.name) for path in (package / "src/engine/lib").iterdir()}
        scripts = (package / "src/engine/src/report/assets.cpp").read_text()
        bundled |= {
            name
            for name in ("Vega", "Vega-Lite", "vega-embed")
            if f"{name.lower().replace('-', '_')}_script" in scripts
        }
        carried = (package / "inst/THIRD_PARTY_NOTICES.txt").read_text()
    declared = {component["name"] for component in components if "r" in component["in"]}
    for name in bundled ^ declared:
        yield f"{name} is in the R package and not in its notices, or the other way round"
    for component in components:
        listed = re.search(rf"^\* {re.escape(component['name'])} ", carried, re.M) is not None
        if listed != (component["name"] in declared):
            yield f"the notices of the R package are wrong about {component['name']}"
    # Every text of the whole notices that is for one of these is there, word for word, and no other one.
    whole = (project / "legal/THIRD_PARTY_NOTICES.txt").read_text()
    for names, text in re.findall(r"\n={100}\n(.*?)\n={100}\n(.*?)(?=\n\n={100}\n|\Z)", whole, re.S):
        names = " ".join(names.split())
        owners = re.findall(r"\(part of ([^)]*)\)", names) + [
            n for n in declared if re.search(rf"(^|; ){re.escape(n)} \d", names)
        ]
        wanted = any(owner in declared for owner in owners)
        if wanted != (text.strip() in carried):
            yield f"the notices of the R package {'lack' if wanted else 'have'} the licence of {names}"


def main():
    project, made = map(Path, sys.argv[1:])
    listed = json.loads((project / "legal/components.json").read_text())
    components, of_the_site = listed["components"], listed["of_the_site"]
    versions = {component["name"]: component["version"] for component in components}
    named = versions | {entry["name"]: entry["version"] for entry in of_the_site}
    version = re.search(r"project\(kore VERSION (\S+)", (project / "CMakeLists.txt").read_text())[1]
    wrong = [*wrong_versions(project, made, versions), *unnamed_libraries(project, named)]
    wrong += [*wrong_on_the_site(project, of_the_site), *gaps(project, made, components, version)]
    wrong += wrong_in_r(project, components)
    if wrong:
        sys.exit("\n".join([*wrong, "scripts/third_party.py makes the files of legal/ from legal/components.json."]))


if __name__ == "__main__":
    main()
