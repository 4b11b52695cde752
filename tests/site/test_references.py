"""The references say what there is: compared with the compiler, the interpreter, and the lines of the headers."""

import importlib
import inspect
import re
import subprocess
from pathlib import Path

import docstrings
import headers
import pytest

ROOT = Path(__file__).resolve().parents[2]
HEADERS = sorted((ROOT / "include/kore").glob("*.h*"))


def names_of(path):
    return re.findall(r"^## (.*)$", headers.page_of(path.name, path.read_text()), re.M)


def test_the_compiler_knows_every_name_of_the_reference(tmp_path):
    """`using kore::fit;` compiles only where there is such a name."""
    lines = ["#include <kore/kore.hpp>"]
    for path in HEADERS:
        namespace = re.search(r"^namespace (\S+) \{", path.read_text(), re.M)
        for name in names_of(path) if namespace else []:
            lines.append(f"namespace in_{path.stem} {{ using {namespace[1]}::{name}; }}")
    assert len(lines) > 200
    (tmp_path / "names.cpp").write_text("\n".join(lines))
    command = ["g++", "-std=c++20", "-fsyntax-only", f"-I{ROOT / 'include'}", tmp_path / "names.cpp"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[:2000]


def test_the_reference_has_every_function_that_the_c_library_shows():
    declared = re.findall(r"^KORE_API [^(]*?(\w+)\(", (ROOT / "include/kore/kore.h").read_text(), re.M)
    exported = set(declared)
    assert len(exported) > 15
    assert exported <= set(names_of(ROOT / "include/kore/kore.h"))


@pytest.mark.parametrize("path", [path for path in HEADERS if path.suffix == ".hpp"], ids=lambda path: path.name)
def test_no_comment_of_a_header_is_lost(path):
    """Every `///` line is on the page, as prose or within a declaration, and nothing that is private."""
    page = re.sub(r"\s+", " ", headers.page_of(path.name, path.read_text()).replace("&lt;", "<"))
    public = re.sub(r"^ private:.*?^};", "", path.read_text(), flags=re.M | re.S)
    for comment in re.findall(r"///<? ?(.*)", public):
        assert re.sub(r"\s+", " ", comment).strip() in page
    assert "private:" not in page


def test_public_names_that_are_declared_twice_or_after_others_are_found():
    text = """#pragma once
namespace kore {
/// One.
struct One { int a = 0; };
struct Later;
/// Two
/// lines.
template <typename T>
std::vector<T> two(const One& one, std::function<int(int)> f = {});
/// The same.
std::vector<int> two();
inline constexpr int three = 3;  ///< Three.
class Four {
 public:
  int seen() const;

 private:
  int hidden_;
};
}  // namespace kore
"""
    page = headers.page_of("made_up.hpp", text)
    assert re.findall(r"^## (.*)$", page, re.M) == ["One", "two", "three", "Four"]
    assert "Two\nlines." in page and "The same." in page and "seen()" in page
    assert "hidden_" not in page and "Later" not in page


def offered():
    """Every function, class and method of the package that the reference has."""
    for name in docstrings.MODULES:
        try:
            module = importlib.import_module(name)
        except ImportError:  # of Spark or Dask, or there is no Java
            continue
        for one in docstrings.public_names(module):
            thing = getattr(module, one)
            yield f"{name}.{one}", thing
            if inspect.isclass(thing):
                for method, member in docstrings.public_methods(thing):
                    yield f"{name}.{one}.{method}", member


def test_every_parameter_is_explained():
    """By its name in the docstring, unless that refers to another one or everybody knows it from scikit-learn."""
    known = {"self", "cls", "X", "y", "sample_weight", "path"}
    missing = []
    for name, thing in offered():
        text = inspect.getdoc(thing) or ""
        if not text:
            missing.append(f"{name} has no docstring")
        if isinstance(thing, property) or re.search(r"see (its )?[:`]|as in [:`]|parameters of :class:", text):
            continue
        for parameter in inspect.signature(thing).parameters:
            if parameter not in known and not re.search(rf"\b{parameter}\b", text):
                missing.append(f"{name} does not say what {parameter} is")
    assert missing == []


def test_the_reference_of_python_has_every_name():
    pages = dict(docstrings.pages())
    for name, _ in offered():
        module = max((one for one in docstrings.MODULES if name.startswith(one + ".")), key=len)
        heading, text = name.removeprefix(module + "."), pages[module]
        assert f"\n## {heading}\n" in text or f" {{#{heading}}}\n" in text, name
