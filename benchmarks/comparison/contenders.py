"""Who takes part: for each a regressor with `fit` and `predict`, as its users would set it up for the task.

Selection that a library brings along (KORE, the dense selector, pyGAM's grid, RidgeCV, bam's fREML) is part of the
time. The boosters run untuned with 100 trees, which is kind to them in time and unkind in accuracy. Where nothing is
told of a table, KORE finds the structure itself, and the boosters also run tuned.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

THREADS = 2


@dataclass(frozen=True)
class Task:
    features: int
    pairs: list[tuple[int, int]]
    free_pairs: bool

    @property
    def additive(self) -> bool:
        return not self.pairs and not self.free_pairs


def kore(profile: str) -> Callable[[Task], Any]:
    def make(task: Task) -> Any:
        from kore import KOREAdditiveRegressor, KORERegressor

        if task.additive:
            return KOREAdditiveRegressor(profile=profile, n_jobs=THREADS)
        return KORERegressor(profile=profile, pairs=task.pairs or None, n_jobs=THREADS)

    return make


def automatic(task: Task) -> Any:
    """KORE without a hint: scale, terms and smoothness are found, and the referee judges them."""
    from kore import KORERegressor

    return KORERegressor(n_jobs=THREADS)


def dense_selector(task: Task) -> Any:
    from dense_selector import DenseSelector

    every_pair = [(i, j) for i in range(task.features) for j in range(i + 1, task.features)]
    return DenseSelector(every_pair if task.free_pairs else task.pairs)


class PyGam:
    """One spline per column and a tensor product per pair; the smoothness from pyGAM's own grid of eleven."""

    def __init__(self, task: Task):
        from pygam import LinearGAM, s, te

        terms = s(0)
        for j in range(1, task.features):
            terms += s(j)
        for i, j in task.pairs:
            terms += te(i, j, n_splines=6)
        self.model = LinearGAM(terms)

    def fit(self, X: Any, y: Any) -> None:
        self.model.gridsearch(X, y, progress=False)

    def predict(self, X: Any) -> Any:
        return self.model.predict(X)


def ebm(task: Task) -> Any:
    from interpret.glassbox import ExplainableBoostingRegressor

    return ExplainableBoostingRegressor(interactions=task.pairs or (0 if task.additive else 10), n_jobs=THREADS)


def spline_ridge(task: Task) -> Any:
    import numpy as np
    from sklearn.linear_model import RidgeCV
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import SplineTransformer

    return make_pipeline(SplineTransformer(n_knots=16, degree=3), RidgeCV(np.logspace(-6, 3, 10)))


def tuned_xgboost(task: Task) -> Any:
    from tuned import TunedXGBoost

    return TunedXGBoost(THREADS)


def tuned_lightgbm(task: Task) -> Any:
    from tuned import TunedLightGBM

    return TunedLightGBM(THREADS)


def xgboost(task: Task) -> Any:
    from xgboost import XGBRegressor

    return XGBRegressor(n_estimators=100, tree_method="hist", n_jobs=THREADS)


def lightgbm(task: Task) -> Any:
    from lightgbm import LGBMRegressor

    return LGBMRegressor(n_estimators=100, n_jobs=THREADS, verbose=-1)


def hist_gradient_boosting(task: Task) -> Any:
    from sklearn.ensemble import HistGradientBoostingRegressor

    return HistGradientBoostingRegressor(max_iter=100)


@dataclass(frozen=True)
class Contender:
    name: str
    make: Callable[[Task], Any] | None  # None: the R script, with the name as its argument
    additive_only: bool = False
    given: bool = True  # takes part where the structure is given
    found: bool = False  # takes part where it has to be found

    def plays(self, workload: Any) -> bool:
        if workload.free_pairs:
            return self.found
        return self.given and not (self.additive_only and workload.pairs)


CONTENDERS = {
    contender.name: contender
    for contender in (
        Contender("KORE default", kore("default")),
        Contender("KORE paper", kore("paper")),
        Contender("KORE automatic", automatic, given=False, found=True),
        Contender("dense NumPy selector", dense_selector),
        Contender("mgcv bam discrete", None),
        Contender("mgcv bam fREML", None),
        Contender("pyGAM", PyGam),
        Contender("EBM", ebm, found=True),
        Contender("SplineTransformer + RidgeCV", spline_ridge, additive_only=True),
        Contender("XGBoost", xgboost, found=True),
        Contender("LightGBM", lightgbm, found=True),
        Contender("HistGradientBoosting", hist_gradient_boosting, found=True),
        Contender("XGBoost tuned", tuned_xgboost, given=False, found=True),
        Contender("LightGBM tuned", tuned_lightgbm, given=False, found=True),
    )
}
