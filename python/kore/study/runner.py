"""Runs cells, each in a process with limits, and keeps a table of them, from which a stopped run continues."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from .cell import CellSpec, constant_scores
from .methods import METHODS, Method
from .registry import DATA_SETS, DataSet
from .splits import Split, drawn_rows, split_table
from .tables import StudyTable, load

COLUMNS = [
    "dataset",
    "method",
    "family",
    "seed",
    "n_total",
    "n_train",
    "n_test",
    "d",
    "rmse_test",
    "mae_test",
    "r2_test",
    "nrmse_test",
    "n_fits",
    "fit_time_s",
    "best_hp",
    "used_defaults",
    "used_constant_predictor",
    "error",
    "rss_peak_mb",
    "rss_advisory_exceeded",
]
_THREAD_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS")
_POLL_SECONDS = 0.1

Key = tuple[str, str, int]
Cells = dict[Key, dict[str, str]]


@dataclass(frozen=True)
class Limits:
    """The limits of a cell."""

    seconds: float = 360.0
    megabytes: float = 8000.0


@dataclass(frozen=True)
class Run:
    """What to run, and how."""

    data: Path
    output: Path
    sets: list[DataSet]
    methods: list[Method]
    seeds: list[int]
    trials: int = 50
    search_seconds: float = 180.0
    threads: int = 1
    limits: Limits = field(default_factory=Limits)

    def cells(self) -> Iterator[tuple[DataSet, Method, int]]:
        """Cells, data set by data set."""
        for entry in self.sets:
            for seed in self.seeds:
                for method in self.methods:
                    yield entry, method, seed


def read_cells(path: Path) -> Cells:
    """The cells that are in a file already."""
    if not path.exists():
        return {}
    with path.open(newline="", encoding="utf-8") as file:
        reader = csv.DictReader(file)
        if reader.fieldnames != COLUMNS:
            raise ValueError(f"'{path}' is not a table of cells: its first line is another one.")
        return {(row["dataset"], row["method"], int(row["seed"])): row for row in reader}


def write_cells(path: Path, cells: Cells) -> None:
    """Replaces the whole file, in the order of the data sets and methods."""
    sets = {entry.name: place for place, entry in enumerate(DATA_SETS)}
    methods = {method.name: place for place, method in enumerate(METHODS)}

    def place(key: Key) -> tuple[int, int, int]:
        return sets.get(key[0], len(sets)), methods.get(key[1], len(methods)), key[2]

    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(cells[key] for key in sorted(cells, key=place))
    part = path.with_name(path.name + ".part")
    part.write_text(text.getvalue(), encoding="utf-8")
    os.replace(part, path)


def _group_megabytes(group: int) -> float:
    """Resident memory of all processes of a group."""
    pages = 0
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            if int(fields[2]) == group:
                pages += int((folder / "statm").read_text().split()[1])
        except (OSError, IndexError, ValueError):
            continue  # it has ended meanwhile
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def _end(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError):  # it has just ended by itself
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _watch(process: subprocess.Popen[bytes], limits: Limits) -> tuple[str, float]:
    """Waits for a process, or ends it at a limit. Returns the error, if any, and the largest memory seen."""
    end = time.monotonic() + limits.seconds
    peak = 0.0
    while process.poll() is None:
        peak = max(peak, _group_megabytes(process.pid))
        if peak > limits.megabytes:
            _end(process)
            return f"more than {limits.megabytes:.0f} MB of memory", peak
        if time.monotonic() > end:
            _end(process)
            return f"cell timed out after {limits.seconds:.0f}s", peak
        time.sleep(_POLL_SECONDS)
    return ("" if process.returncode == 0 else f"the process ended with {process.returncode}"), peak


def run_in_process(spec: CellSpec, limits: Limits) -> dict[str, Any]:
    """A cell's result; `error` where there is none."""
    environment = {**os.environ, **dict.fromkeys(_THREAD_VARIABLES, str(spec.threads))}
    with tempfile.TemporaryDirectory() as name:
        given, result = Path(name) / "spec.json", Path(name) / "result.json"
        given.write_text(json.dumps(asdict(spec)))
        start = time.monotonic()
        process = subprocess.Popen(
            [sys.executable, "-m", "kore.study.cell", str(given), str(result)],
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            problem, peak = _watch(process, limits)
        except BaseException:
            _end(process)
            raise
        answer: dict[str, Any] = {} if problem else json.loads(result.read_text())
        if problem:
            answer["error"] = problem
        answer.setdefault("fit_time_s", time.monotonic() - start)
        answer.setdefault("rss_peak_mb", peak)
        return answer


def row_of(split: Split, method: Method, answer: dict[str, Any], limits: Limits) -> dict[str, str]:
    """A line of the table. Where the method failed, the mean of the training target is the prediction."""
    failed = "error" in answer
    values: dict[str, Any] = {
        "dataset": split.entry.name,
        "method": method.name,
        "family": method.family,
        "seed": split.seed,
        "n_total": split.total,
        "n_train": len(split.y_train),
        "n_test": len(split.y_test),
        "d": split.x_train.shape[1],
        **({"n_fits": 0, "best_hp": "", "used_defaults": False, **constant_scores(split)} if failed else {}),
        **answer,
        "used_constant_predictor": failed,
        "error": answer.get("error", ""),
        "rss_advisory_exceeded": answer["rss_peak_mb"] > limits.megabytes,
    }
    return {column: str(values[column]) for column in COLUMNS}


def time_left(done: int, left: int, seconds: float) -> str:
    """In words, from the cells that were run."""
    if done == 0:
        return ""
    remaining = seconds / done * left
    if remaining < 90:
        return f", about {remaining:.0f} s left"
    return f", about {remaining / 60:.0f} min left" if remaining < 5400 else f", about {remaining / 3600:.1f} h left"


def run(plan: Run, tell: Callable[[str], None], execute: Callable[..., dict[str, Any]] = run_in_process) -> Cells:
    """Runs the cells that are not in the file yet. The file is complete after every cell."""
    cells = read_cells(plan.output)
    plan.output.parent.mkdir(parents=True, exist_ok=True)
    wanted = [key for key in plan.cells() if (key[0].name, key[1].name, key[2]) not in cells]
    there = sum(1 for _ in plan.cells()) - len(wanted)
    if there:
        tell(f"{there} cells are there already")
    table: StudyTable | None = None
    start = time.monotonic()
    for done, (entry, method, seed) in enumerate(wanted):
        if table is None or table.entry is not entry:
            table = load(plan.data, entry)
        split = split_table(table, seed, drawn_rows(entry.name))
        spec = CellSpec(str(plan.data), entry.name, method.name, seed, plan.trials, plan.search_seconds, plan.threads)
        row = row_of(split, method, execute(spec, plan.limits), plan.limits)
        cells[(entry.name, method.name, seed)] = row
        write_cells(plan.output, cells)
        left = time_left(done + 1, len(wanted) - done - 1, time.monotonic() - start)
        problem = f" [{row['error']}]" if row["error"] else ""
        tell(
            f"{done + 1} of {len(wanted)}: {entry.name}, {method.name}, seed {seed}: "
            f"RMSE {float(row['rmse_test']):.5g} in {float(row['fit_time_s']):.2f} s{problem}{left}"
        )
    return cells
