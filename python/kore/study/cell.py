"""One cell in a process of its own: ``python -m kore.study.cell SPEC RESULT``, both JSON files."""

from __future__ import annotations

import json
import resource
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from .methods import method_named
from .outcome import Setting
from .registry import data_set
from .search import Budget
from .splits import Split, load_split
from .tables import Floats


@dataclass(frozen=True)
class CellSpec:
    """What to run."""

    data: str
    dataset: str
    method: str
    seed: int
    trials: int
    seconds: float
    threads: int


def scores(predictions: Floats, split: Split) -> dict[str, float]:
    """The errors of predictions of the test rows."""
    errors = predictions - split.y_test
    if not np.isfinite(errors).all():
        raise ValueError("a prediction is not a finite number")
    squares = float(np.mean(errors**2))
    spread = float(np.mean((split.y_test - split.y_test.mean()) ** 2))
    return {
        "rmse_test": squares**0.5,
        "mae_test": float(np.mean(np.abs(errors))),
        "r2_test": 1.0 - squares / spread if spread > 0 else 0.0,
        "nrmse_test": squares**0.5 / (float(np.std(split.y_train)) or 1.0),
    }


def constant_scores(split: Split) -> dict[str, float]:
    """The errors of the mean of the training target, which is the prediction where a method fails."""
    return scores(np.full(len(split.y_test), split.y_train.mean()), split)


def peak_megabytes() -> float:
    """The most memory that this process, or a child of it, has had."""
    kilobytes = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return kilobytes / 1024.0


def run_cell(spec: CellSpec) -> dict[str, Any]:
    """Runs a method on a split; raises whatever the method raises."""
    split = load_split(Path(spec.data), data_set(spec.dataset), spec.seed)
    setting = Setting(Budget(spec.trials, spec.seconds), spec.threads)
    start = time.perf_counter()
    outcome = method_named(spec.method).run(split, setting)
    seconds = time.perf_counter() - start
    return {
        **scores(outcome.predictions, split),
        "n_fits": outcome.fits,
        "fit_time_s": seconds if outcome.seconds is None else outcome.seconds,
        "best_hp": repr(outcome.parameters),
        "used_defaults": outcome.used_defaults,
        "rss_peak_mb": peak_megabytes(),
    }


def main(arguments: list[str]) -> int:
    """Writes the result, or the error, to the second file."""
    spec = CellSpec(**json.loads(Path(arguments[0]).read_text()))
    try:
        answer = run_cell(spec)
    except MemoryError:
        answer = {"error": "out of memory"}
    except Exception as error:  # whatever a method raises is a result of the study
        answer = {"error": f"{type(error).__name__}: {' '.join(str(error).split())}"[:300]}
    Path(arguments[1]).write_text(json.dumps(answer))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
