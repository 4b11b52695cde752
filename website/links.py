"""Where links between files of the repository lead on the site.

A link to a file that is a page there leads to the page. Any other file is named, because the site has no source code.
"""

import posixpath
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGES = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
    "CHANGELOG.md": "changelog.md",
    "LICENSE": "licence.md",
    "include/kore": "cpp/index.md",
    "examples/python": "examples.md",
    "examples/cpp": "examples.md",
    "r/vignettes/from-mgcv.Rmd": "tutorials/from-mgcv.md",
}
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)")


def slug(title):
    """The anchor of a heading, as code hosts make it."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def page_for(path):
    """The file of the site, with an anchor where one is needed, for a file of the repository."""
    if path in PAGES:
        return PAGES[path]
    folder, name = posixpath.split(path)
    if path.startswith("docs/"):
        return path.removeprefix("docs/")
    if folder == "include/kore":
        return f"cpp/{name}.md"
    if folder in ("examples/python", "examples/cpp", "examples/export"):
        return f"examples.md#{slug(name)}"
    return None


def named(text, path):
    """A file that the site does not have: its name in place of a link."""
    bare = text.strip("`")
    return f"`{path}`" if path.endswith(bare.strip("./")) else f"{text} (`{path}`)"


def in_prose(page, change):
    """The page with everything changed that is not within fences."""
    pieces = re.split(r"(^```.*?^```$)", page, flags=re.M | re.S)
    return "".join(piece if place % 2 else change(piece) for place, piece in enumerate(pieces))


def on_the_site(markdown, source, page):
    """The text of the file `source` of the repository as that of the file `page` of the site."""

    def replaced(link):
        image, text, target = link.groups()
        path, anchor = (re.match(r"([^#]*)(#.*)?", target)).groups()
        if not path or re.match(r"[a-z]+:", target):
            return link[0]
        path = posixpath.normpath(posixpath.join(posixpath.dirname(source), path))
        if not (ROOT / path).exists():
            raise ValueError(f"{source} links to {target}, which is not there.")
        found = page_for(path)
        if not found:
            return named(text, path)
        return f"{image}[{text}]({posixpath.relpath(found, posixpath.dirname(page) or '.')}{anchor or ''})"

    return in_prose(markdown, lambda prose: LINK.sub(replaced, prose))
