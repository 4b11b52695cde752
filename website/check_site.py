#!/usr/bin/env python3
"""Checks a built site: every link and anchor within it leads somewhere, and nothing is loaded from another host.

Usage: check_site.py FOLDER
"""

import posixpath
import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

# What a browser fetches by itself. A link that a reader may follow is none of these.
LOADED = {
    ("img", "src"),
    ("script", "src"),
    ("iframe", "src"),
    ("source", "src"),
    ("video", "src"),
    ("object", "data"),
    ("embed", "src"),
}
LOADING_RELATIONS = {
    "stylesheet",
    "icon",
    "preload",
    "preconnect",
    "dns-prefetch",
    "modulepreload",
    "prefetch",
    "manifest",
}


class Page(HTMLParser):
    """Links, anchors and what is loaded of a page."""

    def __init__(self, text):
        super().__init__()
        self.anchors, self.links, self.loaded = {""}, [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        self.anchors |= {found[name] for name in ("id", "name") if found.get(name)}
        for name, value in attributes:
            if not value:
                continue
            relations = set((found.get("rel") or "").split())
            if (tag, name) in LOADED or (tag == "link" and name == "href" and relations & LOADING_RELATIONS):
                self.loaded.append(value)
            if name == "srcset":
                self.loaded += [one.split()[0] for one in value.split(",")]
            if name in ("href", "src", "data") and tag != "base":
                self.links.append(value)
            if name == "style":
                self.loaded += style_addresses(value)


def style_addresses(text):
    found = re.findall(r"url\(\s*['\"]?([^'\")]+)", text) + re.findall(r"@import\s+['\"]([^'\"]+)", text)
    return [address for address in found if not address.startswith(("data:", "#"))]


def elsewhere(address):
    parts = urlsplit(address)
    return bool(parts.netloc) or parts.scheme in ("http", "https", "ftp")


def complaints_of(folder):
    """What is wrong with the site in a folder."""
    files = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    pages = {name: Page(path.read_text()) for name, path in files.items() if name.endswith(".html")}
    complaints = []
    for name, page in pages.items():
        complaints += [f"{name} loads {address}" for address in page.loaded if elsewhere(address)]
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (
                posixpath.normpath(posixpath.join(posixpath.dirname(name), unquote(parts.path))) if parts.path else name
            )
            if target not in files:
                complaints.append(f"{name} links to {link}, which is not there")
            elif target in pages and unquote(parts.fragment) not in pages[target].anchors:
                complaints.append(f"{name} links to {link}, but {target} has no such anchor")
    for name, path in files.items():
        if name.endswith(".css"):
            complaints += [
                f"{name} loads {address}" for address in style_addresses(path.read_text()) if elsewhere(address)
            ]
    return complaints


def main():
    folder = Path(sys.argv[1])
    complaints = complaints_of(folder)
    if complaints:
        sys.exit("\n".join(sorted(set(complaints))))
    pages = len(list(folder.rglob("*.html")))
    print(f"{pages} pages: every link within the site leads somewhere, and nothing is loaded from elsewhere.")


if __name__ == "__main__":
    main()
