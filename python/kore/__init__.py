"""Spline regression that solves for its resolution, as scikit-learn estimators over a C++ engine."""

from ._classifier import KOREClassifier
from ._diagnosis import compare, kore_diagnostic
from ._estimators import KOREAdditiveRegressor, KOREPairwiseRegressor, KORERegressor
from ._importance import importance
from ._load import load
from ._version import __version__

__all__ = [
    "KOREAdditiveRegressor",
    "KOREClassifier",
    "KOREPairwiseRegressor",
    "KORERegressor",
    "__version__",
    "compare",
    "importance",
    "kore_diagnostic",
    "load",
]
