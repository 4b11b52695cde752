"""What mkdocs does beside its own work: pages that are no files of docs/, links, formulas, pictures and reports."""

import html
import os
import posixpath
import re
import sys
from pathlib import Path

from latex2mathml.converter import convert
from mkdocs.structure.files import File

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path.insert(0, str(HERE))
import docstrings  # noqa: E402
import headers  # noqa: E402
import links  # noqa: E402

# Where the programs of the pages ran, and left their pictures and reports: a folder for each page.
MADE = Path(os.environ.get("KORE_BUILD") or ROOT)
WORK = Path(os.environ.get("KORE_SITE_WORK", MADE / "build-site-work"))
MARK = re.compile(r"^<!-- (picture|report|screenshot|include) (\S+?)(?:: (.*?))? -->$", re.M)


def example_page():
    """The programs of examples/, as they are."""
    parts = ["# Examples\n", "Programs that run as they are; the tests run them.\n"]
    for folder, language in (("python", "python"), ("cpp", "cpp"), ("export", "")):
        for path in sorted((ROOT / "examples" / folder).iterdir()):
            kind = {".py": "python", ".cpp": "cpp", ".hpp": "cpp", ".mjs": "js"}.get(path.suffix, language)
            if kind:
                parts.append(f"## {path.name}\n\n```{kind}\n{path.read_text().rstrip()}\n```\n")
    return "\n".join(parts)


def header_pages():
    """File -> text of the C++ and C reference."""
    paths = sorted((ROOT / "include/kore").glob("*.h*"))
    pages = {f"cpp/{path.name}.md": headers.page_of(path.name, path.read_text()) for path in paths}
    rows = []
    for path in paths:
        names = re.findall(r"^## (.*)$", pages[f"cpp/{path.name}.md"], re.M)
        listed = ", ".join(f"[{name}]({path.name}.md#{links.slug(name)})" for name in names)
        rows.append(f"| [{path.name}]({path.name}.md) | {listed or 'includes all others'} |")
    about = "# C++ headers\n\nWhat the public headers declare. [A tour of them](../cpp-api.md) says where to begin.\n"
    return {"cpp/index.md": "\n".join([about, "| header | declares |", "|---|---|", *rows, ""]), **pages}


def generated_pages():
    """File -> (text, file of the repository that it is made of) of every page that docs/ does not have."""
    pages = {
        page: ((ROOT / source).read_text(), source) for source, page in links.PAGES.items() if source.endswith(".md")
    }
    pages["licence.md"] = ("# Licence\n\n```text\n" + (ROOT / "LICENSE").read_text() + "```\n", "LICENSE")
    pages["examples.md"] = (example_page(), None)
    pages |= {name: (text, None) for name, text in header_pages().items()}
    pages |= {f"python-reference/{name}.md": (text, None) for name, text in docstrings.pages()}
    pages |= {path.name: (path.read_text(), f"website/pages/{path.name}") for path in (HERE / "pages").glob("*.md")}
    return pages


# Page -> the file of the repository that it is made of; None for a reference. Those of docs/ are not listed.
SOURCES = {}


def on_config(config):
    """The headers are many, and their names are read from the folder."""
    names = sorted(path.name for path in (ROOT / "include/kore").glob("*.hpp"))
    for group in config.nav:
        for title, entries in group.items():
            for place, entry in enumerate(entries):
                if entry == {"C++ headers": "cpp/index.md"}:
                    entries[place] = {"C++ headers": ["cpp/index.md", *(f"cpp/{name}.md" for name in names)]}
            group[title] = entries
    return config


def on_files(files, config):
    for uri, (text, source) in generated_pages().items():
        SOURCES[uri] = source
        files.append(File.generated(config, uri, content=text))
    for name, path in {
        "assets/style.css": HERE / "style.css",
        "assets/iframe-worker.js": MADE / "third_party/iframe-worker/shim.js",
        "assets/iframe-worker.LICENSE.txt": MADE / "third_party/iframe-worker/LICENSE",
    }.items():
        files.append(File.generated(config, name, abs_src_path=str(path)))
    for path in sorted(WORK.rglob("*")):
        if path.suffix in (".svg", ".html", ".png"):
            files.append(File.generated(config, f"made/{path.relative_to(WORK)}", abs_src_path=str(path)))
    return files


def formulas(prose):
    """Formulas as MathML, which browsers draw without scripts and fonts."""
    return re.sub(
        r"\$\$(.+?)\$\$",
        lambda one: f'<div class="formula">{convert(one[1], display="block")}</div>',
        prose,
        flags=re.S,
    )


def vignette(path):
    """The vignette with what R printed, or its programs alone where there was no R."""
    knitted = WORK / path.stem / f"{path.stem}.md"
    if knitted.exists():
        text = knitted.read_text().replace("](figure/", f"](../made/{path.stem}/figure/")
        return re.sub(r"\A---\n.*?\n---\n", "", text, flags=re.S)
    text = re.sub(r"\A---\n.*?\n---\n", "", path.read_text(), flags=re.S)
    text = re.sub(r"^```\{r [^}]*include = FALSE.*?^```\n", "", text, flags=re.M | re.S)
    note = "!!! note\n    There was no R with this package where the site was built, so that outputs are missing.\n"
    return note + re.sub(r"^```\{r.*\}$", "```r", text, flags=re.M)


def figure(kind, made, caption, page):
    """A picture, a report, or a picture of a report that leads to it."""
    up = "../" * page.count("/")
    path, caption = WORK / made, caption or ""
    source, words = f"{up}made/{made}", html.escape(caption)
    report = posixpath.splitext(source)[0] + ".html"
    if not path.exists():
        return (
            f'!!! note\n    Here the site has a picture or a report ("{caption}"), where its programs could be run.\n'
        )
    if kind == "report":
        inside = f'<iframe src="{source}" title="{words}" loading="lazy"></iframe>'
        caption = f'{words} <a href="{source}">Open it alone.</a>'
    elif kind == "screenshot":
        inside = f'<a href="{report}"><img src="{source}" alt="{words}" loading="lazy"></a>'
        caption = f'<a href="{report}">{words}</a>'
    else:
        inside, caption = f'<img src="{source}" alt="{words}" loading="lazy">', words
    return f'<figure class="{kind}">{inside}<figcaption>{caption}</figcaption></figure>\n'


def on_page_markdown(markdown, page, config, files):
    uri = page.file.src_uri
    source = SOURCES.get(uri, f"docs/{uri}")

    def marked(mark):
        kind, name, caption = mark.groups()
        if kind == "include":
            return vignette(ROOT / name)
        return figure(
            kind, name if "/" in name else f"{posixpath.splitext(posixpath.basename(uri))[0]}/{name}", caption, uri
        )

    if source:
        markdown = links.on_the_site(markdown, source, uri)
        markdown = links.in_prose(markdown, formulas)
    if uri == "cpp-api.md":
        markdown = re.sub(r"(?<=[|,]) `(\w+\.hpp)`(?=[ ,])", r" [`\1`](cpp/\1.md)", markdown)
    skipped = WORK / posixpath.splitext(posixpath.basename(uri))[0] / "left-out.txt"
    if uri.startswith("tutorials/") and skipped.exists():
        markdown = re.sub(
            r"^(# .*)$", rf"\1\n\n!!! note\n    {skipped.read_text().strip()}\n", markdown, count=1, flags=re.M
        )
    return MARK.sub(marked, markdown)


def on_post_build(config):
    # It names every page from the root of a host, which the site need not be.
    (Path(config.site_dir) / "404.html").unlink(missing_ok=True)
