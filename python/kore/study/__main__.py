"""The command line of the study: list, check and fetch data sets, and run methods."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from .fetch import OPENML, UCI, fetch
from .methods import METHODS, Method, method_named, require
from .registry import DATA_SETS, DataSet, data_set
from .runner import Limits, Run, run
from .tables import DataProblem, file_of, survey
from .verify import DETERMINED, verify


def _chosen(names: list[str] | None) -> list[DataSet]:
    return [data_set(name) for name in names] if names else list(DATA_SETS)


def _list(_: argparse.Namespace) -> int:
    for entry in DATA_SETS:
        columns = f"{entry.numeric}+{entry.categorical}"
        print(f"{entry.name:30} {entry.source:13} {entry.rows:6} {columns:>6} {entry.features:4}  {entry.licence}")
        print(f"{'':30} target {entry.target}; {entry.citation}")
    return 0


def _check(arguments: argparse.Namespace) -> int:
    findings = survey(arguments.data)
    for name, problem in findings.items():
        print(f"{name:30} {problem or 'as in the study'}")
    bad = sum(1 for problem in findings.values() if problem)
    print(f"{len(findings) - bad} of {len(findings)} data sets are there and as in the study.")
    return 1 if bad else 0


def _fetch(arguments: argparse.Namespace) -> int:
    failures = 0
    for entry in _chosen(arguments.sets):
        if file_of(arguments.data, entry.name) is not None:
            print(f"{entry.name}: there already")
            continue
        try:
            print(f"{entry.name}: {fetch(entry, arguments.data, arguments.openml, arguments.uci)}", flush=True)
        except DataProblem as problem:
            failures += 1
            print(f"{entry.name}: {problem}", file=sys.stderr, flush=True)
    return 1 if failures else 0


def _comma_list(text: str) -> list[str]:
    return [part for part in text.split(",") if part]


def _seeds(text: str) -> list[int]:
    """ "5" is the first five, "0,3" are those two."""
    return [int(part) for part in text.split(",")] if "," in text else list(range(int(text)))


def _methods(names: list[str]) -> list[Method]:
    if names in (["all"], ["published"]):
        chosen = [method for method in METHODS if method.published or names == ["all"]]
    else:
        chosen = [method_named(name) for name in names]
    for method in chosen:
        require(method)
    return chosen


def _present(folder: Path, names: str) -> list[DataSet]:
    """The data sets that were asked for, or all whose files exist."""
    if names:
        return _chosen(_comma_list(names))
    sets = [entry for entry in DATA_SETS if file_of(folder, entry.name) is not None]
    if not sets:
        raise ValueError(f"There is no data set in '{folder}'.")
    return sets


def _run(arguments: argparse.Namespace) -> int:
    sets = _present(arguments.data, arguments.sets)
    plan = Run(
        arguments.data,
        arguments.output,
        [entry for entry in sets if entry.features <= arguments.max_features],
        _methods(_comma_list(arguments.methods)),
        arguments.seeds,
        arguments.trials,
        arguments.search_seconds,
        arguments.threads,
        Limits(arguments.limit, arguments.memory),
    )
    run(plan, (lambda _: None) if arguments.quiet else (lambda line: print(line, file=sys.stderr, flush=True)))
    return 0


def _add_run(commands: Any) -> None:
    running = commands.add_parser("run", help="run methods on data sets, a process per cell")
    running.add_argument("--data", type=Path, required=True, help="folder with the data sets")
    running.add_argument(
        "-o", "--output", type=Path, required=True, help="table of cells; goes on where it was stopped"
    )
    running.add_argument("--methods", default="all", help="names with commas, 'published' or 'all' (default)")
    running.add_argument("--sets", default="", help="names with commas (default: all that are there)")
    running.add_argument("--max-features", type=int, default=10**6, help="leave out sets with more after dummies")
    running.add_argument("--seeds", type=_seeds, default=list(range(5)), help="how many, or which with commas (5)")
    running.add_argument("--trials", type=int, default=50, help="of the search for parameters (50)")
    running.add_argument("--search-seconds", type=float, default=180.0, help="limit of the search (180)")
    running.add_argument("--limit", type=float, default=360.0, help="seconds per cell (360)")
    running.add_argument("--memory", type=float, default=8000.0, help="megabytes per cell (8000)")
    running.add_argument("--threads", type=int, default=1, help="of every method (1)")
    running.add_argument("-q", "--quiet", action="store_true", help="no progress")
    running.set_defaults(action=_run)


def _verify(arguments: argparse.Namespace) -> int:
    sets = _present(arguments.data, arguments.sets)
    methods = tuple(_comma_list(arguments.methods)) or DETERMINED
    print(f"{'data set':30} {'method':12} cells  fallbacks  other choices  largest relative difference of the RMSE")
    bad = 0
    for found in verify(arguments.data, arguments.published, sets, methods, arguments.seeds, arguments.threads):
        bad += found.difference > arguments.tolerance
        print(
            f"{found.dataset:30} {found.method:12} {found.cells:5}  {found.fell_back:9}  {found.other_choices:13}  "
            f"{found.difference:.1e}{'  !' if found.difference > arguments.tolerance else ''}",
            flush=True,
        )
    return 1 if bad else 0


def _add_verify(commands: Any) -> None:
    verifying = commands.add_parser("verify", help="run determined methods again, beside the published cells")
    verifying.add_argument("--data", type=Path, required=True, help="folder with the data sets")
    verifying.add_argument("--published", type=Path, required=True, help="the published real_data.csv")
    verifying.add_argument("--methods", default="", help=f"names with commas (default: {', '.join(DETERMINED)})")
    verifying.add_argument("--sets", default="", help="names with commas (default: all that are there)")
    verifying.add_argument("--seeds", type=_seeds, default=list(range(5)), help="how many, or which with commas (5)")
    verifying.add_argument("--threads", type=int, default=1, help="of every method (1)")
    verifying.add_argument("--tolerance", type=float, default=1e-6, help="relative, of the test error (1e-6)")
    verifying.set_defaults(action=_verify)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m kore.study", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    listing = commands.add_parser("list", help="the data sets, with source, rows, columns, dummies and licence")
    listing.set_defaults(action=_list)
    check = commands.add_parser("check", help="compare the files of a folder with the registry")
    check.add_argument("--data", type=Path, required=True, help="folder with CSV or Parquet files")
    check.set_defaults(action=_check)
    fetching = commands.add_parser("fetch", help="fetch what is missing from OpenML and UCI")
    fetching.add_argument("sets", nargs="*", help="names of data sets (default: all)")
    fetching.add_argument("--data", type=Path, required=True, help="folder to fetch into")
    fetching.add_argument("--openml", default=OPENML, help=argparse.SUPPRESS)
    fetching.add_argument("--uci", default=UCI, help=argparse.SUPPRESS)
    fetching.set_defaults(action=_fetch)
    _add_run(commands)
    _add_verify(commands)
    return parser


def main(arguments: list[str] | None = None) -> int:
    """Runs a command; returns its exit status."""
    given = _parser().parse_args(arguments)
    try:
        status: int = given.action(given)
        return status
    except (ValueError, OSError) as error:
        print(f"kore.study: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("kore.study: stopped; the same command goes on from here", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
