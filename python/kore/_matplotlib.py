"""The effects of a model as a figure of matplotlib. Imported only where one is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_WIDTH = 3.6  # inches of a panel
_HEIGHT = 2.8
_DAY = 86_400_000  # milliseconds
_DASHES = ("-", "--", ":", "-.", (0, (4, 4)), (0, (12, 4)))


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
    draw = {"curve": _draw_curve, "levels": _draw_levels, "surface": _draw_surface}
    for axes, effect in zip(panels, effects, strict=False):
        axes.set_title(effect["name"], fontsize=9)
        draw[effect["kind"]](figure, axes, effect)
    for axes in list(figure.axes)[len(effects) : down * across]:
        axes.set_visible(False)
    return figure


def _draw_curve(figure: Figure, axes: Axes, effect: dict[str, Any]) -> None:
    x = _places(effect["x"])
    axes.axhline(0, color="0.6", linewidth=0.8, linestyle=":")
    axes.set_xlabel(effect["x"]["name"])
    axes.set_ylabel(_effect_on(effect))
    if effect["single"]:
        _draw_points(axes, x, effect)
        return
    if effect["lower"]:
        axes.fill_between(x, effect["lower"], effect["upper"], alpha=0.18, linewidth=0)
    axes.plot(x, effect["values"])
    axes.plot(_places({**effect["x"], "points": effect["value_places"]}), effect["value_effects"], ".", markersize=4)
    if effect["central"]:
        axes.set_xlim(*_places({**effect["x"], "points": effect["central"]}))
    axes.tick_params(axis="x", labelrotation=30 if effect["x"]["dates"] else 0)


def _draw_points(axes: Axes, x: Any, effect: dict[str, Any]) -> None:
    """The few whole numbers that there are, each with its band."""
    if effect["lower"]:
        axes.vlines(x, effect["lower"], effect["upper"], alpha=0.5, linewidth=3)
    axes.plot(x, effect["values"], linewidth=0.8, alpha=0.35)
    axes.plot(x, effect["values"], "o", color="C0")
    axes.set_xticks(x)


def _draw_levels(figure: Figure, axes: Axes, effect: dict[str, Any]) -> None:
    order = np.argsort(effect["values"])
    values, lower, upper = (np.array(effect[key])[order] for key in ("values", "lower", "upper"))
    places = np.arange(len(order))
    axes.axvline(0, color="0.6", linewidth=0.8, linestyle=":")
    if effect["bands"]:
        axes.hlines(places, lower, upper, alpha=0.5, linewidth=3)
    axes.plot(values, places, "o")
    axes.set_yticks(places, [effect["names"][place] for place in order])
    axes.set_xlabel(_effect_on(effect))


def _draw_surface(figure: Figure, axes: Axes, effect: dict[str, Any]) -> None:
    if effect["lines"]:
        _draw_lines(axes, effect)
        return
    x, y = effect["x"], effect["y"]
    values = np.array(effect["values"])
    largest = max(abs(value) for value in [*values, *effect["limits"]]) or 1
    shape = (len(x["levels"] or x["points"]), len(y["levels"] or y["points"]))
    mesh = axes.pcolormesh(
        _places(x), _places(y), values.reshape(shape).T, cmap="PuOr_r", vmin=-largest, vmax=largest, shading="nearest"
    )
    axes.set_xlabel(x["name"])
    axes.set_ylabel(y["name"])
    if x["levels"]:
        axes.set_xticks(np.arange(shape[0]), x["levels"])
    if y["levels"]:
        axes.set_yticks(np.arange(shape[1]), y["levels"])
    figure.colorbar(mesh, ax=axes)


def _draw_lines(axes: Axes, effect: dict[str, Any]) -> None:
    """A line for each of a few levels, told apart by dashes, too."""
    x, levels = effect["x"], effect["y"]["levels"]
    values = np.array(effect["values"]).reshape(-1, len(levels))
    axes.axhline(0, color="0.6", linewidth=0.8, linestyle=":")
    for place, level in enumerate(levels):
        axes.plot(_places(x), values[:, place], linestyle=_DASHES[place % len(_DASHES)], label=level)
    axes.set_xlabel(x["name"])
    axes.set_ylabel(_effect_on(effect))
    axes.legend(title=effect["y"]["name"], fontsize=7, title_fontsize=7)
    axes.tick_params(axis="x", labelrotation=30 if x["dates"] else 0)


def _places(side: dict[str, Any]) -> Any:
    """Where the points of a side lie: levels side by side, days as dates."""
    if side.get("levels"):
        return np.arange(len(side["levels"]))
    points = np.array(side["points"], dtype=np.float64)
    return np.datetime64("1970-01-01", "ms") + np.round(points * _DAY).astype(np.int64) if side["dates"] else points


def _effect_on(effect: dict[str, Any]) -> str:
    return f"effect on {effect['target']}" if effect["target"] else "effect"
