#!/usr/bin/env python3
"""Runs the blocks of a page in their order, as a reader would, and compares what they print with what the page shows.

Usage: tutorial.py PAGE FOLDER KORE
FOLDER is made anew and begins with the files of examples/data. All Python blocks of a page share their names. A page
with the comment `<!-- needs: java -->` is left out, with a message and exit status 77, where that is missing: a
program, or a module of Python. With KORE_RENEW_DOCS=1 what the page shows is written again instead.
"""

import contextlib
import importlib.util
import io
import os
import re
import shutil
import subprocess
import sys
import traceback
import warnings
from pathlib import Path

from shown import blocks, complaint, renewed, steps

ROOT = Path(__file__).resolve().parents[1]
SKIPPED = 77


def missing(page):
    """What the page needs and this machine lacks."""
    needs = re.search(r"<!-- needs: (.*?) -->", page)
    names = needs[1].split(", ") if needs else []
    return [name for name in names if not shutil.which(name) and not importlib.util.find_spec(name)]


def command_output(command, page):
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{page} says to run\n  {command}\nwhich fails with {done.returncode}: {done.stderr}")
    return done.stdout


def python_output(block, names, page):
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed), warnings.catch_warnings():
            warnings.simplefilter("error", UserWarning)  # a reader would wonder about it
            exec(compile("\n" * (block.line - 1) + block.text, page, "exec"), names)
    except Exception:
        raise SystemExit(f"A program of {page} fails:\n{traceback.format_exc()}") from None
    return printed.getvalue()


def shown_below(all_blocks, place, page):
    """The text block right below a program, if there is one."""
    below = all_blocks[place + 1] if place + 1 < len(all_blocks) else None
    if below and below.language == "text" and not page[all_blocks[place].end + 3 : below.start - 8].strip():
        return below
    return None


def run_page(page, name):
    """Complaints, and the page as it would be right."""
    complaints, replacements, names = [], [], {"__name__": "__main__"}
    all_blocks = blocks(page)
    for place, block in enumerate(all_blocks):
        if block.language == "console":
            told = ""
            for command, shown in steps(block.text):
                printed = command_output(command, name)
                told += f"$ {command}\n{renewed(shown, printed)}"
                complaints += [f"$ {command}\n{wrong}" for wrong in [complaint(shown, printed, name)] if wrong]
            replacements.append((block, told))
        elif block.language == "python":
            printed, below = python_output(block, names, name), shown_below(all_blocks, place, page)
            wrong = complaint(below.text if below else "", printed, name)
            complaints += [f"line {block.line}: {wrong}"] if wrong else []
            if below:
                replacements.append((below, renewed(below.text, printed)))
    for block, told in reversed(replacements):
        page = page[: block.start] + told + page[block.end :]
    return complaints, page


def main():
    path, folder, kore = (Path(argument).resolve() for argument in sys.argv[1:])
    page = path.read_text()
    if lacking := missing(page):
        print(f"{path.name} was left out: {' and '.join(lacking)} missing on this machine.")
        sys.exit(SKIPPED)
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(ROOT / "examples/data", folder, ignore=shutil.ignore_patterns("README.md", "__pycache__"))
    os.chdir(folder)
    sys.path.insert(0, str(folder))
    os.environ["PATH"] = os.pathsep.join([str(kore.parent), str(Path(sys.executable).parent), os.environ["PATH"]])
    complaints, right = run_page(page, path.name)
    if os.environ.get("KORE_RENEW_DOCS") == "1":
        path.write_text(right)
    elif complaints:
        sys.exit("\n\n".join(complaints) + f"\n\nKORE_RENEW_DOCS=1 writes the outputs of {path.name} again.")


if __name__ == "__main__":
    main()
