#!/usr/bin/env python3
"""Parses every source and every test without precompiled headers, each on its own, so that a file that lacks an include is found.

Usage: scripts/check_includes.py BUILD_FOLDER [JOBS]    The folder is one whose precompiled headers are off.
"""

import json
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

FOLDERS = ("src", "experiments", "tests", "examples", "benchmarks")


def commands(build: Path) -> dict[str, tuple[list[str], str]]:
    """The command and folder of each source, once also where two targets compile it."""
    project = Path(__file__).resolve().parent.parent
    found = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        path = Path(entry["file"])
        if path.is_relative_to(project) and path.relative_to(project).parts[0] in FOLDERS:
            found[entry["file"]] = ([*shlex.split(entry["command"]), "-fsyntax-only"], entry["directory"])
    return found


def main() -> int:
    build = Path(sys.argv[1])
    jobs = int(sys.argv[2]) if len(sys.argv) > 2 else 1

    def parse(command: tuple[list[str], str]) -> bool:
        words, folder = command
        return subprocess.run(words, cwd=folder, check=False).returncode == 0

    all_commands = commands(build)
    with ThreadPoolExecutor(jobs) as pool:
        sound = list(pool.map(parse, all_commands.values()))
    print(f"includes: {sum(sound)} of {len(sound)} sources parse without precompiled headers")
    return 0 if sound and all(sound) else 1


if __name__ == "__main__":
    sys.exit(main())
