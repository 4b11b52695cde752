"""One contender on one table in a process of its own: seconds of fit and predict, memory beyond the data, test error.

Usage: python measure.py CONTENDER FOLDER     prints one JSON object on the last line of standard output.
"""

import json
import sys
import time
import warnings
from pathlib import Path

import numpy as np
import workloads
from contenders import CONTENDERS, Task

warnings.filterwarnings("ignore")


def resident(field: str) -> float:
    """Megabytes that the kernel counts for this process: VmRSS now, VmHWM at most."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(field):
            return int(line.split()[1]) / 1024
    raise RuntimeError(f"/proc/self/status has no {field}")


def main(name: str, home: Path) -> None:
    X, y, X_test, y_test, shape = workloads.load(home)
    task = Task(shape["features"], [tuple(pair) for pair in shape["pairs"]], shape["free_pairs"])
    # Libraries are imported, started and warmed on a few rows before the clock and the memory count begin.
    warm = CONTENDERS[name].make(task)
    few = max(400, 10 * X.shape[1])
    warm.fit(X[:few].copy(), y[:few].copy())
    model = CONTENDERS[name].make(task)
    Path("/proc/self/clear_refs").write_text("5")
    before = resident("VmRSS")
    start = time.perf_counter()
    model.fit(X, y)
    fitted = time.perf_counter()
    peak = resident("VmHWM")
    started = time.perf_counter()
    predicted = model.predict(X_test)
    ended = time.perf_counter()
    print(
        json.dumps(
            {
                "fit": fitted - start,
                "predict_rows_per_second": len(y_test) / (ended - started),
                "memory_mb": max(peak - before, 0.0),
                "rmse": float(np.sqrt(np.mean((predicted - y_test) ** 2))),
            }
        )
    )


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
