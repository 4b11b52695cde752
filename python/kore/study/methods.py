"""The list of methods: the 21 of the paper, and three more."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import shutil
from collections.abc import Callable
from dataclasses import dataclass

from . import linear, splines, tuned
from .outcome import Outcome, Setting
from .splits import Split


@dataclass(frozen=True)
class Method:
    """A method of the study."""

    name: str
    family: str
    run: Callable[[Split, Setting], Outcome]
    module: str = ""  # that it needs beside the package's own requirements
    least_version: tuple[int, int] = (0, 0)  # of that module
    published: bool = True


METHODS: tuple[Method, ...] = (
    Method("linear", "linear", linear.least_squares),
    Method("ridge_cv", "linear", linear.ridge),
    Method("lasso_cv", "linear", linear.lasso),
    Method("elasticnet_cv", "linear", linear.elastic_net),
    Method("kore", "spline", splines.kore_paper),
    Method("cv_spline", "spline", splines.ladder("cv")),
    Method("gcv_spline", "spline", splines.ladder("gcv")),
    Method("cp_spline", "spline", splines.ladder("cp")),
    Method("aic_spline", "spline", splines.ladder("aic")),
    Method("bic_spline", "spline", splines.ladder("bic")),
    Method("pygam", "spline", splines.pygam, "pygam", (0, 9)),
    Method("random_forest", "tree", tuned.tuned("random_forest"), "optuna"),
    Method("extra_trees", "tree", tuned.tuned("extra_trees"), "optuna"),
    Method("hist_gbm", "tree", tuned.tuned("hist_gbm"), "optuna"),
    Method("xgboost", "tree", tuned.tuned("xgboost"), "xgboost"),
    Method("lightgbm", "tree", tuned.tuned("lightgbm"), "lightgbm"),
    Method("catboost", "tree", tuned.tuned("catboost"), "catboost"),
    Method("svr_rbf", "kernel", tuned.tuned("svr_rbf"), "optuna"),
    Method("kernel_ridge_rbf", "kernel", tuned.tuned("kernel_ridge_rbf"), "optuna"),
    Method("knn", "neighbors", tuned.tuned("knn"), "optuna"),
    Method("mlp", "neural", tuned.tuned("mlp"), "optuna"),
    Method("kore_default", "spline", splines.kore_default, "pyarrow", published=False),
    Method("ebm", "tree", splines.ebm, "interpret", published=False),
    Method("mgcv", "spline", splines.mgcv, published=False),
)


def require(method: Method) -> None:
    """Raises an error for a method that cannot run on this machine: this must not be recorded as a failure of it."""
    if method.name == "mgcv" and shutil.which("Rscript") is None:
        raise ValueError("The method 'mgcv' needs R with the package mgcv.")
    for module in filter(None, (method.module, "optuna" if method.name in tuned.NAMES else "")):
        if importlib.util.find_spec(module) is None:
            raise ValueError(f"The method '{method.name}' needs {module}: pip install {module}.")
    if method.least_version > (0, 0):
        version = importlib.metadata.version(method.module)
        if tuple(int(part) for part in version.split(".")[:2]) < method.least_version:
            least = ".".join(map(str, method.least_version))
            raise ValueError(f"The method '{method.name}' needs {method.module} {least} or later; this is {version}.")


def method_named(name: str) -> Method:
    """The method of that name."""
    for method in METHODS:
        if method.name == name:
            return method
    raise ValueError(f"There is no method '{name}'; there are {', '.join(method.name for method in METHODS)}.")
