"""Methods whose parameters are searched for: trees, boosters, kernels, neighbours and a network."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from .outcome import Outcome, Setting
from .search import Budget, Found, Range, log_e, search
from .splits import Split, standardised
from .tables import Floats

EARLY_STOPPING_ROUNDS = 50
HELD_OUT = 0.2

# Parameters, seed and threads -> a model with fit and predict.
Make = Callable[[dict[str, Any], int, int], Any]


def _whole(low: int, high: int, log: bool = False) -> Range:
    return Range(low, high, log=log, whole=True)


def _held_out(rows: int, seed: int) -> tuple[Any, Any]:
    order = np.random.default_rng(seed).permutation(rows)
    cut = max(1, int(HELD_OUT * rows))
    return order[cut:], order[:cut]


def _fit_plain(model: Any, x: Floats, y: Floats, _: int) -> None:
    model.fit(x, y)


def _fit_xgboost(model: Any, x: Floats, y: Floats, seed: int) -> None:
    learn, stop = _held_out(len(y), seed)
    model.fit(x[learn], y[learn], eval_set=[(x[stop], y[stop])], verbose=False)


def _fit_lightgbm(model: Any, x: Floats, y: Floats, seed: int) -> None:
    import lightgbm  # type: ignore[import-not-found, import-untyped, unused-ignore]

    learn, stop = _held_out(len(y), seed)
    stopping = lightgbm.early_stopping(EARLY_STOPPING_ROUNDS, verbose=False)
    model.fit(x[learn], y[learn], eval_set=[(x[stop], y[stop])], callbacks=[stopping])


def _fit_catboost(model: Any, x: Floats, y: Floats, seed: int) -> None:
    learn, stop = _held_out(len(y), seed)
    model.fit(x[learn], y[learn], eval_set=(x[stop], y[stop]), early_stopping_rounds=EARLY_STOPPING_ROUNDS)


def _random_forest(parameters: dict[str, Any], seed: int, threads: int) -> Any:
    from sklearn.ensemble import RandomForestRegressor

    return RandomForestRegressor(n_estimators=250, random_state=seed, n_jobs=threads, **parameters)


def _extra_trees(parameters: dict[str, Any], seed: int, threads: int) -> Any:
    from sklearn.ensemble import ExtraTreesRegressor

    return ExtraTreesRegressor(n_estimators=250, random_state=seed, n_jobs=threads, **parameters)


def _hist_gbm(parameters: dict[str, Any], seed: int, _: int) -> Any:
    from sklearn.ensemble import HistGradientBoostingRegressor

    return HistGradientBoostingRegressor(
        max_iter=1000,
        early_stopping=True,
        validation_fraction=HELD_OUT,
        n_iter_no_change=EARLY_STOPPING_ROUNDS,
        random_state=seed,
        **parameters,
    )


def _xgboost(parameters: dict[str, Any], seed: int, threads: int) -> Any:
    import xgboost  # type: ignore[import-not-found, import-untyped, unused-ignore]

    return xgboost.XGBRegressor(
        n_estimators=1000,
        early_stopping_rounds=EARLY_STOPPING_ROUNDS,
        random_state=seed,
        n_jobs=threads,
        verbosity=0,
        **parameters,
    )


def _lightgbm(parameters: dict[str, Any], seed: int, threads: int) -> Any:
    import lightgbm  # type: ignore[import-not-found, import-untyped, unused-ignore]

    given = {"subsample_freq": 1, **parameters} if parameters else {}
    return lightgbm.LGBMRegressor(n_estimators=1000, random_state=seed, n_jobs=threads, verbose=-1, **given)


def _catboost(parameters: dict[str, Any], seed: int, threads: int) -> Any:
    import catboost  # type: ignore[import-not-found, import-untyped, unused-ignore]

    return catboost.CatBoostRegressor(
        iterations=2000,
        random_seed=seed,
        thread_count=threads,
        verbose=False,
        allow_writing_files=False,
        **parameters,
    )


def _svr(parameters: dict[str, Any], _: int, __: int) -> Any:
    from sklearn.svm import SVR

    return SVR(kernel="rbf", max_iter=200_000, **parameters)


def _kernel_ridge(parameters: dict[str, Any], _: int, __: int) -> Any:
    from sklearn.compose import TransformedTargetRegressor
    from sklearn.kernel_ridge import KernelRidge
    from sklearn.preprocessing import StandardScaler

    # Kernel ridge has no intercept of its own.
    return TransformedTargetRegressor(KernelRidge(kernel="rbf", **parameters), transformer=StandardScaler())


def _knn(parameters: dict[str, Any], _: int, threads: int) -> Any:
    from sklearn.neighbors import KNeighborsRegressor

    return KNeighborsRegressor(n_jobs=threads, **parameters)


def _mlp(parameters: dict[str, Any], seed: int, _: int) -> Any:
    from sklearn.neural_network import MLPRegressor

    given = dict(parameters)
    if "hidden_layers" in given:
        given["hidden_layer_sizes"] = tuple(int(width) for width in given.pop("hidden_layers").split("-"))
    return MLPRegressor(max_iter=500, early_stopping=True, random_state=seed, **given)


_FOREST = {
    "max_depth": _whole(2, 25),
    "max_features": Range(0.1, 1.0),
    "min_samples_split": _whole(2, 30),
    "min_samples_leaf": _whole(1, 30),
}
_SPACES: dict[str, dict[str, Range]] = {
    "random_forest": _FOREST,
    "extra_trees": _FOREST,
    "hist_gbm": {
        "learning_rate": Range(0.01, 1.0, log=True),
        "max_depth": _whole(2, 25),
        "max_leaf_nodes": _whole(5, 50, log=True),
        "min_samples_leaf": _whole(1, 100, log=True),
        "l2_regularization": log_e(-16, 2),
    },
    "xgboost": {
        "max_depth": _whole(1, 11),
        "learning_rate": log_e(-7, 0),
        "subsample": Range(0.5, 1.0),
        "colsample_bytree": Range(0.5, 1.0),
        "colsample_bylevel": Range(0.5, 1.0),
        "min_child_weight": log_e(-16, 5),
        "reg_alpha": log_e(-16, 2),
        "reg_lambda": log_e(-16, 2),
        "gamma": log_e(-16, 2),
    },
    "lightgbm": {
        "num_leaves": _whole(5, 50, log=True),
        "max_depth": _whole(-1, 25),
        "learning_rate": log_e(-7, 0),
        "min_child_samples": _whole(1, 100, log=True),
        "subsample": Range(0.5, 1.0),
        "colsample_bytree": Range(0.5, 1.0),
        "reg_alpha": log_e(-16, 2),
        "reg_lambda": log_e(-16, 2),
    },
    "catboost": {
        "depth": _whole(3, 10),
        "learning_rate": log_e(-7, 0),
        "l2_leaf_reg": Range(1.0, 30.0, log=True),
        "random_strength": Range(0.0, 10.0),
        "bagging_temperature": Range(0.0, 5.0),
    },
    "svr_rbf": {"C": log_e(-10, 10), "gamma": log_e(-10, 10), "epsilon": log_e(-10, 0)},
    "kernel_ridge_rbf": {"alpha": log_e(-10, 2), "gamma": log_e(-10, 10)},
    "knn": {
        "n_neighbors": _whole(1, 50, log=True),
        "weights": Range(choices=("uniform", "distance")),
        "p": Range(choices=(1, 2)),
    },
    "mlp": {
        "hidden_layers": Range(choices=("64", "128", "256", "64-64", "128-128", "256-256")),
        "alpha": log_e(-10, -2),
        "learning_rate_init": log_e(-10, -2),
        "activation": Range(choices=("relu", "tanh")),
    },
}
_MAKE: dict[str, Make] = {
    "random_forest": _random_forest,
    "extra_trees": _extra_trees,
    "hist_gbm": _hist_gbm,
    "xgboost": _xgboost,
    "lightgbm": _lightgbm,
    "catboost": _catboost,
    "svr_rbf": _svr,
    "kernel_ridge_rbf": _kernel_ridge,
    "knn": _knn,
    "mlp": _mlp,
}
_FIT = {"xgboost": _fit_xgboost, "lightgbm": _fit_lightgbm, "catboost": _fit_catboost}
_MOST_TRIALS = {"knn": 25}
_STANDARDISED = ("svr_rbf", "kernel_ridge_rbf", "knn", "mlp")
NAMES = tuple(_MAKE)


def space_of(method: str) -> dict[str, Range]:
    """Where a method's parameters are searched."""
    return _SPACES[method]


def tuned(method: str) -> Callable[[Split, Setting], Outcome]:
    """The method with its search: trials by inner folds, then one fit to all training rows with the best."""
    make = _MAKE[method]
    fit_model = _FIT.get(method, _fit_plain)

    def run(split: Split, setting: Setting) -> Outcome:
        x, x_test = standardised(split) if method in _STANDARDISED else (split.x_train, split.x_test)

        def predict(x_fit: Floats, y_fit: Floats, x_new: Floats, parameters: dict[str, Any]) -> Floats:
            if method == "knn" and parameters:
                parameters = {**parameters, "n_neighbors": min(parameters["n_neighbors"], len(y_fit))}
            model = make(parameters, split.seed, setting.threads)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of solvers that stop at their limit, which the study sets
                fit_model(model, x_fit, y_fit, split.seed)
            return np.asarray(model.predict(x_new), dtype=np.float64)

        trials = min(setting.budget.trials, _MOST_TRIALS.get(method, setting.budget.trials))
        budget = Budget(trials, setting.budget.seconds)
        found: Found = search(predict, _SPACES[method], x, split.y_train, split.seed, budget)
        predictions = predict(x, split.y_train, x_test, found.parameters)
        return Outcome(predictions, found.fits + 1, found.parameters, not found.finished)

    return run
