"""A chart that notebooks show and a browser opens."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any


class Chart:
    """A chart in Vega-Lite. A notebook shows it at the end of a cell; ``save`` writes it as an HTML page."""

    def __init__(self, specification: str, page: str) -> None:
        self._specification = specification
        self._page = page

    def to_dict(self) -> dict[str, Any]:
        """The Vega-Lite specification."""
        specification: dict[str, Any] = json.loads(self._specification)
        return specification

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write an HTML page. If writing is interrupted, an earlier page is kept."""
        target = Path(path)
        with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=target.parent, delete=False) as beside:
            beside.write(self._page)
        os.chmod(beside.name, 0o644)
        os.replace(beside.name, target)

    def _repr_mimebundle_(self, **options: Any) -> dict[str, Any]:
        return {"application/vnd.vegalite.v5+json": self.to_dict(), "text/plain": repr(self)}

    def __repr__(self) -> str:
        titles = ", ".join(panel["title"] for panel in self.to_dict()["concat"])
        return f"Chart({titles})"
