"""Bayesian search over a method's parameters: TPE, inner folds, a median pruner, and a limit on time."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .tables import Floats

START_UP_TRIALS = 10
INNER_FOLDS = 3


@dataclass(frozen=True)
class Range:
    """Where a parameter is searched: numbers between two limits, or one of some choices."""

    low: float = 0
    high: float = 1
    log: bool = False
    whole: bool = False
    choices: tuple[Any, ...] = ()


def log_e(low: float, high: float) -> Range:
    """Between two powers of e, on a logarithmic scale."""
    return Range(math.exp(low), math.exp(high), log=True)


@dataclass(frozen=True)
class Budget:
    """How long a method may search for its parameters."""

    trials: int = 50
    seconds: float = 180.0


@dataclass
class Found:
    """The result of a search; `fits` counts the models that were fitted."""

    parameters: dict[str, Any] = field(default_factory=dict)
    fits: int = 0
    finished: bool = False  # at least one trial was


# A fit of a method: training features and target, validation features, parameters -> predictions.
Fit = Callable[[Floats, Floats, Floats, dict[str, Any]], Floats]


def _suggest(trial: Any, name: str, where: Range) -> Any:
    if where.choices:
        return trial.suggest_categorical(name, list(where.choices))
    if where.whole:
        return trial.suggest_int(name, int(where.low), int(where.high), log=where.log)
    return trial.suggest_float(name, where.low, where.high, log=where.log)


def _folds(rows: int, seed: int) -> list[tuple[Any, Any]]:
    from sklearn.model_selection import KFold

    return list(KFold(INNER_FOLDS, shuffle=True, random_state=seed).split(np.empty((rows, 1))))


def search(fit: Fit, space: dict[str, Range], x: Floats, y: Floats, seed: int, budget: Budget) -> Found:
    """Looks for the parameters with the smallest mean squared error over the inner folds."""
    import optuna  # type: ignore[import-not-found, unused-ignore]

    optuna.logging.set_verbosity(optuna.logging.WARNING)
    found = Found()
    folds = _folds(len(y), seed)
    end = time.monotonic() + budget.seconds

    def objective(trial: Any) -> float:
        parameters = {name: _suggest(trial, name, where) for name, where in space.items()}
        errors: list[float] = []
        for step, (train, valid) in enumerate(folds):
            if time.monotonic() > end:
                raise optuna.TrialPruned
            predicted = fit(x[train], y[train], x[valid], parameters)
            found.fits += 1
            errors.append(float(np.mean((predicted - y[valid]) ** 2)))
            trial.report(float(np.mean(errors)), step)
            if trial.should_prune():
                raise optuna.TrialPruned
        return float(np.mean(errors))

    study = optuna.create_study(
        sampler=optuna.samplers.TPESampler(seed=seed, multivariate=True, n_startup_trials=START_UP_TRIALS),
        pruner=optuna.pruners.MedianPruner(n_startup_trials=START_UP_TRIALS),
    )
    study.optimize(objective, n_trials=budget.trials, timeout=budget.seconds, catch=(ValueError, ArithmeticError))
    done = [trial for trial in study.trials if trial.state == optuna.trial.TrialState.COMPLETE]
    if done:
        found.parameters = dict(study.best_params)
        found.finished = True
    return found
