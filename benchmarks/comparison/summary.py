"""What the runs say: medians with their spread, and the project's targets as ratios within one run of `make bench`."""

import csv
import json
import statistics
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Cell:
    """One contender on one table."""

    workload: str
    contender: str
    status: str
    runs: int
    fit: float
    fastest: float
    slowest: float
    memory_mb: float
    rmse: float
    predict_rows_per_second: float


@dataclass(frozen=True)
class Target:
    what: str
    wanted: str
    reached: str
    met: bool


def read_cells(path: Path) -> list[Cell]:
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    groups: dict[tuple[str, str], list[dict]] = {}
    for row in rows:
        groups.setdefault((row["workload"], row["contender"]), []).append(row)
    return [cell_of(*key, runs) for key, runs in groups.items()]


def cell_of(workload: str, contender: str, rows: list[dict]) -> Cell:
    good = [row for row in rows if row["status"] == "ok"]
    if not good:
        return Cell(workload, contender, rows[-1]["status"], 0, *[float("nan")] * 6)

    def median(name: str) -> float:
        return statistics.median(float(row[name]) for row in good)

    times = [float(row["fit"]) for row in good]
    return Cell(
        workload, contender, "ok", len(good), median("fit"), min(times), max(times),
        median("memory_mb"), median("rmse"), median("predict_rows_per_second"),
    )  # fmt: skip


class Findings:
    def __init__(self, folder: Path):
        self.cells = read_cells(folder / "runs.csv")
        self.scale = json.loads((folder / "scale.json").read_text())
        self.kernels = json.loads((folder / "kernels.json").read_text())

    def cell(self, workload: str, contender: str) -> Cell | None:
        return next((c for c in self.cells if (c.workload, c.contender) == (workload, contender) and c.runs), None)

    def targets(self) -> list[Target]:
        return [*self.automatic(), *self.against_peers(), *self.at_scale(), *self.of_the_engine()]

    def automatic(self) -> list[Target]:
        """The automatic fit beside one booster, over the tables of which nothing is told."""
        ratios = {}
        for name in {cell.workload for cell in self.cells if cell.workload.startswith("auto_")}:
            mine, theirs = self.cell(name, "KORE automatic"), self.cell(name, "XGBoost")
            if mine and theirs:
                ratios[name] = mine.fit / theirs.fit
        if not ratios:
            return []
        mean = statistics.geometric_mean(ratios.values())
        worst = max(ratios, key=lambda name: ratios[name])
        told = f"automatic fit over XGBoost with 100 trees, {len(ratios)} tables"
        return [
            Target(f"{told}: geometric mean", "at most 3", f"{mean:.1f}", mean <= 3),
            Target(f"{told}: worst ({worst})", "at most 10", f"{ratios[worst]:.1f}", ratios[worst] <= 10),
        ]

    def faster(self, workload: str, rival: str, wanted: float) -> list[Target]:
        """KORE's profiles against a rival. Where the rival has passed a limit there is no ratio to tell."""
        found = []
        for profile in ("KORE default", "KORE paper"):
            mine, theirs = self.cell(workload, profile), self.cell(workload, rival)
            if mine is None or theirs is None:
                continue
            ratio = theirs.fit / mine.fit
            found.append(
                Target(
                    f"{workload}: {profile} against {rival}",
                    f"{wanted:g} times faster",
                    f"{ratio:.1f}",
                    ratio >= wanted,
                )
            )
        return found

    def against_peers(self) -> list[Target]:
        found = self.faster("additive_1e5", "dense NumPy selector", 20)
        found += self.faster("additive_1e5", "mgcv bam discrete", 6)
        found += self.faster("additive_1e5", "XGBoost", 2)
        found += self.faster("pairwise_1e5", "dense NumPy selector", 20)
        found += self.faster("wide", "dense NumPy selector", 10)
        dense, bam = self.cell("additive_1e5", "dense NumPy selector"), self.cell("additive_1e5", "mgcv bam discrete")
        xgboost = self.cell("additive_1e5", "XGBoost")
        for profile in ("KORE default", "KORE paper"):
            mine = self.cell("additive_1e5", profile)
            if mine and dense:
                share = mine.memory_mb / dense.memory_mb
                found.append(
                    Target(
                        f"additive_1e5: {profile}, memory beyond the data",
                        "a tenth of the dense selector's",
                        f"{share:.3f}",
                        share < 0.1,
                    )
                )
            if mine and bam:
                ratio = mine.rmse / bam.rmse
                found.append(
                    Target(
                        f"additive_1e5: {profile}, test RMSE against bam", "at most 1.05", f"{ratio:.3f}", ratio <= 1.05
                    )
                )
            if mine and xgboost:
                ratio = mine.predict_rows_per_second / xgboost.predict_rows_per_second
                found.append(
                    Target(
                        f"additive_1e5: {profile}, prediction against XGBoost",
                        "faster",
                        f"{ratio:.1f} times",
                        ratio > 1,
                    )
                )
        return found

    def at_scale(self) -> list[Target]:
        found = []
        for profile in ("default", "paper"):
            mine = [self.cell(f"additive_1e{k}", f"KORE {profile}") for k in (5, 6)]
            if all(mine):
                ratio = mine[1].fit / mine[0].fit
                found.append(
                    Target(f"{profile}, in memory: 10^6 rows over 10^5", "under 12", f"{ratio:.1f}", ratio < 12)
                )
            seconds = {row["rows"]: row["seconds"] for row in self.scale["scale"] if row["profile"] == profile}
            if {10**5, 10**6} <= seconds.keys():
                ratio = seconds[10**6] / seconds[10**5]
                found.append(
                    Target(f"{profile}, from Parquet: 10^6 rows over 10^5", "under 12", f"{ratio:.1f}", ratio < 12)
                )
            if {10**6, 10**7} <= seconds.keys():
                ratio = seconds[10**7] / seconds[10**6]
                found.append(
                    Target(f"{profile}, from Parquet: 10^7 rows over 10^6", "9 to 11", f"{ratio:.1f}", 9 <= ratio <= 11)
                )
        for row in self.scale["threads"]:
            found.append(
                Target(
                    f"{row['profile']}, 10^6 rows: two threads", "1.8", f"{row['speedup']:.2f}", row["speedup"] >= 1.8
                )
            )
        small = self.scale["small_default"]
        found.append(
            Target(
                "n = 500, d = 5: whole process", "60 ms", f"{1e3 * small['seconds']:.0f} ms", small["seconds"] < 0.06
            )
        )
        return found

    def of_the_engine(self) -> list[Target]:
        found = []
        for name in ("gram", "leverage"):
            for kind, design in (("main effects", 0), ("10 pairs", 10)):
                worst = max(row[f"{name}_times_bound"] for row in self.kernels["passes"] if row["pairs"] == design)
                found.append(
                    Target(f"{name}, {kind}: times the machine's bound", "at most 2", f"{worst:.2f}", worst <= 2)
                )
        for profile in ("default", "paper"):
            took = self.kernels["small"][f"{profile}_ms"]
            found.append(Target(f"n = 500, d = 5: selection, {profile}", "5 ms", f"{took:.1f} ms", took < 5))
        rate = self.kernels["prediction"]["rows_per_second"]
        found.append(
            Target("prediction, d = 20, one core", "3 million rows/s", f"{rate / 1e6:.1f} million", rate >= 3e6)
        )
        return found
