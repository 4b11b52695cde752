"""The linear family: least squares, and three penalties found by cross-validation."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from .outcome import Outcome, Setting
from .splits import Split, standardised

FOLDS = 3
RIDGE_ALPHAS = np.logspace(-3, 3, 13)
L1_RATIOS = (0.1, 0.3, 0.5, 0.7, 0.9)
ALPHAS = 100
MOST_STEPS = 5000  # of coordinate descent; the published numbers stop there where it has not converged


def least_squares(split: Split, _: Setting) -> Outcome:
    """The solution of minimum norm; directions below 1e-9 of the largest singular value do not count."""
    x, x_test = standardised(split)
    centre = split.y_train.mean()
    coefficients = np.linalg.lstsq(x, split.y_train - centre, rcond=1e-9)[0]
    return Outcome(x_test @ coefficients + centre, 1)


def _fitted(model: Any, split: Split, fits: int, names: tuple[str, ...]) -> Outcome:
    x, x_test = standardised(split)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # coordinate descent says so where it stops before its tolerance
        model.fit(x, split.y_train)
    chosen = {name.rstrip("_"): float(getattr(model, name)) for name in names}
    return Outcome(np.asarray(model.predict(x_test), dtype=np.float64), fits, chosen)


def ridge(split: Split, _: Setting) -> Outcome:
    """Thirteen penalties by three folds."""
    from sklearn.linear_model import RidgeCV

    # Judged by the mean of the folds' root mean squared errors, as the published choices are.
    model = RidgeCV(alphas=RIDGE_ALPHAS, cv=FOLDS, scoring="neg_root_mean_squared_error")
    return _fitted(model, split, len(RIDGE_ALPHAS) * FOLDS + 1, ("alpha_",))


def lasso(split: Split, setting: Setting) -> Outcome:
    """A path of a hundred penalties by three folds."""
    from sklearn.linear_model import LassoCV

    model = LassoCV(alphas=ALPHAS, cv=FOLDS, max_iter=MOST_STEPS, n_jobs=setting.threads)
    return _fitted(model, split, ALPHAS * FOLDS + 1, ("alpha_",))


def elastic_net(split: Split, setting: Setting) -> Outcome:
    """The same for five mixtures of both penalties."""
    from sklearn.linear_model import ElasticNetCV

    model = ElasticNetCV(l1_ratio=list(L1_RATIOS), alphas=ALPHAS, cv=FOLDS, max_iter=MOST_STEPS, n_jobs=setting.threads)
    return _fitted(model, split, ALPHAS * len(L1_RATIOS) * FOLDS + 1, ("alpha_", "l1_ratio_"))
