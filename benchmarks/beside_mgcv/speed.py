"""Seconds of yes-or-no fits, beside mgcv's `bam` and XGBoost in memory, and beside fits of numbers from a long file.

Main effects of 20 features. KORE's time is that of the whole command, with the reading of a Parquet file; those of the
others are of the fit alone, in memory. All may use two threads. Where the machine is busy, processor seconds (of all
threads) tell more than seconds.
Usage: speed.py KORE_COMMAND FOLDER [--rows 100000] [--long-rows 10000000]
"""

import argparse
import json
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

COMPARISON = Path(__file__).resolve().parent.parent / "comparison"
sys.path.insert(0, str(COMPARISON))
from contenders import THREADS  # noqa: E402
from scale import FEATURES, run  # noqa: E402
from workloads import NOISE_SHARE, TEST_ROWS, Workload, additive_target, load  # noqa: E402

STRENGTH = 2.5  # of the effects on the log odds: a deviation of about 1.5
CHUNK = 100_000
NAMES = [f"x{j}" for j in range(FEATURES)]


def draw_yes(predictor, generator):
    return (generator.random(len(predictor)) < 1 / (1 + np.exp(-predictor))).astype(float)


@dataclass(frozen=True)
class LogisticWorkload(Workload):
    """Yes or no; the test has true log odds."""

    family: str = "binomial"

    def table(self):
        generator = np.random.default_rng(2026)
        target = additive_target(generator, self.features)
        X = generator.random((self.rows, self.features))
        X_test = generator.random((TEST_ROWS, self.features))
        return X, draw_yes(STRENGTH * target(X), generator), X_test, STRENGTH * target(X_test)


def long_table(path, rows):
    """Two targets of the same features: `amount`, a number with noise, and `yes`."""
    if path.exists():
        return
    generator = np.random.default_rng(2026)
    target = additive_target(generator, FEATURES)
    names = [*NAMES, "amount", "yes"]
    schema = pa.schema([(name, pa.float64()) for name in names])
    unfinished = path.with_suffix(".part")
    with pq.ParquetWriter(unfinished, schema, compression="none") as out:
        for first in range(0, rows, CHUNK):
            X = generator.random((min(CHUNK, rows - first), FEATURES))
            clean = target(X)
            amount = clean + generator.normal(scale=NOISE_SHARE * clean.std(), size=len(X))
            out.write_table(pa.table([*X.T, amount, draw_yes(STRENGTH * clean, generator)], names=names))
    unfinished.rename(path)


def fit_command(command, table, target, family, *more):
    return [command, "fit", str(table), "--target", target, "--family", family, "--pairs", "none", "--json", *more]


def error_of(predictor, truth):
    return float(np.sqrt(np.mean((predictor - truth) ** 2)))


def measure_kore(command, home):
    X, y, X_test, truth, _ = load(home)
    train, test, model = home / "train.parquet", home / "test.parquet", home / "model.kore"
    pq.write_table(pa.table([*X.T, y], names=[*NAMES, "yes"]), train, compression="none")
    pq.write_table(pa.table([*X_test.T], names=NAMES), test, compression="none")
    found = run([*fit_command(command, train, "yes", "binomial"), "--threads", str(THREADS), "-o", str(model)])
    predicted = home / "predicted.parquet"
    subprocess.run([command, "predict", model, test, "-q", "-o", predicted], check=True)
    mean = pq.read_table(predicted)["prediction"].to_numpy()
    return found | {"rmse": error_of(np.log(mean / (1 - mean)), truth)}


def measure_bam(home):
    script = ["Rscript", str(COMPARISON / "gam.R"), "mgcv bam discrete", str(home)]
    found = json.loads(subprocess.run(script, check=True, capture_output=True, text=True).stdout.splitlines()[-1])
    return {"seconds": found["fit"], "processor_seconds": found["processor"], "rmse": found["rmse"]}


def measure_xgboost(home):
    from xgboost import XGBClassifier

    X, y, X_test, truth, _ = load(home)
    model = XGBClassifier(n_estimators=100, tree_method="hist", n_jobs=THREADS)
    model.fit(X[:400], y[:400])  # what is done once is not counted
    start, processor = time.perf_counter(), time.process_time()
    model.fit(X, y)
    found = {"seconds": time.perf_counter() - start, "processor_seconds": time.process_time() - processor}
    return found | {"rmse": error_of(model.predict(X_test, output_margin=True), truth)}


def print_line(name, found, beside=None):
    line = f"{name:34s}{found['seconds']:9.2f}{found['processor_seconds']:11.2f}"
    line += f"{found['rmse']:8.3f}" if "rmse" in found else ""
    if beside:
        ratios = [found[key] / beside[key] for key in ("seconds", "processor_seconds")]
        line += f"   {ratios[0]:.2f} times the seconds, {ratios[1]:.2f} times the processor's"
    print(line, flush=True)


def in_memory(options):
    home = LogisticWorkload(f"logistic_{options.rows}", "", options.rows, FEATURES).make(options.folder)
    print(f"{f'yes or no, {options.rows:,} rows':34s}{'seconds':>9s}{'processor':>11s}{'error':>8s}")
    kore = measure_kore(options.command, home)
    print_line("KORE, whole command", kore)
    print_line("mgcv bam(discrete = TRUE)", measure_bam(home), kore)
    print_line("XGBoost, 100 trees", measure_xgboost(home), kore)


def long_file(options):
    path = options.folder / f"long_{options.long_rows}.parquet"
    long_table(path, options.long_rows)
    print(f"\n{f'a file of {options.long_rows:,} rows':34s}{'seconds':>9s}{'processor':>11s}")
    limit = ["--memory-limit", "128MB"]
    numbers = run(fit_command(options.command, path, "amount", "normal", "--drop", "yes", *limit))
    print_line("KORE, numbers", numbers)
    yes = run(fit_command(options.command, path, "yes", "binomial", "--drop", "amount", *limit))
    print_line("KORE, yes or no", yes, numbers)
    print(f"peak memory: {numbers['peak_mb']:.0f} MB of numbers, {yes['peak_mb']:.0f} MB of yes or no")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rows", type=int, default=100_000, help="beside bam and XGBoost")
    parser.add_argument("--long-rows", type=int, default=10_000_000, help="of the long file; 0: without it")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    in_memory(options)
    if options.long_rows:
        long_file(options)


if __name__ == "__main__":
    main()
