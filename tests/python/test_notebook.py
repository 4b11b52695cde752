"""A notebook is run, and made a page: what model.plot() shows must be in it."""

import html
import re
from pathlib import Path

import pytest
from kore import KOREAdditiveRegressor

REASON = "nbclient, nbconvert and ipykernel run notebooks; python/requirements.txt has their versions"
nbformat = pytest.importorskip("nbformat", reason=REASON)
nbclient = pytest.importorskip("nbclient", reason=REASON)
nbconvert = pytest.importorskip("nbconvert", reason=REASON)
pytest.importorskip("ipykernel", reason=REASON)

TABLE = """
import numpy
from kore import KOREAdditiveRegressor

random = numpy.random.default_rng(7)
X = random.uniform(size=(300, 2))
y = numpy.sin(6 * X[:, 0]) + X[:, 1] + random.normal(0, 0.1, 300)
model = KOREAdditiveRegressor(n_jobs=1).fit(X, y)
"""


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    notebook = nbformat.v4.new_notebook()
    notebook.cells = [nbformat.v4.new_code_cell(text) for text in (TABLE, "model.plot(terms=2)", "model")]
    folder = str(tmp_path_factory.mktemp("notebook"))
    nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": folder}}).execute()
    # Templates of pages lie beside the packages, which the environment of the tests sees through from another one.
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JUPYTER_PATH", str(Path(nbconvert.__file__).parents[4] / "share/jupyter"))
        exported, _ = nbconvert.HTMLExporter().from_notebook_node(notebook)
    return exported


def test_the_page_has_the_drawing_of_the_model(page):
    here = {}
    exec(TABLE, here)  # the same data is the same model here, and the same drawing
    model = here["model"]
    assert isinstance(model, KOREAdditiveRegressor)
    drawing = model.plot(terms=2).to_svg()
    # The page writes attributes and characters in its own way, so that lines and words are compared and not the markup.
    lines = re.findall(r'\bpoints="([^"]+)"', drawing)
    words = [word for word in re.findall(r">([^<>]+)</text>", drawing) if word.strip()]
    assert lines
    assert any(word.startswith("x0 (") for word in words)
    shown = page[page.index("<svg") : page.rindex("</svg>")]
    assert all(line in shown for line in lines)
    assert all(word in html.unescape(shown) for word in map(html.unescape, words))
    other = KOREAdditiveRegressor(n_jobs=1).fit(here["X"], here["y"] ** 2).plot(terms=2).to_svg()
    assert not all(line in shown for line in re.findall(r'\bpoints="([^"]+)"', other))


def test_the_page_has_the_story_of_the_model(page):
    assert "leave-one-out RMSE" in page
