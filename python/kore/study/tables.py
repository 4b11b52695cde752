"""Tables from files: CSV, gzipped or not, and Parquet, checked against the registry."""

from __future__ import annotations

import csv
import gzip
import io
import json
import zlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from .registry import DATA_SETS, DataSet

Floats = npt.NDArray[np.float64]
CATEGORIES_FILE = "categorical_columns.json"
_ENDINGS = (".csv.gz", ".csv", ".parquet")


class DataProblem(ValueError):
    """A file that is not what the study needs; the message says why."""


@dataclass
class RawTable:
    """Columns of texts, as a file has them; an empty text is a missing value. The target is the last column."""

    names: list[str]
    columns: list[list[str]]

    @property
    def rows(self) -> int:
        """Number of rows."""
        return len(self.columns[0]) if self.columns else 0


@dataclass
class StudyTable:
    """A table as methods see it: numbers first, then a dummy per level of each category, none dropped."""

    entry: DataSet
    x: Floats
    y: Floats
    names: list[str]
    raw: RawTable
    categories: tuple[str, ...]


def file_of(folder: Path, name: str) -> Path | None:
    """The file of a data set, whatever its format."""
    return next((folder / (name + ending) for ending in _ENDINGS if (folder / (name + ending)).exists()), None)


def _read_csv(path: Path) -> RawTable:
    try:
        content = path.read_bytes()
        text = (gzip.decompress(content) if path.suffix == ".gz" else content).decode("utf-8")
        names, *rows = list(csv.reader(io.StringIO(text, newline=""))) or [[]]
    except (gzip.BadGzipFile, EOFError, zlib.error, UnicodeDecodeError, csv.Error) as error:
        raise DataProblem(f"{path.name} cannot be read: {error}.") from error
    for number, row in enumerate(rows, start=2):
        if len(row) != len(names):
            raise DataProblem(f"{path.name}, line {number}: {len(row)} fields where the header has {len(names)}.")
    return RawTable(names, [list(column) for column in zip(*rows, strict=True)] if rows else [[] for _ in names])


def _read_parquet(path: Path) -> RawTable:
    try:
        from pyarrow import parquet  # type: ignore[import-untyped, unused-ignore]
    except ImportError as error:
        raise DataProblem(f"{path.name} is Parquet, which needs pyarrow: pip install pyarrow.") from error
    table = parquet.read_table(path)
    columns = [["" if value is None else str(value) for value in column.to_pylist()] for column in table.columns]
    return RawTable(list(table.column_names), columns)


def read_raw(path: Path) -> RawTable:
    """The columns of a file as texts."""
    return _read_parquet(path) if path.suffix == ".parquet" else _read_csv(path)


def _named_categories(folder: Path, entry: DataSet, raw: RawTable) -> tuple[str, ...]:
    """The categorical columns: from the registry, else from the file that the fetcher writes, else all texts."""
    if entry.categories is not None:
        return entry.categories
    listed = folder / CATEGORIES_FILE
    if listed.exists():
        known: dict[str, list[str]] = json.loads(listed.read_text(encoding="utf-8"))
        if entry.name in known:
            return tuple(known[entry.name])
    return tuple(
        name for name, column in zip(raw.names[:-1], raw.columns[:-1], strict=True) if not _all_numbers(column)
    )


def _all_numbers(column: list[str]) -> bool:
    try:
        for field in column:
            if field:
                float(field)
    except ValueError:
        return False
    return True


def _numbers(path: str, name: str, column: list[str]) -> Floats:
    try:
        return np.array([float(field) if field else np.nan for field in column])
    except ValueError as error:
        raise DataProblem(f"{path}: the column '{name}' should hold numbers, but {error}.") from error


def _sorted_levels(column: list[str]) -> list[str]:
    levels = sorted({field for field in column if field})
    return sorted(levels, key=float) if _all_numbers(levels) else levels


def encode(entry: DataSet, raw: RawTable, categories: tuple[str, ...]) -> StudyTable:
    """Numbers with medians for gaps, columns of gaps alone dropped, then dummies; rows without a target are dropped."""
    target = _numbers(entry.name, raw.names[-1], raw.columns[-1])
    there = ~np.isnan(target)
    parts: list[Floats] = []
    names: list[str] = []
    features = list(zip(raw.names[:-1], raw.columns[:-1], strict=True))
    for name, column in features:
        if name in categories:
            continue
        values = _numbers(entry.name, name, column)[there]
        if np.isnan(values).all():
            continue
        parts.append(np.where(np.isnan(values), np.nanmedian(values), values))
        names.append(name)
    for name, column in features:
        if name not in categories:
            continue
        kept = [field for field, use in zip(column, there, strict=True) if use]
        for level in _sorted_levels(kept):
            parts.append(np.array([field == level for field in kept], dtype=np.float64))
            names.append(f"{name}={level}")
    kept_rows = [[field for field, use in zip(column, there, strict=True) if use] for column in raw.columns]
    return StudyTable(entry, np.column_stack(parts), target[there], names, RawTable(raw.names, kept_rows), categories)


def _check(path: Path, entry: DataSet, raw: RawTable, categories: tuple[str, ...]) -> None:
    if raw.rows != entry.rows:
        raise DataProblem(f"{path.name} has {raw.rows} rows; the study's has {entry.rows}.")
    if raw.names[-1] != entry.target:
        raise DataProblem(f"{path.name}: the last column is '{raw.names[-1]}'; it must be the target '{entry.target}'.")
    missing = [name for name in categories if name not in raw.names]
    if missing:
        raise DataProblem(f"{path.name} has no column '{missing[0]}', which the study has as a category.")
    shape = (len(raw.names) - 1 - len(categories), len(categories))
    if shape != (entry.numeric, entry.categorical):
        raise DataProblem(
            f"{path.name} has {shape[0]} numeric and {shape[1]} categorical columns; "
            f"the study's has {entry.numeric} and {entry.categorical}."
        )


def load(folder: Path, entry: DataSet) -> StudyTable:
    """The table of a data set, verified; raises DataProblem, in a sentence, where it is missing or another one."""
    path = file_of(folder, entry.name)
    if path is None:
        raise DataProblem(f"{entry.name} is missing: no {entry.name}.csv, .csv.gz or .parquet in '{folder}'.")
    raw = read_raw(path)
    if not raw.names:
        raise DataProblem(f"{path.name} is empty.")
    categories = _named_categories(folder, entry, raw)
    _check(path, entry, raw, categories)
    table = encode(entry, raw, categories)
    if table.x.shape[1] != entry.features:
        raise DataProblem(
            f"{path.name} has {table.x.shape[1]} columns after dummies; the study's has {entry.features}."
        )
    return table


def survey(folder: Path) -> dict[str, str]:
    """What is wrong with the file of each data set; an empty text where nothing is."""
    findings: dict[str, str] = {}
    for entry in DATA_SETS:
        try:
            load(folder, entry)
            findings[entry.name] = ""
        except DataProblem as problem:
            findings[entry.name] = str(problem)
    return findings
