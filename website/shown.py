"""What a page shows of programs and commands, beside what they print.

A console block has commands, each after `$ `, and below each what it prints. A Python block prints what a text block
right below it shows. A line `...` at the end of what is shown stands for whatever follows.

Words must be the same. Numbers may differ by a hundredth, because another processor rounds differently.
"""

import re
from dataclasses import dataclass

NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?")
ELISION = "...\n"
TOLERANCE = 0.01


@dataclass
class Block:
    """A fenced block of a page: what is between the fences, and where."""

    language: str
    text: str
    start: int
    end: int
    line: int


def blocks(page):
    """The fenced blocks of a page, in their order."""
    fences = re.finditer(r"^```([a-z]*)\n(.*?)^```$", page, re.M | re.S)
    return [Block(m[1], m[2], m.start(2), m.end(2), page.count("\n", 0, m.start(2)) + 1) for m in fences]


def steps(block):
    """Pairs of a command and what is shown below it."""
    parts = re.split(r"^\$ (.*)\n", block, flags=re.M)[1:]
    return list(zip(parts[::2], parts[1::2], strict=True))


def same_line(shown, printed):
    if NUMBER.sub("#", shown).split() != NUMBER.sub("#", printed).split():
        return False
    pairs = zip(NUMBER.findall(shown), NUMBER.findall(printed), strict=True)
    return all(abs(float(a) - float(b)) <= TOLERANCE * max(abs(float(a)), abs(float(b))) for a, b in pairs)


def complaint(shown, printed, page="README"):
    """The first line that differs, or nothing. An elision at the end stands for whatever follows."""
    whole = not shown.endswith(ELISION)
    shown_lines, printed_lines = shown.removesuffix(ELISION).splitlines(), printed.splitlines()
    for number, line in enumerate(shown_lines):
        if number >= len(printed_lines) or not same_line(line, printed_lines[number]):
            got = printed_lines[number] if number < len(printed_lines) else "nothing more"
            return f"{page} shows\n  {line}\nbut this was printed:\n  {got}"
    if whole and len(printed_lines) > len(shown_lines):
        return f"{page} does not show this line:\n  {printed_lines[len(shown_lines)]}"
    return ""


def renewed(shown, printed):
    """As many lines of the output as are shown now."""
    if not shown.endswith(ELISION):
        return printed
    return "".join(printed.splitlines(keepends=True)[: shown.count("\n") - 1]) + ELISION
