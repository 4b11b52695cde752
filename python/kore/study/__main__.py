"""The command line of the study: its data sets listed, checked and fetched."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from .fetch import OPENML, UCI, fetch
from .registry import DATA_SETS, DataSet, data_set
from .tables import DataProblem, file_of, survey


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


if __name__ == "__main__":
    sys.exit(main())
