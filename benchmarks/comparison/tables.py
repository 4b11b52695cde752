"""The findings as tables of texts, for Markdown and HTML alike."""

from dataclasses import dataclass
from pathlib import Path

from summary import Cell, Findings
from workloads import all_workloads


@dataclass(frozen=True)
class Table:
    title: str
    head: list[str]
    rows: list[list[str]]


def all_tables(findings: Findings, data: Path) -> list[Table]:
    workloads = [workload_table(findings, workload.name, workload.title) for workload in all_workloads(data)]
    found = [target_table(findings), *workloads, scale_table(findings), pass_table(findings), algebra_table(findings)]
    return [table for table in found if table.rows]


def target_table(findings: Findings) -> Table:
    rows = [[t.what, t.wanted, t.reached, "met" if t.met else "missed"] for t in findings.targets()]
    return Table("Targets", ["what", "wanted", "reached", ""], rows)


def workload_table(findings: Findings, name: str, title: str) -> Table:
    head = ["contender", "seconds", "spread", "MB beyond the data", "test RMSE", "million rows/s predicted"]
    cells = sorted((c for c in findings.cells if c.workload == name), key=lambda c: (c.runs == 0, c.fit))
    return Table(f"{title} (`{name}`)", head, [figures(cell) for cell in cells])


def figures(cell: Cell) -> list[str]:
    if not cell.runs:
        return [cell.contender, cell.status, "", "", "", ""]
    spread = f"{cell.fastest:.3g} to {cell.slowest:.3g}" if cell.runs > 1 else "one run"
    rate = f"{cell.predict_rows_per_second / 1e6:.2g}"
    return [cell.contender, f"{cell.fit:.3g}", spread, f"{cell.memory_mb:.0f}", f"{cell.rmse:.4g}", rate]


def scale_table(findings: Findings) -> Table:
    head = ["profile", "rows", "seconds", "microseconds per row", "peak MB"]
    rows = []
    for run in findings.scale["scale"]:
        per_row = 1e6 * run["seconds"] / run["rows"]
        rows.append(
            [run["profile"], f"{run['rows']:,}", f"{run['seconds']:.3g}", f"{per_row:.3g}", f"{run['peak_mb']:.0f}"]
        )
    return Table("The command on Parquet files, main effects of 20 features", head, rows)


def pass_table(findings: Findings) -> Table:
    rows = []
    for run in findings.kernels["passes"]:
        measured = [
            f"{run[f'{kind}_{what}']:.2f}"
            for kind in ("gram", "leverage")
            for what in ("ns_per_row_and_pair", "times_bound", "two_threads")
        ]
        terms = f"with {run['pairs']} pairs" if run["pairs"] else "main effects"
        rows.append([terms, str(run["G"]), str(run["columns"]), *measured])
    head = [
        "20 features",
        "G",
        "columns",
        "Gram, ns",
        "times bound",
        "2 threads",
        "leverage, ns",
        "times bound",
        "2 threads",
    ]
    return Table("Passes over the rows, per row and pair of terms", head, rows)


def algebra_table(findings: Findings) -> Table:
    rows = []
    for run in findings.kernels["algebra"]:
        row = [str(run["columns"])]
        for threads in ("", "_two_threads"):
            row += [f"{1e3 * run[f'seconds{threads}']:.1f}", f"{run[f'share_of_products{threads}']:.2f}"]
        rows.append(row)
    head = ["columns", "ms", "share of DGEMM", "ms, 2 threads", "share of DGEMM, 2 threads"]
    return Table("Factor, solution and inverse", head, rows)
