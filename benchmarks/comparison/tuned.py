"""Boosters as a careful user tunes them: six settings, trees by early stopping, the best one fitted again.

A fifth of the training rows stops the trees and chooses the setting, which is then fitted to all of them with the
number of trees at which it stopped.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

MOST_TREES = 3000
PATIENCE = 100  # trees without a gain on the rows that stop them
STOPPING_SHARE = 0.2


@dataclass(frozen=True)
class Setting:
    leaves: int
    rate: float
    rows_of_leaf: int
    drawn: bool  # a tree sees four fifths of the rows and of the columns


SETTINGS = [
    Setting(15, 0.05, 20, False),
    Setting(31, 0.05, 20, True),
    Setting(31, 0.1, 5, False),
    Setting(63, 0.05, 20, True),
    Setting(63, 0.1, 50, False),
    Setting(127, 0.05, 20, True),
]


class TunedLightGBM:
    def __init__(self, threads: int):
        self.threads = threads

    def booster(self, setting: Setting, trees: int) -> Any:
        from lightgbm import LGBMRegressor

        drawn = {"subsample": 0.8, "subsample_freq": 1, "colsample_bytree": 0.8} if setting.drawn else {}
        return LGBMRegressor(
            n_estimators=trees,
            num_leaves=setting.leaves,
            learning_rate=setting.rate,
            min_child_samples=setting.rows_of_leaf,
            n_jobs=self.threads,
            random_state=1,
            verbose=-1,
            **drawn,
        )

    def stopped(self, setting: Setting, grow: tuple[Any, Any], stop: tuple[Any, Any]) -> tuple[float, int]:
        from lightgbm import early_stopping

        model = self.booster(setting, MOST_TREES)
        model.fit(
            *grow,
            eval_X=stop[0],
            eval_y=stop[1],
            eval_metric="rmse",
            callbacks=[early_stopping(PATIENCE, verbose=False)],
        )
        return model.best_score_["valid_0"]["rmse"], model.best_iteration_

    def fit(self, X: Any, y: Any) -> None:
        order = np.random.default_rng(11).permutation(len(y))
        stop, grow = np.split(order, [int(STOPPING_SHARE * len(y))])
        tried = [(*self.stopped(s, (X[grow], y[grow]), (X[stop], y[stop])), s) for s in SETTINGS]
        _, trees, setting = min(tried, key=lambda one: one[0])
        self.model = self.booster(setting, max(trees, 1)).fit(X, y)

    def predict(self, X: Any) -> Any:
        return self.model.predict(X)


class TunedXGBoost(TunedLightGBM):
    def booster(self, setting: Setting, trees: int, **stopping: Any) -> Any:
        from xgboost import XGBRegressor

        drawn = {"subsample": 0.8, "colsample_bytree": 0.8} if setting.drawn else {}
        return XGBRegressor(
            n_estimators=trees,
            tree_method="hist",
            grow_policy="lossguide",
            max_depth=0,
            max_leaves=setting.leaves,
            learning_rate=setting.rate,
            min_child_weight=setting.rows_of_leaf,
            n_jobs=self.threads,
            random_state=1,
            **drawn,
            **stopping,
        )

    def stopped(self, setting: Setting, grow: tuple[Any, Any], stop: tuple[Any, Any]) -> tuple[float, int]:
        model = self.booster(setting, MOST_TREES, early_stopping_rounds=PATIENCE)
        model.fit(*grow, eval_set=[stop], verbose=False)
        return float(model.best_score), int(model.best_iteration) + 1
