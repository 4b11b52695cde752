"""Fetches data sets from OpenML and UCI by the standard library alone, and keeps only what the registry knows."""

from __future__ import annotations

import csv
import gzip
import hashlib
import io
import json
import os
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

from . import arff
from .registry import DataSet
from .tables import CATEGORIES_FILE, DataProblem, load

OPENML = "https://www.openml.org"
UCI = "https://archive.ics.uci.edu"
_SECONDS = 120


def _get(address: str) -> bytes:
    request = urllib.request.Request(address, headers={"User-Agent": "kore-study"})
    try:
        with urllib.request.urlopen(request, timeout=_SECONDS) as answer:
            content: bytes = answer.read()
            return content
    except (urllib.error.URLError, TimeoutError, ConnectionError) as error:
        raise DataProblem(f"{address} cannot be fetched: {error}.") from error


def _get_json(address: str) -> dict[str, Any]:
    try:
        answer = json.loads(_get(address))
    except json.JSONDecodeError as error:
        raise DataProblem(f"{address} did not answer in JSON.") from error
    if not isinstance(answer, dict):
        raise DataProblem(f"{address} answered something else than a description.")
    return answer


def _listed(value: Any) -> list[str]:
    """OpenML writes one name, several, or nothing at all."""
    if not value:
        return []
    return [str(item) for item in value] if isinstance(value, list) else [str(value)]


def _with_target_last(
    entry: DataSet, names: list[str], rows: list[list[str]], left_out: set[str]
) -> tuple[list[str], list[list[str]]]:
    if entry.target not in names:
        raise DataProblem(f"{entry.name} as fetched has no column '{entry.target}'.")
    kept = [name for name in names if name not in left_out and name != entry.target] + [entry.target]
    places = [names.index(name) for name in kept]
    return kept, [[row[place] for place in places] for row in rows]


def _from_openml(entry: DataSet, number: str, server: str) -> tuple[list[str], list[list[str]], list[str]]:
    description = _get_json(f"{server}/api/v1/json/data/{number}").get("data_set_description", {})
    try:
        address = f"{server}/data/v1/download/{description['file_id']}"
    except KeyError as error:
        raise DataProblem(f"OpenML's description of {entry.name} names no file.") from error
    content = _get(address)
    expected = description.get("md5_checksum")
    if expected and hashlib.md5(content, usedforsecurity=False).hexdigest() != expected:
        raise DataProblem(f"{entry.name} was not fetched whole: its checksum is not the one that OpenML states.")
    try:
        table = arff.parse(content.decode("utf-8"), entry.name)
    except ValueError as error:
        raise DataProblem(str(error)) from error
    left_out = {*_listed(description.get("ignore_attribute")), *_listed(description.get("row_id_attribute"))}
    names, rows = _with_target_last(entry, table.names, table.rows, left_out)
    return names, rows, [name for name in table.nominal if name in names[:-1]]


def _from_uci(entry: DataSet, number: str, server: str) -> tuple[list[str], list[list[str]], list[str]]:
    description = _get_json(f"{server}/api/dataset?id={number}").get("data", {})
    address = description.get("data_url")
    if not address:
        raise DataProblem(f"UCI offers no table of {entry.name}.")
    rows = list(csv.reader(io.StringIO(_get(address).decode("utf-8-sig"))))
    if not rows:
        raise DataProblem(f"UCI's table of {entry.name} is empty.")
    names, body = _with_target_last(entry, rows[0], rows[1:], set())
    return names, body, []


def _write_whole(path: Path, content: bytes) -> None:
    part = path.with_name(path.name + ".part")
    part.write_bytes(content)
    os.replace(part, path)


def _note_categories(folder: Path, name: str, categories: list[str]) -> None:
    path = folder / CATEGORIES_FILE
    known: dict[str, list[str]] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    known[name] = categories
    _write_whole(path, (json.dumps(known, indent=1, sort_keys=True, ensure_ascii=False) + "\n").encode("utf-8"))


def fetch(entry: DataSet, folder: Path, openml: str = OPENML, uci: str = UCI) -> Path:
    """Fetches one data set into `folder` as gzipped CSV; what does not fit the registry is not kept."""
    kind, number = entry.source.split(":")
    names, rows, nominal = _from_openml(entry, number, openml) if kind == "openml" else _from_uci(entry, number, uci)
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([names, *rows])
    folder.mkdir(parents=True, exist_ok=True)
    trial = folder / f".{entry.name}.fetching"
    trial.mkdir(exist_ok=True)
    path = trial / f"{entry.name}.csv.gz"
    try:
        path.write_bytes(gzip.compress(text.getvalue().encode("utf-8"), mtime=0))
        _note_categories(trial, entry.name, nominal)
        load(trial, entry)
        final = folder / path.name
        os.replace(path, final)
        _note_categories(folder, entry.name, list(entry.categories) if entry.categories is not None else nominal)
    finally:
        for left in trial.iterdir():
            left.unlink()
        trial.rmdir()
    return final
