"""Every contender on every table, each run in a process of its own, one after the other.

Usage: python compare.py --output FOLDER [--data FOLDER] [--limit SECONDS] [--memory GB] [--repeats N] [--only NAME ...]
       [--contenders NAME ...]
Appends each run to runs.csv as soon as it has ended; runs that are there already are not repeated.
"""

import argparse
import csv
import sys
from pathlib import Path

from contenders import CONTENDERS, THREADS, Contender
from processes import Limits, Outcome, watched
from workloads import TableWorkload, Workload, all_workloads

FIELDS = [
    "workload",
    "contender",
    "run",
    "status",
    "fit",
    "predict_rows_per_second",
    "memory_mb",
    "rmse",
    "process_seconds",
]
HERE = Path(__file__).parent
WORTH_REPEATING = 60  # seconds; longer runs speak for themselves


def measure(contender: Contender, home: Path, limits: Limits) -> Outcome:
    if contender.make is None:
        return watched(["Rscript", str(HERE / "gam.R"), contender.name, str(home)], limits, THREADS)
    return watched([sys.executable, str(HERE / "measure.py"), contender.name, str(home)], limits, THREADS)


class Record:
    """runs.csv: what is known, and a place for what comes."""

    def __init__(self, path: Path):
        self.path = path
        self.rows: list[dict] = []
        if path.exists():
            with path.open(newline="") as file:
                self.rows = list(csv.DictReader(file))
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("w", newline="") as file:
                csv.DictWriter(file, FIELDS).writeheader()

    def runs(self, workload: str, contender: str) -> list[dict]:
        return [row for row in self.rows if (row["workload"], row["contender"]) == (workload, contender)]

    def add(self, **row: object) -> None:
        self.rows.append({name: str(row.get(name, "")) for name in FIELDS})
        with self.path.open("a", newline="") as file:
            csv.DictWriter(file, FIELDS).writerow(self.rows[-1])


def passed_limit_before(record: Record, workload: Workload, contender: str) -> str:
    """The smaller table of the same series on which a contender has passed a limit: it will do so here too."""
    series, _, size = workload.name.rpartition("_1e")
    smaller = [f"{series}_1e{k}" for k in range(int(size))] if series else []
    return next(
        (name for name in smaller for row in record.runs(name, contender) if row["status"].startswith("more than")), ""
    )


def run_contender(
    record: Record, workload: Workload, contender: Contender, home: Path, limits: Limits, repeats: int
) -> None:
    before = passed_limit_before(record, workload, contender.name)
    known = record.runs(workload.name, contender.name)
    if before and not known:
        record.add(
            workload=workload.name, contender=contender.name, run=0, status=f"not run: passed a limit on {before}"
        )
        return
    if any(row["status"] != "ok" or float(row["process_seconds"]) > WORTH_REPEATING for row in known):
        return
    for run in range(len(known), repeats):
        outcome = measure(contender, home, limits)
        answer = outcome.answer() if outcome.status == "ok" else {}
        record.add(
            workload=workload.name,
            contender=contender.name,
            run=run,
            status=outcome.status,
            process_seconds=outcome.seconds,
            **answer,
        )
        told = f"{answer['fit']:.3f} s, RMSE {answer['rmse']:.4g}" if answer else outcome.status
        print(f"{workload.name:14} {contender.name:28} {told}", flush=True)
        if outcome.status != "ok" or outcome.seconds > WORTH_REPEATING:
            return


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--limit", type=float, default=600)
    parser.add_argument("--memory", type=float, default=16)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--only", nargs="*", default=None, help="names of tables")
    parser.add_argument("--contenders", nargs="*", default=None, help="their names, as in contenders.py")
    options = parser.parse_args()
    record = Record(options.output / "runs.csv")
    chosen = [w for w in all_workloads(options.data) if options.only is None or w.name in options.only]
    if not any(isinstance(workload, TableWorkload) for workload in all_workloads(options.data)):
        print(f"Real tables are left out: there are none in {options.data}.")
    for workload in chosen:
        home = workload.make(options.output / "tables")
        for contender in CONTENDERS.values():
            asked_for = options.contenders is None or contender.name in options.contenders
            if not asked_for or not contender.plays(workload):
                continue
            run_contender(record, workload, contender, home, Limits(options.limit, options.memory), options.repeats)


if __name__ == "__main__":
    main()
