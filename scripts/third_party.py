#!/usr/bin/env python3
"""Makes the notices and the bills of materials (CycloneDX) of what is inside KORE, from legal/components.json.

Usage: scripts/third_party.py            writes THIRD_PARTY_NOTICES.txt, command.cdx.json and python.cdx.json in legal/
       scripts/third_party.py --check    fails where one of them is not what it would write
       scripts/third_party.py --of r     prints what the written notices say of the R package, without fetching anything

Run it where `scripts/setup.sh` has run: the licences are those of the files that KORE is built with. Those of the parts
of DuckDB and Vega are fetched, from the packages that hold these parts. A text comes from one of these places:
  file:PATH        a file of the project or of the system
  apt:PACKAGE      what Debian says of a package; apt:PACKAGE:LINE is the paragraph that begins with this line
  python:PATTERN   a file in .venv; head:PATTERN is the comment at its beginning
  duckdb:PATH      a file in DuckDB's sources
  npm:PATH         a file in the package of this name and version
"""

import json
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import textwrap
import uuid
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LEGAL = ROOT / "legal"
MADE = Path(os.environ.get("KORE_BUILD") or ROOT)  # where .venv and third_party are
FRONTS = {"command": "the command", "python": "the Python package", "r": "the R package"}
BILLS = ("command", "python")
RULE = "=" * 100

# pip asks the build system of a source package for its metadata before it hands the package over. This module answers
# in its place, so that nothing is built.
ANSWERS = """
import pathlib
def prepare_metadata_for_build_wheel(folder, settings=None):
    metadata = pathlib.Path(folder, "duckdb-{version}.dist-info")
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\\nName: duckdb\\nVersion: {version}\\n")
    return metadata.name
def get_requires_for_build_wheel(settings=None):
    return []
get_requires_for_build_sdist = get_requires_for_build_editable = get_requires_for_build_wheel
build_editable = build_sdist = build_wheel = prepare_metadata_for_build_editable = prepare_metadata_for_build_wheel
"""


def with_parts(components):
    """Every component, followed by its parts, each with the name of what it is part of."""
    for component in components:
        yield component, None
        for part in component.get("parts", []):
            yield part, component


def fetch_duckdb(version, folder):
    """DuckDB's sources, an open archive, and the folder in it that they are in."""
    answers = folder / "answers" / "scikit_build_core"
    answers.mkdir(parents=True)
    (answers / "__init__.py").touch()
    (answers / "build.py").write_text(ANSWERS.format(version=version))
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
    command += ["--no-build-isolation", "--no-binary", "duckdb", "--dest", folder, f"duckdb=={version}"]
    subprocess.run(command, check=True, env={**os.environ, "PYTHONPATH": str(answers.parent)})
    return tarfile.open(folder / f"duckdb-{version}.tar.gz"), f"duckdb-{version}/external/duckdb/"


def fetch_npm(packages, folder):
    """Packages of npm as open archives, by name."""
    if not packages:
        return {}
    wanted = [f"{name}@{version}" for name, version in packages.items()]
    subprocess.run(["npm", "pack", "--silent", *wanted], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    return {name: tarfile.open(folder / f"{name}-{version}.tgz") for name, version in packages.items()}


class Texts:
    """Finds the texts of licences."""

    def __init__(self, components, folder):
        parts = [entry for entry, _ in with_parts(components)]
        wanted = {e["name"]: e["version"] for e in parts if any(t.startswith("npm:") for t in e.get("texts", []))}
        self.npm = fetch_npm(wanted, folder)
        version = next(e["version"] for e in parts if e["name"] == "DuckDB")
        self.duckdb, self.duckdb_folder = fetch_duckdb(version, folder)

    def of(self, entry):
        return [tidy(self.read(entry["name"], source)) for source in entry.get("texts", [])]

    def read(self, name, source):
        kind, _, place = source.partition(":")
        if kind == "file":
            return ((MADE if place.startswith("third_party/") else ROOT) / place).read_text()
        if kind == "apt":
            package, _, first = place.partition(":")
            text = Path("/usr/share/doc", package, "copyright").read_text()
            return paragraph(text, first) if first else text
        if kind in ("python", "head"):
            (path,) = (MADE / ".venv").glob(f"lib/python*/site-packages/{place}")
            return path.read_text() if kind == "python" else comment(path.read_text())
        if kind == "duckdb":
            return self.duckdb.extractfile(self.duckdb_folder + place).read().decode()
        if kind == "npm":
            package = self.npm[name]
            member = next(found for found in package.getnames() if found.partition("/")[2] == place)
            return package.extractfile(member).read().decode()
        raise ValueError(f"{source}: no such kind of text")


def paragraph(text, first):
    """A paragraph of one of Debian's copyright files, without the marks of its lines."""
    found = re.search(rf"^ {re.escape(first)}.*\n(?: .*\n)*", text, re.M)
    return re.sub(r"^ \.?", "", found[0], flags=re.M)


def comment(text):
    """The comment that a source file begins with."""
    return re.sub(r"^ \*(?: |$)", "", re.search(r"/\*+\n(.*?)\n? \*/", text, re.S)[1], flags=re.M)


def tidy(text):
    return "\n".join(line.rstrip() for line in text.replace("\r\n", "\n").split("\n")).strip("\n") + "\n"


def title(entry, owner=None):
    name = f"{entry['name']} {entry['version']}" if "version" in entry else entry["name"]
    return f"{name} (part of {owner['name']})" if owner else name


def notices(components, texts):
    """Who is inside, then each text once, below the names of all that it is for."""
    lines = [
        "Work of others that is inside KORE",
        "",
        *textwrap.wrap(
            "KORE is under the MIT licence, in the file LICENSE. The command and the packages contain the work of "
            "others, which is listed here with its licences. scripts/third_party.py made this file.",
            100,
        ),
        "",
    ]
    owners = {}
    for entry, owner in with_parts(components):
        where = "" if owner else f"; {entry['what']}; in " + listed(entry["in"])
        lines += textwrap.wrap(
            f"{title(entry)}: {entry['licence']}{where}",
            100,
            subsequent_indent="    ",
            initial_indent="  - " if owner else "* ",
        )
        for text in texts.of(entry):
            owners.setdefault(text, []).append(title(entry, owner))
    for text, names in owners.items():
        lines += ["", RULE, *textwrap.wrap("; ".join(names), 100), RULE, "", text.rstrip("\n")]
    return "\n".join(lines) + "\n"


def listed(fronts):
    words = [FRONTS[front] for front in fronts]
    return " and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else words[0]


def notices_of(front, components, text):
    """The part of the notices that is about one front: its lines of the list, and every text that is for them."""
    inside = [component for component in components if front in component["in"]]
    names = {title(entry, owner) for entry, owner in with_parts(inside)}
    head, _, rest = text.partition(f"\n\n{RULE}\n")
    first, *blocks = re.split(r"\n(?=\* )", head)
    kept = [first.replace("inside KORE", f"inside {FRONTS[front]} of KORE")]
    kept += [block for block in blocks if any(block.startswith(f"* {title(entry)}: ") for entry in inside)]
    for section in rest.split(f"\n\n{RULE}\n"):
        owners, _, licence = section.partition(f"\n{RULE}\n")
        own = [name for name in " ".join(owners.split("\n")).split("; ") if name in names]
        if own:
            kept += ["", RULE, *textwrap.wrap("; ".join(own), 100), RULE, licence.rstrip("\n")]
    return "\n".join(kept) + "\n"


def bill_entry(entry, owner=None):
    made = {"type": "library", "bom-ref": (f"{owner['name']}/" if owner else "") + entry["name"], "name": entry["name"]}
    if "version" in entry:
        made["version"] = entry["version"]
    single = re.fullmatch(r"\S+", entry["licence"])
    made["licenses"] = [{"license": {"id": entry["licence"]}} if single else {"expression": entry["licence"]}]
    if "purl" in entry:
        made["purl"] = entry["purl"]
    elif any(text.startswith("npm:") for text in entry.get("texts", [])):
        made["purl"] = f"pkg:npm/{entry['name']}@{entry['version']}"
    if entry.get("parts"):
        made["components"] = [bill_entry(part, entry) for part in entry["parts"]]
    return made


def bill(front, components, version):
    """The bill of materials of a front, in CycloneDX's form. The Python package holds the command."""
    inside = [component for component in components if front in component["in"] or front == "python"]
    made = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": "",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application" if front == "command" else "library",
                "bom-ref": "kore",
                "name": "kore",
                "version": version,
                "description": f"KORE: {FRONTS[front]}",
                "licenses": [{"license": {"id": "MIT"}}],
            }
        },
        "components": [bill_entry(component) for component in inside],
        "dependencies": [{"ref": "kore", "dependsOn": [component["name"] for component in inside]}],
    }
    # A number of its own for every content, and the same one for the same content.
    made["serialNumber"] = uuid.uuid5(uuid.NAMESPACE_OID, json.dumps(made)).urn
    return made


def made_files():
    components = json.loads((LEGAL / "components.json").read_text())["components"]
    version = re.search(r"project\(kore VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text())[1]
    for front in BILLS:
        made = bill(front, components, version)
        yield LEGAL / f"{front}.cdx.json", json.dumps(made, indent=2, ensure_ascii=False) + "\n"
    with tempfile.TemporaryDirectory() as folder:
        yield LEGAL / "THIRD_PARTY_NOTICES.txt", notices(components, Texts(components, Path(folder)))


def main():
    if sys.argv[1:] == ["--of", "r"]:
        components = json.loads((LEGAL / "components.json").read_text())["components"]
        print(notices_of("r", components, (LEGAL / "THIRD_PARTY_NOTICES.txt").read_text()), end="")
        return
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    for path, content in made_files():
        if not sys.argv[1:]:
            path.write_text(content)
        elif not path.exists() or path.read_text() != content:
            sys.exit(f"{path.relative_to(ROOT)} is not what scripts/third_party.py makes; run it.")


if __name__ == "__main__":
    main()
