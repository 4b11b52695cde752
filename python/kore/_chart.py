"""A chart that notebooks show and a browser opens."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any


class Chart:
    """The effects of a model as a chart. A notebook shows it at the end of a cell; ``save`` writes it as a page.

    Notebooks with Vega-Lite (JupyterLab) show an interactive chart, all others a drawing, which pages that are made of
    notebooks have, too.
    """

    def __init__(self, specification: str, page: str, drawing: str = "") -> None:
        self._specification = specification
        self._page = page
        self._drawing = drawing

    def to_dict(self) -> dict[str, Any]:
        """The Vega-Lite specification."""
        specification: dict[str, Any] = json.loads(self._specification)
        return specification

    def to_svg(self) -> str:
        """The drawing, as SVG."""
        return self._drawing

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write an HTML page, or a drawing where the name ends in .svg. If writing is interrupted, an earlier file is
        kept."""
        target = Path(path)
        text = self._drawing if target.suffix.lower() == ".svg" else self._page
        with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=target.parent, delete=False) as beside:
            beside.write(text)
        os.chmod(beside.name, 0o644)
        os.replace(beside.name, target)

    def _repr_svg_(self) -> str:
        return self._drawing

    def _repr_html_(self) -> str:
        return f'<div style="max-width:100%;overflow-x:auto">{self._drawing}</div>'

    def _repr_mimebundle_(self, **options: Any) -> dict[str, Any]:
        return {
            "application/vnd.vegalite.v5+json": self.to_dict(),
            "text/html": self._repr_html_(),
            "image/svg+xml": self._drawing,
            "text/plain": repr(self),
        }

    def __repr__(self) -> str:
        titles = ", ".join(panel["title"] for panel in self.to_dict()["concat"])
        return f"Chart({titles})"
