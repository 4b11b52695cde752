"""A large table on a Spark cluster of this machine beside the streaming command on the same Parquet file.

Usage: python benchmarks/cluster_scale.py KORE [--rows 20000000] [--profile default] [--output out/cluster]
Tells seconds, memory, the share of native code and every pass; writes them to a JSON file. Needs the package with its
extra `spark`; `make test-cluster` makes such an environment in build-python/venv.
"""

import argparse
import json
import os
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent / "comparison"))
from scale import run, write_parquet


class Memory:
    """The peak of what this process and all its descendants have in memory together, looked at ten times a second."""

    def __enter__(self):
        self.peak_mb = self.java_mb = self.python_mb = 0.0
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch)
        self._thread.start()
        return self

    def __exit__(self, *failure):
        self._ended.set()
        self._thread.join()

    def _watch(self):
        while not self._ended.wait(0.1):
            java, python = memory_of_descendants(os.getpid())
            self.java_mb, self.python_mb = max(self.java_mb, java), max(self.python_mb, python)
            self.peak_mb = max(self.peak_mb, java + python)


def memory_of_descendants(root: int) -> tuple[float, float]:
    """Megabytes of the JVMs and of all other processes, each with its share of pages that several have."""
    parents, names = {}, {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                name, rest = (folder / "stat").read_text().split("(", 1)[1].rsplit(")", 1)
            except (OSError, IndexError):
                continue
            parents[int(folder.name)], names[int(folder.name)] = int(rest.split()[1]), name
    family = {root}
    while more := {child for child, parent in parents.items() if parent in family} - family:
        family |= more
    java = sum(proportional_mb(process) for process in family if names.get(process) == "java")
    return java, sum(proportional_mb(process) for process in family if names.get(process) != "java")


def proportional_mb(process: int) -> float:
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("Pss:")), 0.0)


def fit_on_spark(table: Path, options: argparse.Namespace) -> dict:
    os.environ["PYSPARK_PYTHON"] = sys.executable
    import kore.spark
    from pyspark.sql import SparkSession

    start = time.perf_counter()
    session = (
        SparkSession.builder.master(options.master)
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.executor.memory", options.executor_memory)
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.sql.execution.arrow.maxRecordsPerBatch", options.batch)
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("OFF")
    started = time.perf_counter()
    with Memory() as memory:
        model = kore.spark.fit(
            session.read.parquet(str(table)), target="y", pairs="none", profile=options.profile, verbose=0
        )
    seconds = time.perf_counter() - started
    session.stop()
    native = sum(one["native_seconds"] for one in model.passes_)
    reading = sum(one["reading_seconds"] for one in model.passes_)
    passing = sum(one["seconds"] for one in model.passes_)
    return {
        "start_seconds": started - start,
        "seconds": seconds,
        "seconds_in_passes": passing,
        "native_seconds": native,
        "reading_seconds": reading,
        "native_share_of_tasks": native / (native + reading),
        "native_share_of_cores": native / (options.cores * passing),
        "peak_mb": memory.peak_mb,
        "java_mb": memory.java_mb,
        "python_mb": memory.python_mb,
        "G": model.G_star_,
        "loo": model.loo_,
        "passes": model.passes_,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kore", help="the command")
    parser.add_argument("--rows", type=int, default=20_000_000)
    parser.add_argument("--profile", default="default")
    parser.add_argument("--master", default="local-cluster[2,1,2048]")
    parser.add_argument("--executor-memory", default="1g")
    parser.add_argument("--cores", type=int, default=2, help="of all executors")
    parser.add_argument("--batch", type=int, default=10_000, help="rows of an Arrow batch")
    parser.add_argument("--output", type=Path, default=Path("out/cluster"))
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    table = write_parquet(options.output / f"rows_{options.rows}.parquet", options.rows)
    command = [options.kore, "fit", str(table), "--target", "y", "--pairs", "none", "--profile", options.profile]
    found = {"rows": options.rows, "profile": options.profile, "batch": options.batch}
    found["spark"] = fit_on_spark(table, options)
    print(json.dumps(found, indent=1), flush=True)
    found["command"] = run([*command, "--memory-limit", "2GB", "--json"])
    found["spark_over_command"] = found["spark"]["seconds"] / found["command"]["seconds"]
    print(json.dumps({name: found[name] for name in ("command", "spark_over_command")}, indent=1))
    (options.output / f"{options.profile}_{options.rows}.json").write_text(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
