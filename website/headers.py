"""The C++ reference: what the public headers declare, with the comments above it.

A page for each header. A declaration is shown as it stands in the header, without what is private; the comment above it
is prose.
"""

import re
from dataclasses import dataclass, field

COMMENT = re.compile(r"\s*//[/<]? ?(.*)")
TYPE = re.compile(r"\b(?:struct|class|enum class|enum|union)\s+(\w+)")
VALUE = re.compile(r"\b(?:using\s+(\w+)\s*=|constexpr\s.*?(\w+)\s*=)")
FUNCTION = re.compile(r"(operator\W+?|~?\w+)\s*\(")


@dataclass
class Item:
    """A declaration, or prose that stands alone: it then has no name."""

    name: str = ""
    prose: list = field(default_factory=list)
    code: list = field(default_factory=list)


@dataclass
class Header:
    """A header: what it is about, and its items."""

    about: list
    items: list
    namespace: str


def name_of(declaration):
    """The name that a declaration introduces."""
    plain = re.sub(r"^\s*(template\s*<.*?>\s*)?", "", " ".join(declaration.split()))
    plain = re.sub(r"\[\[.*?\]\]|__attribute__\(\(.*?\)\)\)", "", plain)
    head = re.split(r"[{;]", plain, maxsplit=1)[0]
    if (value := VALUE.search(head)) and "(" not in head[: value.end()]:
        return value[1] or value[2]
    if re.match(r"(typedef )?(struct|class|enum|union)\b", head) and "(" not in head:
        last_word = re.search(r"(\w+)\s*;\s*$", plain) if plain.startswith("typedef") else None
        return (last_word or TYPE.search(head))[1]
    if named := re.match(r"typedef .*?\(\*(\w+)\)", plain):
        return named[1]
    function = FUNCTION.search(head)
    return function[1].strip() if function else re.search(r"(\w+)\W*$", head)[1]


def without_private(code):
    """A class without what is private."""
    kept, hidden = [], False
    for line in code:
        if re.match(r" {0,2}(private|protected):", line):
            hidden = True
        elif re.match(r" {0,2}public:", line) or line.startswith("}"):
            hidden = False
        if not hidden:
            kept.append(line)
    while len(kept) > 1 and not kept[-2].strip():
        del kept[-2]
    return kept


def is_forward(code):
    return len(code) == 1 and re.fullmatch(r"(struct|class) \w+;", code[0].strip())


def depth_change(line):
    code = re.sub(r'//.*|/\*.*?\*/|"(\\.|[^"])*"|\'(\\.|[^\'])*\'', "", line)
    return sum(code.count(mark) for mark in "{(") - sum(code.count(mark) for mark in "})")


def read_header(text):
    """What a header declares at the level of its namespace, or of the file in C."""
    items, prose, code, depth, namespace = [], [], [], 0, ""
    for line in text.splitlines():
        if not code:
            if comment := COMMENT.fullmatch(line):
                prose.append(comment[1])
                continue
            if re.match(r"#define .", line) and prose:
                items.append(Item(line.split()[1], prose, [line]))
                prose = []
                continue
            opened = re.match(r"(?:namespace (\S+)|extern \"C\") \{", line)
            if opened or not line.strip() or line.startswith(("#", "}")):
                namespace = namespace or (opened[1] or "" if opened else "")
                if prose:
                    items.append(Item(prose=prose))  # prose with no declaration right below it
                    prose = []
                continue
        code.append(line)
        depth += depth_change(line)
        if depth == 0 and re.search(r"[;}]\s*(//.*)?$", line):
            if not is_forward(code):
                items.append(Item(name_of("\n".join(code)), prose, without_private(code)))
                prose = []
            code = []
    first = next((place for place, item in enumerate(items) if item.name), 0)
    about = [line for item in items[:first] for line in [*item.prose, ""]]
    return Header(about, joined(items[first:]), namespace)


def joined(items):
    """Declarations of one name that follow each other are shown together."""
    together = []
    for item in items:
        same = together and item.name and together[-1].name == item.name
        if same and not item.prose:
            together[-1].code += item.code
        else:
            together.append(item)
    return together


def as_markdown(lines):
    """A comment as Markdown: lists and indented blocks need an empty line above them."""
    text = "\n".join(lines)
    text = re.sub(r"^([^\s-].*)\n(?=- |    )", r"\1\n\n", text, flags=re.M)
    text = re.sub(r"^(    .*)\n(?=\S)", r"\1\n\n", text, flags=re.M)
    return re.sub(r"(?<!`)<(?=[a-z/])", "&lt;", text)


def in_cpp_comments(text):
    """A header of C with comments as in C++, where they stand on lines of their own."""

    def lines(comment):
        plain = [re.sub(r"^ \* ?", "", line) for line in comment[1].splitlines()]
        # Lists of options are set in columns, which only code keeps.
        return "\n".join("// " + ("    " + line if line.startswith("  ") else line) for line in plain)

    return re.sub(r"^/\* (.*?)\s*\*/$", lines, text, flags=re.M | re.S)


def page_of(name, text):
    """The page of a header."""
    language = "c" if name.endswith(".h") else "cpp"
    header = read_header(in_cpp_comments(text) if language == "c" else text)
    parts = [f"# {name}\n", f"```{language}\n#include <kore/{name}>\n```\n"]
    if header.namespace:
        parts.append(f"Namespace `{header.namespace}`.\n")
    if header.about:
        parts.append(as_markdown(header.about))
    shown = None
    for item in header.items:
        if item.name and item.name != shown:
            parts.append(f"## {item.name}\n")
            shown = item.name
        if item.prose:
            parts.append(as_markdown(item.prose) + "\n")
        if item.code:
            code = "\n".join(line.rstrip() for line in item.code)
            parts.append(f"```{language}\n{code}\n```\n")
    return "\n".join(parts)
