"""Attribute-Relation files, in which OpenML keeps its tables: dense ones, with numbers, nominal values and strings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_NAME = re.compile(
    r"""@attribute\s+(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|(\S+))\s*(.*)""", re.IGNORECASE | re.DOTALL
)


@dataclass
class ArffTable:
    """Columns by name; a missing value is an empty text."""

    names: list[str]
    nominal: list[str]
    rows: list[list[str]]


def _fields(line: str) -> Iterator[str]:
    """The fields of a line; quotes of both kinds protect commas, a backslash protects the next character."""
    text = ""
    quote = ""
    quoted = False
    place = 0
    while place < len(line):
        character = line[place]
        if character == "\\" and place + 1 < len(line):
            place += 1
            text += line[place]
        elif quote:
            if character == quote:
                quote = ""
            else:
                text += character
        elif character in "'\"" and not text.strip():
            quote = character
            quoted = True
            text = ""
        elif character == ",":
            yield _value(text, quoted)
            text, quoted = "", False
        elif not (quoted and character.isspace()):
            text += character
        place += 1
    yield _value(text, quoted)


def _value(text: str, quoted: bool) -> str:
    if quoted:
        return text
    text = text.strip()
    return "" if text == "?" else text


def parse(text: str, origin: str) -> ArffTable:
    """Reads a whole file. Raises ValueError, naming the line, where it is not one."""
    table = ArffTable([], [], [])
    in_data = False
    for number, line in enumerate(text.splitlines(), start=1):
        stripped = line.strip()
        if not stripped or stripped.startswith("%"):
            continue
        if in_data:
            if stripped.startswith("{"):
                raise ValueError(f"{origin}, line {number}: sparse rows are not supported.")
            row = list(_fields(stripped))
            if len(row) != len(table.names):
                raise ValueError(f"{origin}, line {number}: {len(row)} values for {len(table.names)} attributes.")
            table.rows.append(row)
        elif stripped.lower().startswith("@attribute"):
            found = _NAME.match(stripped)
            if found is None:
                raise ValueError(f"{origin}, line {number}: not an attribute.")
            name = next(group for group in found.groups()[:3] if group is not None)
            table.names.append(re.sub(r"\\(.)", r"\1", name))
            if found.group(4).lstrip().startswith("{"):
                table.nominal.append(table.names[-1])
        elif stripped.lower().startswith("@data"):
            in_data = True
    if not in_data:
        raise ValueError(f"{origin} has no @data.")
    return table
