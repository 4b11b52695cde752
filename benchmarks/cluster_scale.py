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


class Processes:
    """What this process and all its descendants take while they run: the peak of their memory together, and processor
    time. Looked at every second; processes that live shorter than that are not seen."""

    def __enter__(self):
        self.peak_mb = self.java_mb = self.other_mb = 0.0
        self._cpu = {}
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch)
        self._thread.start()
        return self

    def __exit__(self, *failure):
        self._ended.set()
        self._thread.join()

    def cpu_seconds(self, java: bool) -> float:
        """Of the JVMs, or of the Python processes beside this one."""
        return sum(seconds for name, seconds in self._cpu.values() if (name == "java") == java)

    def _watch(self):
        while not self._ended.wait(1.0):
            family = descendants(os.getpid())
            java = sum(proportional_mb(process) for process, (name, _) in family.items() if name == "java")
            other = sum(proportional_mb(process) for process, (name, _) in family.items() if name != "java")
            self.java_mb, self.other_mb = max(self.java_mb, java), max(self.other_mb, other)
            self.peak_mb = max(self.peak_mb, java + other)
            self._cpu.update({process: known for process, known in family.items() if process != os.getpid()})


def descendants(root: int) -> dict[int, tuple[str, float]]:
    """Names and processor seconds of a process and of all that it has started, themselves or through others."""
    known = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                name, rest = (folder / "stat").read_text().split("(", 1)[1].rsplit(")", 1)
            except (OSError, IndexError):
                continue
            fields = rest.split()
            seconds = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
            known[int(folder.name)] = (int(fields[1]), name, seconds)
    family = {root}
    while more := {child for child, (parent, _, _) in known.items() if parent in family} - family:
        family |= more
    return {process: known[process][1:] for process in family if process in known}


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
    with Processes() as processes:
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
        "peak_mb": processes.peak_mb,
        "java_mb": processes.java_mb,
        "python_mb": processes.other_mb,
        "java_cpu_seconds": processes.cpu_seconds(java=True),
        "python_cpu_seconds": processes.cpu_seconds(java=False),
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
