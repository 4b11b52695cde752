"""What one row costs in Python, and what explanations cost beside predictions, in the engine and by the command.

Usage: python python_predict.py [--rows 1000000] [--calls 20000] [--kore build/kore]
Times are of the processor, so that other work on the machine matters less: those of a row are medians of batches of
calls, those of many rows the least of three runs on one thread. Parquet files are read and written by the command.
"""

import argparse
import resource
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas
from kore import KOREAdditiveRegressor, KORERegressor
from kore._tables import frame_of_table

PROJECT = Path(__file__).resolve().parents[1]
BATCH = 500
REPEATS = 3


def cars():
    table = pandas.read_json(PROJECT / "examples/data/cars.json").dropna(subset="Miles_per_Gallon")
    return table.drop(columns=["Name", "Miles_per_Gallon"]), table["Miles_per_Gallon"]


def curves(count, rows=4000):
    random = np.random.default_rng(0)
    X = pandas.DataFrame(random.uniform(size=(rows, count)), columns=[f"x{j}" for j in range(count)])
    return X, np.sin(6 * X).sum(axis=1) + random.normal(0, 0.1, rows)


TABLES = {
    "cars": (cars, KORERegressor),
    "4 curves": (lambda: curves(4), KOREAdditiveRegressor),
    "20 curves": (lambda: curves(20), KOREAdditiveRegressor),
}


def microseconds_of_a_call(call, calls):
    """Of the processor and of the clock: medians over batches."""
    call()
    used, passed = [], []
    for _ in range(max(1, calls // BATCH)):
        before, start = time.process_time(), time.perf_counter()
        for _ in range(BATCH):
            call()
        used.append((time.process_time() - before) / BATCH)
        passed.append((time.perf_counter() - start) / BATCH)
    return 1e6 * statistics.median(used), 1e6 * statistics.median(passed)


def seconds_of(call):
    used = []
    for _ in range(REPEATS):
        before = time.process_time()
        call()
        used.append(time.process_time() - before)
    return min(used)


def seconds_of_command(*words):
    used = []
    for _ in range(REPEATS):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(list(map(str, words)), check=True, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        used.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(used)


def print_rows(calls):
    print("| one row of 10 numbers | microseconds of processor | by the clock |\n|---|---|---|")
    X, y = curves(10)
    given = {"array, n_jobs=None": (X.to_numpy(), None), "array, n_jobs=1": (X.to_numpy(), 1), "pandas": (X, None)}
    for what, (table, n_jobs) in given.items():
        model = KOREAdditiveRegressor(n_jobs=n_jobs).fit(table, y)
        row = table[:1]
        used, passed = microseconds_of_a_call(lambda model=model, row=row: model.predict(row), calls)
        print(f"| {what} | {used:.1f} | {passed:.1f} |", flush=True)


def print_explanations(rows, kore):
    print(f"\n{rows:,} rows, one thread, seconds of processor\n")
    print("| model | effects | predict | explain | ratio | kore predict | kore explain | ratio | sums within |")
    print("|---|---|---|---|---|---|---|---|---|")
    for name, (make, kind) in TABLES.items():
        X, y = make()
        model = kind(n_jobs=1).fit(X, y)
        many = pandas.concat([X] * -(-rows // len(X)), ignore_index=True)[:rows]
        frame = frame_of_table(many)
        predicting = seconds_of(lambda model=model, frame=frame: model._model.predict(frame, 1))
        explaining = seconds_of(lambda model=model, frame=frame: model._model.explain(frame, False, 1))
        with tempfile.TemporaryDirectory() as folder:
            file, table, out = Path(folder, "m.kore"), Path(folder, "t.parquet"), Path(folder, "o.parquet")
            model.save(file)
            many.to_parquet(table)
            by_command = [
                seconds_of_command(kore, word, file, table, "-o", out, "--threads", 1)
                for word in ("predict", "explain")
            ]
        columns, _ = model._model.explain(frame, False, 1)
        columns = dict(columns)
        effects = [values for column, values in columns.items() if column.startswith("effect of ")]
        gap = np.abs(np.sum(effects, axis=0) + columns["constant"] - columns["sum"]).max()
        print(
            f"| {name} | {len(effects)} | {predicting:.2f} | {explaining:.2f} | {explaining / predicting:.1f} | "
            f"{by_command[0]:.2f} | {by_command[1]:.2f} | {by_command[1] / by_command[0]:.1f} | {gap:.1g} |",
            flush=True,
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--calls", type=int, default=20_000)
    parser.add_argument("--kore", default=PROJECT / "build/kore", help="the command")
    arguments = parser.parse_args()
    print_rows(arguments.calls)
    print_explanations(arguments.rows, arguments.kore)


if __name__ == "__main__":
    main()
