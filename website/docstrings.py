"""The Python reference: what the package offers, with its docstrings.

Needs the installed package. A page for each module: classes with their parameters, attributes and methods, and
functions.
"""

import importlib
import inspect
import re
import sys

MODULES = {
    "kore": "The estimators and functions of `kore`.",
    "kore.spark": None,
    "kore.spark_ml": None,
    "kore.dask": None,
}
SECTION = re.compile(r"^(Parameters|Attributes|Returns|Yields|Notes|Examples)\n-+\n", re.M)


def as_markdown(text):
    """Code and references of a docstring as Markdown."""
    text = re.sub(r":(?:class|func|meth|mod):`~?([^`]+)`", r"`\1`", text)
    text = re.sub(r"``([^`]+)``", r"`\1`", text)
    return re.sub(r"(?<![`\w])'([^'\s]+)'(?![`\w])", r"`'\1'`", text)


def parts_of(docstring):
    """What stands before the sections, and each section's entries: (name, kind, text)."""
    pieces = SECTION.split(inspect.cleandoc(docstring or ""))
    sections = {}
    for title, body in zip(pieces[1::2], pieces[2::2], strict=True):
        entries = []
        for line in body.strip("\n").splitlines():
            if line and not line.startswith(" "):
                name, _, kind = line.partition(" : ")
                entries.append((name, kind, []))
            elif entries:
                entries[-1][2].append(line.strip())
        sections[title] = entries
    return pieces[0].strip(), sections


def table(title, entries):
    rows = [f"| {title} | |", "|---|---|"]
    for name, kind, text in entries:
        names = ", ".join(f"`{one.strip()}`" for one in name.split(","))
        said = ". ".join(part for part in (kind.rstrip("."), " ".join(text)) if part)
        rows.append(f"| {names} | {as_markdown(said)} |".replace("'|'", "'or'"))
    return "\n".join(rows) + "\n"


def prose(text):
    """Paragraphs, and indented programs."""
    return as_markdown(text) + "\n"


def signature_of(name, thing):
    """As a reader calls it: without types, one parameter on a line where they are many."""
    parameters = [
        parameter.replace(annotation=inspect.Parameter.empty)
        for parameter in inspect.signature(thing).parameters.values()
        if parameter.name not in ("self", "cls")
    ]
    whole = inspect.Signature(parameters)
    if len(f"{name}{whole}") <= 100:
        return f"{name}{whole}"
    separated, words = [], str(whole)[1:-1]
    for word in re.split(r", (?=[*\w]+(?:=|,|$))", words):
        separated.append(f"    {word},")
    return f"{name}(\n" + "\n".join(separated) + "\n)"


def heading(name, level):
    """A method is listed by its own name, and found by that of its class as well."""
    own = name.rpartition(".")[2]
    return f"{'#' * level} {own}" + ("\n" if own == name else f" {{#{name}}}\n")


def describe(name, thing, level):
    """A heading, the call and the docstring of a function or class."""
    before, sections = parts_of(inspect.getdoc(thing))
    text = [heading(name, level), f"```python\n{signature_of(name, thing)}\n```\n", prose(before)]
    text += [table(title.removesuffix("s").lower(), entries) for title, entries in sections.items()]
    return "\n".join(text)


def public_methods(kind):
    """The methods of a class that are ours: written in this package, also where a base has them."""
    for name, member in inspect.getmembers(kind):
        function = member if inspect.isfunction(member) else getattr(member, "fget", None)
        ours = function and (inspect.unwrap(function).__module__ or "").startswith("kore")
        if ours and not name.startswith("_"):
            yield name, member


def describe_class(kind, level):
    parts = [describe(kind.__name__, kind, level)]
    for name, member in public_methods(kind):
        if isinstance(member, property):
            parts.append(heading(f"{kind.__name__}.{name}", level + 1) + "\n" + prose(inspect.getdoc(member)))
        else:
            parts.append(describe(f"{kind.__name__}.{name}", member, level + 1))
    return "\n".join(parts)


def public_names(module):
    """What a module offers, in the order of their names."""
    return [name for name in sorted(module.__all__) if not name.startswith("__")]


def page_of(name):
    """The page of a module."""
    module = importlib.import_module(name)
    parts = [f"# {name}\n", prose(MODULES[name] or inspect.getdoc(module))]
    for offered in public_names(module):
        thing = getattr(module, offered)
        parts.append(describe_class(thing, 2) if inspect.isclass(thing) else describe(offered, thing, 2))
    if name == "kore":
        # What `plot` gives is no name of the package, and is met all the same.
        parts.append(describe_class(importlib.import_module("kore._chart").Chart, 2))
    return "\n".join(parts)


def pages():
    """Name and text of every module that can be imported here, and why others cannot."""
    for name in MODULES:
        try:
            yield name, page_of(name)
        except ImportError as missing:
            yield name, f"# {name}\n\nThis page could not be made where the site was built: {missing}\n"


if __name__ == "__main__":
    for _, page in pages():
        sys.stdout.write(page)
