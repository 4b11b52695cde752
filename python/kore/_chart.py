"""A chart that notebooks show and a browser opens."""

from __future__ import annotations

import importlib.util
import io
import json
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_SHARP = 144  # dots of an inch


class Chart:
    """The effects of a model as a chart. A notebook shows it at the end of a cell; ``save`` writes it as a page.

    Notebooks with Vega-Lite (JupyterLab) show an interactive chart, all others a drawing, which pages that are made of
    notebooks have, too. Where matplotlib is installed there is a PNG beside them, for those that print notebooks.
    """

    def __init__(self, specification: str, page: str, drawing: str, figure: Callable[[], Figure]) -> None:
        self._specification = specification
        self._page = page
        self._drawing = drawing
        self._figure = figure

    def to_dict(self) -> dict[str, Any]:
        """The Vega-Lite specification."""
        specification: dict[str, Any] = json.loads(self._specification)
        return specification

    def to_svg(self) -> str:
        """The drawing, as SVG."""
        return self._drawing

    def to_png(self) -> bytes:
        """A picture by matplotlib, which has to be installed."""
        picture = io.BytesIO()
        self._figure().savefig(picture, format="png", dpi=_SHARP)
        return picture.getvalue()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write an HTML page, a drawing where the name ends in .svg, or by matplotlib a picture where it ends in .png.

        If writing is interrupted, an earlier file is kept.
        """
        target = Path(path)
        ending = target.suffix.lower()
        content = self.to_png() if ending == ".png" else (self._drawing if ending == ".svg" else self._page).encode()
        with tempfile.NamedTemporaryFile("wb", dir=target.parent, delete=False) as beside:
            beside.write(content)
        os.chmod(beside.name, 0o644)
        os.replace(beside.name, target)

    def _repr_svg_(self) -> str:
        return self._drawing

    def _repr_html_(self) -> str:
        return f'<div style="max-width:100%;overflow-x:auto">{self._drawing}</div>'

    def _repr_mimebundle_(self, **options: Any) -> dict[str, Any]:
        picture = {"image/png": self.to_png()} if importlib.util.find_spec("matplotlib") else {}
        return {
            **picture,
            "application/vnd.vegalite.v5+json": self.to_dict(),
            "text/html": self._repr_html_(),
            "image/svg+xml": self._drawing,
            "text/plain": repr(self),
        }

    def __repr__(self) -> str:
        titles = ", ".join(panel["title"] for panel in self.to_dict()["concat"])
        return f"Chart({titles})"
