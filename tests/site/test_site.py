"""The site: built with its tutorials run, no broken link, nothing from another host, and fit for a phone."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from check_site import complaints_of

ROOT = Path(__file__).resolve().parents[2]
MADE = Path(os.environ.get("KORE_BUILD") or ROOT)
# The site is built once, in one process.
pytestmark = pytest.mark.xdist_group("site")


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The site, with its tutorials run; what they print is compared with what they show. That of Spark is left to
    `make docs`: a session takes longer than all others, and tests/python/test_spark.py has one."""
    pytest.importorskip("mkdocs")
    folder = tmp_path_factory.mktemp("site") / "with space"
    build = [sys.executable, ROOT / "website/build.py", MADE / "build/kore", "--out", folder, "--leave-out", "spark"]
    done = subprocess.run(build, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def test_every_link_leads_somewhere_and_nothing_is_loaded_from_elsewhere(site):
    assert complaints_of(site) == []


def test_the_checker_finds_what_is_broken(tmp_path):
    (tmp_path / "index.html").write_text(
        '<a href="other.html#there">fine</a> <a href="other.html#not-there">no anchor</a> <a href="gone.html">gone</a>'
        '<img src="https://example.org/a.png"> <a href="https://example.org">a reader may go there</a>'
        '<link rel="stylesheet" href="//example.org/a.css"> <div style="background: url(http://example.org/b.png)"></div>'
    )
    (tmp_path / "other.html").write_text('<h2 id="there">here</h2> <a href="#nowhere">no anchor</a>')
    (tmp_path / "style.css").write_text(
        "@import 'https://example.org/c.css'; p { background: url(data:image/png;base64,AA==) }"
    )
    found = "\n".join(complaints_of(tmp_path))
    for broken in ("#not-there", "gone.html", "a.png", "//example.org/a.css", "b.png", "#nowhere", "c.css"):
        assert broken in found
    assert len(found.splitlines()) == 7


def test_every_document_is_on_the_site(site):
    documents = [path.relative_to(ROOT / "docs").with_suffix(".html") for path in (ROOT / "docs").rglob("*.md")]
    assert len(documents) > 20
    assert [page for page in documents if not (site / page).exists()] == []


def test_every_picture_and_report_is_there(site):
    """Comments in the documents say where; none is left, and what they name was made."""
    pages = {path: path.read_text() for folder in (site, site / "tutorials") for path in folder.glob("*.html")}
    assert [path.name for path, page in pages.items() if "<!-- picture" in page or "<!-- report" in page] == []
    shown = [path.stem for path, page in pages.items() if "<figure" in page]
    assert {"house-prices", "claims", "credit", "from-lightgbm", "report", "gallery"} <= set(shown)
    assert "Here the site has a picture" not in "".join(page for path, page in pages.items() if path.stem != "spark")


def test_the_index_of_the_search_has_words_of_every_kind_of_page(site):
    text = (site / "search/search_index.js").read_text()
    found = json.loads(text.removeprefix("var __index = "))["docs"]
    pages = {entry["location"].partition("#")[0] for entry in found}
    assert {"glossary.html", "tutorials/claims.html", "python-reference/kore.html", "cpp/fit.hpp.html"} <= pages
    assert "iframe-worker.js" in (site / "index.html").read_text()
    assert "Permission is hereby granted" in (site / "assets/iframe-worker.LICENSE.txt").read_text()


def test_formulas_are_drawn_without_scripts(site):
    page = (site / "index.html").read_text()
    assert "<math" in page and "$$" not in page


def test_pages_in_a_browser_on_a_desktop_and_on_a_phone(site):
    node = shutil.which("node")
    if not node:
        pytest.skip("there is no node")
    done = subprocess.run([node, ROOT / "tests/site/site_test.mjs", site], capture_output=True, text=True, check=False)
    if done.returncode == 77:
        pytest.skip(done.stdout)
    assert done.returncode == 0, done.stdout + done.stderr
