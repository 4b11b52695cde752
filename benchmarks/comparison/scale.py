"""The command on tables of rising size: seconds and peak memory of the whole process, from Parquet files and in small.

Usage: python scale.py KORE --output FOLDER [--largest 7] [--repeats 3]
Writes scale.json. Rows are streamed: from 10^6 on the command is told to stay within 128 MB, too little to keep the
rows.
"""

import argparse
import json
import resource
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from workloads import NOISE_SHARE, additive_target

FEATURES = 20
CHUNK = 100_000


def write_parquet(path: Path, rows: int, features: int = FEATURES) -> Path:
    if path.exists():
        return path
    generator = np.random.default_rng(2026)
    target = additive_target(generator, features)
    names = [f"x{j}" for j in range(features)] + ["y"]
    unfinished = path.with_suffix(".part")
    schema = pa.schema([(name, pa.float64()) for name in names])
    with pq.ParquetWriter(unfinished, schema, compression="none") as writer:
        for first in range(0, rows, CHUNK):
            X = generator.random((min(CHUNK, rows - first), features))
            clean = target(X)
            y = clean + generator.normal(scale=NOISE_SHARE * clean.std(), size=len(X))
            writer.write_table(pa.table([*X.T, y], names=names))
    unfinished.rename(path)
    return path


def peak_mb(process: int) -> float:
    """What the kernel remembers as a process's peak; nothing where it has just ended."""
    try:
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
    except (FileNotFoundError, ProcessLookupError):
        return 0.0
    return max((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM")), default=0.0)


def processor_seconds() -> float:
    """Of all children that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run(command: list[str], watch: bool = True) -> dict:
    """Seconds of the process, of all its threads, of the fit in it, and its peak of memory.

    (`ru_maxrss` would count this process too.)
    """
    start = time.perf_counter()
    before = processor_seconds()
    peak = 0.0
    with tempfile.TemporaryFile("w+") as output:
        child = subprocess.Popen(command, stdout=output)
        while watch and child.poll() is None:
            peak = max(peak, peak_mb(child.pid))
            time.sleep(0.005)
        status = child.wait()
        seconds = time.perf_counter() - start
        output.seek(0)
        if status != 0:
            raise SystemExit(f"{' '.join(command)} failed.")
        found = {"seconds": seconds, "processor_seconds": processor_seconds() - before, "peak_mb": peak}
        return found | {"fit_seconds": json.load(output)["seconds"]}


def medians(runs: list[dict]) -> dict:
    return {key: statistics.median(run[key] for run in runs) for key in runs[0]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kore")
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--largest", type=int, default=7, help="power of ten")
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    tables = options.output / "tables"
    tables.mkdir(parents=True, exist_ok=True)
    found: dict = {"scale": [], "threads": []}
    for profile in ("default", "paper"):
        for power in range(4, options.largest + 1):
            path = write_parquet(tables / f"scale_1e{power}.parquet", 10**power)
            command = [
                options.kore,
                "fit",
                str(path),
                "--target",
                "y",
                "--pairs",
                "none",
                "--profile",
                profile,
                "--json",
            ]
            limit = ["--memory-limit", "128MB"] if power >= 6 else []
            repeats = options.repeats if power < 7 else 1
            found["scale"].append(
                {"profile": profile, "rows": 10**power} | medians([run(command + limit) for _ in range(repeats)])
            )
            print(found["scale"][-1], flush=True)
            if power == 6:
                one = medians([run([*command, *limit, "--threads", "1"]) for _ in range(options.repeats)])
                found["threads"].append({"profile": profile, "speedup": one["seconds"] / found["scale"][-1]["seconds"]})
                print(found["threads"][-1], flush=True)
    small = write_parquet(tables / "small.parquet", 500, 5)
    for profile in ("default", "paper"):
        command = [options.kore, "fit", str(small), "--target", "y", "--profile", profile, "--json"]
        found[f"small_{profile}"] = medians([run(command, watch=False) for _ in range(20)])
        print("small", profile, found[f"small_{profile}"])
    (options.output / "scale.json").write_text(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
