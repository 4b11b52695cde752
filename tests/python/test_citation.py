"""CITATION.cff is what its format asks for (version 1.2.0), and cites the paper that README names."""

import datetime
import re

import pytest
from conftest import ROOT

yaml = pytest.importorskip("yaml")

# Of https://github.com/citation-file-format/citation-file-format, schema-guide.md.
REQUIRED = {"cff-version", "message", "title", "authors"}
ALLOWED = REQUIRED | {
    "abstract", "commit", "contact", "date-released", "doi", "identifiers", "keywords", "license", "license-url",
    "preferred-citation", "references", "repository", "repository-artifact", "repository-code", "type", "url",
    "version",
}  # fmt: skip
PERSON = {
    "address",
    "affiliation",
    "alias",
    "city",
    "country",
    "email",
    "family-names",
    "given-names",
    "orcid",
    "website",
}
KINDS_OF_PAPER = {"article", "conference-paper", "generic", "manual", "pamphlet", "report", "unpublished"}


@pytest.fixture(scope="module")
def cited():
    return yaml.safe_load((ROOT / "CITATION.cff").read_text())


def names(authors):
    assert authors and all(set(author) <= PERSON and author["family-names"] for author in authors)
    return [f"{author['given-names']} {author['family-names']}" for author in authors]


def test_its_fields_are_those_of_the_format(cited):
    assert set(cited) >= REQUIRED
    assert set(cited) <= ALLOWED
    assert cited["cff-version"] == "1.2.0"
    assert cited["type"] == "software"
    assert isinstance(cited["version"], str)
    assert isinstance(cited["date-released"], datetime.date)
    assert (ROOT / "LICENSE").read_text().startswith(f"{cited['license']} License")
    assert names(cited["authors"])


def test_the_paper_is_that_of_readme(cited):
    paper = cited["preferred-citation"]
    assert paper["type"] in KINDS_OF_PAPER
    (line,) = re.findall(r"^> (.*)$", (ROOT / "README.md").read_text().split("## Citing", 1)[1], re.M)
    authors, title = re.fullmatch(r'(.*), "(.*)"\.', line).groups()
    assert names(paper["authors"]) == authors.split(" and ")
    assert paper["title"] == title
