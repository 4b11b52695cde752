"""The effects of a model as a figure of matplotlib. Imported only where one is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_WIDTH = 3.6  # inches of a panel
_HEIGHT = 2.8


def figure_of(effects: list[dict[str, Any]], columns: int) -> Figure:
    """A panel for each effect, as the engine has drawn them."""
    try:
        from matplotlib.figure import Figure
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            "plot(backend='matplotlib') needs matplotlib, which is not installed: pip install matplotlib"
        ) from error
    across = min(columns, len(effects)) or 1
    down = -(-len(effects) // across)
    figure = Figure(figsize=(_WIDTH * across, _HEIGHT * down), layout="constrained")
    panels = figure.subplots(down, across, squeeze=False).flat
    for axes, effect in zip(panels, effects, strict=False):
        axes.set_title(effect["name"], fontsize=9)
        axes.set_xlabel(effect["features"][0])
        (_draw_curve if len(effect["features"]) == 1 else _draw_surface)(figure, axes, effect)
    for axes in list(figure.axes)[len(effects) : down * across]:
        axes.set_visible(False)
    return figure


def _draw_curve(figure: Figure, axes: Axes, effect: dict[str, Any]) -> None:
    x, values = np.array(effect["coordinates"][0]), np.array(effect["values"])
    lower, upper = np.array(effect["lower"]), np.array(effect["upper"])
    axes.axhline(0, color="0.6", linewidth=0.8, linestyle=":")
    axes.set_ylabel(f"effect on {effect['target']}" if effect["target"] else "effect")
    if effect["levels"]:
        if len(lower):
            axes.vlines(x, lower, upper, alpha=0.5, linewidth=3)
        axes.plot(x, values, "o")
        axes.set_xticks(x, effect["levels"])
        return
    if len(lower):
        axes.fill_between(x, lower, upper, alpha=0.18, linewidth=0)
    axes.plot(x, values)


def _draw_surface(figure: Figure, axes: Axes, effect: dict[str, Any]) -> None:
    x, y = (np.unique(np.array(coordinate)) for coordinate in effect["coordinates"])
    values = np.array(effect["values"]).reshape(len(x), len(y)).T
    shared = effect["colours"] or [values.min(), values.max()]
    largest = max(abs(end) for end in shared) or 1
    mesh = axes.pcolormesh(x, y, values, cmap="PuOr_r", vmin=-largest, vmax=largest, shading="nearest")
    axes.set_ylabel(effect["features"][1])
    figure.colorbar(mesh, ax=axes)
