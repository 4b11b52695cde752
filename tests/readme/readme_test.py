#!/usr/bin/env python3
"""What README.md shows is what happens: its commands run, and print what it says.

Usage: readme_test.py README FOLDER KORE QUICKSTART
Runs in FOLDER, which is made anew, with the command and the C++ example that are given. With KORE_RENEW_DOCS=1 the
outputs in README are written again instead.

website/shown.py says what counts as the same.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "website"))
from shown import ELISION, blocks, complaint, renewed, steps


def run(command, folder, kore):
    environment = dict(os.environ, PATH=f"{kore.parent}{os.pathsep}{os.environ['PATH']}")
    shell = ["bash", "-c", command]
    done = subprocess.run(shell, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"README says to run\n  {command}\nwhich fails with {done.returncode}: {done.stderr}")
    return done.stdout


def check_make_targets(text, makefile):
    """Every target of make that README names is one."""
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.M))
    calls = re.findall(r"(?:^|`)(?:sudo )?make ([a-z][a-z -]*?)(?: +#|`| *$| [A-Z])", text, re.M)
    named = [name for call in calls for name in call.split()]
    assert {"demo", "test", "build"} <= set(named), named
    return [f"README names `make {name}`, which the Makefile does not have." for name in named if name not in targets]


def check_paths(page):
    """Every file that a page links to is there."""
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text())
    return [f"{page.name} links to {link}, which is not there." for link in links if not (page.parent / link).exists()]


def check_documents(readme, text):
    """README names every page of docs/."""
    pages = [page.relative_to(readme.parent).as_posix() for page in (readme.parent / "docs").glob("*.md")]
    assert len(pages) > 15, pages
    return [f"README names {page} nowhere." for page in sorted(pages) if f"]({page}" not in text]


def main():
    readme, folder, kore, quickstart = (Path(argument).resolve() for argument in sys.argv[1:])
    text, root = readme.read_text(), readme.parent
    renew = os.environ.get("KORE_RENEW_DOCS") == "1"
    complaints = check_make_targets(text, (root / "Makefile").read_text()) + check_documents(readme, text)
    pages = [*root.glob("*.md"), *root.glob("docs/**/*.md")]
    assert readme in pages, pages
    for page in pages:
        complaints += check_paths(page)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    shutil.copy(root / "examples/data/cars.json", folder)

    consoles = [block for block in blocks(text) if block.language == "console"]
    assert consoles, "README shows no command."
    for block in reversed(consoles):
        told = ""
        for command, shown in steps(block.text):
            printed = run(command, folder, kore)
            told += f"$ {command}\n{renewed(shown, printed)}"
            if wrong := complaint(shown, printed):
                complaints.append(f"$ {command}\n{wrong}")
        if renew:
            text = text[: block.start] + told + text[block.end :]

    # What the C++ example prints for its first model.
    block = re.search(r"It prints, for the default profile:\n\n```text\n(.*?)^```$", text, re.M | re.S)
    printed = run(f"'{quickstart}'", folder, kore).lstrip("\n")
    if renew:
        told = renewed(block[1] + ELISION, printed).removesuffix(ELISION)
        text = text[: block.start(1)] + told + text[block.end(1) :]
        readme.write_text(text)
    elif wrong := complaint(block[1] + ELISION, printed):
        complaints.append(f"$ {quickstart.name}\n{wrong}")
    if complaints and not renew:
        sys.exit("\n\n".join(complaints) + "\n\nKORE_RENEW_DOCS=1 writes the outputs in README again.")


if __name__ == "__main__":
    main()
