#!/usr/bin/env python3
"""Builds the site: runs the programs of its pages, takes pictures of reports, and lets mkdocs make pages of it all.

Usage: build.py KORE [--out FOLDER] [--whole] [--leave-out PAGE]...
Needs a Python that has kore and website/requirements.txt; scripts/build_site.sh makes one. Programs run in
build-site-work, a folder for each page. `--leave-out spark` does not run the programs of docs/tutorials/spark.md:
its outputs are then shown as they were. `--whole` fails where something is missing to run a page or the vignette of R.
"""

import argparse
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import tutorial

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
# Where things are made: in the source, unless KORE_BUILD names another folder.
MADE = Path(os.environ.get("KORE_BUILD") or ROOT)
WORK = MADE / "build-site-work"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def run_page(page, kore, whole):
    """Runs the programs of a page; what is wrong with it, or nothing."""
    folder = WORK / page.stem
    done = subprocess.run(
        [sys.executable, HERE / "tutorial.py", page, folder, kore], capture_output=True, text=True, check=False
    )
    if done.returncode == tutorial.SKIPPED:
        if whole:
            return done.stdout.strip()
        print(done.stdout, end="")
        leave_out(page, done.stdout)
    elif done.returncode:
        return f"{page.name}:\n{done.stderr.strip()}"
    else:
        take_pictures(folder)
    return ""


def leave_out(page, why):
    folder = WORK / page.stem
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / "left-out.txt").write_text(why)


def take_pictures(folder):
    """A picture of the head of every report, where there is a browser."""
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if not browser:
        return
    for report in folder.glob("*.html"):
        picture = report.with_suffix(".png")
        settings = [
            "--headless",
            "--no-sandbox",
            "--hide-scrollbars",
            "--window-size=1100,1400",
            "--virtual-time-budget=10000",
        ]
        subprocess.run(
            [browser, *settings, f"--screenshot={picture}", report.as_uri()], capture_output=True, check=True
        )


def knit_vignette(whole):
    """The vignette of the R package with what R prints, where R has the package and knitr."""
    vignette = ROOT / "r/vignettes/from-mgcv.Rmd"
    folder = WORK / vignette.stem
    os.environ.setdefault("R_LIBS", str(MADE / "build-r/library"))  # where `make test-r` has put the package
    needed = "quit(status = !all(sapply(c('kore', 'knitr', 'mgcv'), requireNamespace, quietly = TRUE)))"
    there = (
        shutil.which("Rscript")
        and subprocess.run(["Rscript", "-e", needed], check=False, capture_output=True).returncode == 0
    )
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    if not there:
        why = "from-mgcv.Rmd was left out: no R with the packages kore, knitr and mgcv on this machine."
        if whole:
            return why
        print(why)
        return ""
    knit = f"knitr::opts_chunk$set(error = FALSE); knitr::knit('{vignette}', quiet = TRUE)"
    done = subprocess.run(["Rscript", "-e", knit], cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        return f"from-mgcv.Rmd:\n{done.stderr}"
    # Chunks that need mgcv are left out in silence where it is missing.
    shown = (folder / "from-mgcv.md").read_text()
    lacking = [words for words in ("#> On new rows", "#> Verdict", "](figure/") if words not in shown]
    return f"from-mgcv.Rmd does not show {', '.join(lacking)}." if lacking else ""


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("kore", type=Path)
    arguments.add_argument("--out", type=Path, default=MADE / "build-site")
    arguments.add_argument("--leave-out", action="append", default=[])
    arguments.add_argument("--whole", action="store_true")
    given = arguments.parse_args()
    kore = given.kore.resolve()

    pages = [*sorted((ROOT / "docs/tutorials").glob("*.md")), *sorted((HERE / "pages").glob("*.md"))]
    run = [page for page in pages if page.stem not in given.leave_out]
    for page in set(pages) - set(run):
        leave_out(
            page, "The programs of this page were not run when this site was built; it shows what they printed before."
        )
    with ThreadPoolExecutor(max_workers=2) as workers:
        complaints = list(
            filter(
                None, [*workers.map(lambda page: run_page(page, kore, given.whole), run), knit_vignette(given.whole)]
            )
        )
    if complaints:
        sys.exit("\n\n".join(complaints))

    shutil.rmtree(given.out, ignore_errors=True)
    settings = ["--quiet", "--strict", "--config-file", HERE / "mkdocs.yml", "--site-dir", given.out.resolve()]
    environment = dict(os.environ, KORE_SITE_WORK=str(WORK), NO_MKDOCS_2_WARNING="1")
    sys.exit(
        subprocess.run([sys.executable, "-m", "mkdocs", "build", *settings], env=environment, check=False).returncode
    )


if __name__ == "__main__":
    main()
