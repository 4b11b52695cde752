#!/usr/bin/env python3
"""Draws the rooms of docs/architecture.md and who may include whom, as docs/map.svg.

Usage: scripts/draw_map.py [--check]    --check draws nothing, and fails where the picture is not what would be drawn

A room stands above every room that it includes. Arrows that follow from others are left out.
"""

import re
import sys
import textwrap
from html import escape
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MAP = ROOT / "docs/map.svg"
WIDTH, HEIGHT, GAP_X, GAP_Y, MARGIN = 190, 76, 24, 46, 20
FRONTS = {"cli", "experiments", "bindings"}


def read_rooms(document):
    """Name -> (what it is, the rooms it may include), from the table under "Rooms and arrows"."""
    table = document.split("## Rooms and arrows", 1)[1].split("\n## ", 1)[0]
    lines = [line for line in table.splitlines() if line.startswith("| `")]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    names = [row[0].strip("`") for row in rows]
    rooms = {}
    for name, (_, what, _, includes) in zip(names, rows, strict=True):
        # What may include any room is drawn above all that are no fronts themselves.
        anything = set(names) - FRONTS
        rooms[name] = (what, anything if includes == "any" else set(re.findall(r"`([^`]+)`", includes)))
    return rooms


def in_short(what):
    """The first words of a description, at most two lines of a box."""
    plain = re.sub(r"\[([^\]]+)\]\([^)]*\)|`", r"\1", what)
    first = re.split(r"[,;:.(]", plain.removeprefix("a folder of its own beside src/: "), maxsplit=1)[0]
    if plain.startswith("python/bindings: "):
        first = plain.removeprefix("python/bindings: ").split("(")[0]
    return textwrap.wrap(first.strip(), 25)[:2]


def levels(rooms):
    """How many rooms stand below a room, in the longest chain."""
    found = {}

    def level(name):
        if name not in found:
            found[name] = 1 + max((level(other) for other in rooms[name][1]), default=-1)
        return found[name]

    for name in rooms:
        level(name)
    return found


def needed_arrows(rooms):
    """Arrows without those that follow from others."""

    def reached(name):
        return {far for other in rooms[name][1] for far in {other} | reached(other)}

    beyond = {name: reached(name) for name in rooms}
    return [
        (name, other)
        for name, (_, others) in rooms.items()
        for other in sorted(others)
        if not any(other in beyond[middle] for middle in others)
    ]


def places(rooms):
    """Left upper corners; the rooms of a level stand side by side, centred."""
    level_of = levels(rooms)
    top = max(level_of.values())
    by_level = [[name for name in rooms if level_of[name] == level] for level in range(top + 1)]
    widest = max(len(names) for names in by_level)
    total = widest * (WIDTH + GAP_X) - GAP_X
    corners = {}
    for level, names in enumerate(by_level):
        start = MARGIN + (total - (len(names) * (WIDTH + GAP_X) - GAP_X)) / 2
        for index, name in enumerate(names):
            corners[name] = (start + index * (WIDTH + GAP_X), MARGIN + (top - level) * (HEIGHT + GAP_Y))
    return corners, total + 2 * MARGIN, (top + 1) * (HEIGHT + GAP_Y) - GAP_Y + 2 * MARGIN


def draw(rooms):
    corners, width, height = places(rooms)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" role="img" '
        'aria-labelledby="title" font-family="system-ui, sans-serif">',
        '<title id="title">The rooms of KORE: each includes only rooms below it</title>',
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        '<path d="M0 0 L8 4 L0 8 z" fill="#8595a6"/></marker></defs>',
        f'<rect width="{width:g}" height="{height:g}" fill="#ffffff"/>',
    ]
    for name, other in needed_arrows(rooms):
        (x, y), (to_x, to_y) = corners[name], corners[other]
        x, to_x, y = x + WIDTH / 2, to_x + WIDTH / 2, y + HEIGHT
        parts.append(
            f'<path d="M{x:g} {y:g} C{x:g} {y + GAP_Y:g} {to_x:g} {to_y - GAP_Y:g} {to_x:g} {to_y:g}" fill="none" '
            'stroke="#8595a6" stroke-width="1.3" marker-end="url(#tip)"/>'
        )
    for name, (what, _) in rooms.items():
        x, y = corners[name]
        parts.append(
            f'<g id="room-{name}"><rect x="{x:g}" y="{y:g}" width="{WIDTH}" height="{HEIGHT}" rx="8" fill="#f2f6fa" '
            'stroke="#34567a"/>'
        )
        x += 12
        style = 'font-size="16" font-weight="600" fill="#1d3550"'
        parts.append(f'<text x="{x:g}" y="{y + 24:g}" {style}>{escape(name)}</text>')
        for line, text in enumerate(in_short(what)):
            style = 'font-size="12.5" fill="#33414f"'
            parts.append(f'<text x="{x:g}" y="{y + 44 + 17 * line:g}" {style}>{escape(text)}</text>')
        parts.append("</g>")
    return "\n".join([*parts, "</svg>"]) + "\n"


def main():
    rooms = read_rooms((ROOT / "docs/architecture.md").read_text())
    folders = {path.name for path in (ROOT / "src").iterdir() if path.is_dir()}
    if unlike := folders ^ (set(rooms) - {"experiments", "bindings"}):
        sys.exit(f"The table of rooms and the folders of src differ in: {', '.join(sorted(unlike))}.")
    drawn = draw(rooms)
    if sys.argv[1:] == ["--check"]:
        if not MAP.exists() or MAP.read_text() != drawn:
            sys.exit("docs/map.svg does not show the rooms of docs/architecture.md: run scripts/draw_map.py.")
    else:
        MAP.write_text(drawn)


if __name__ == "__main__":
    main()
