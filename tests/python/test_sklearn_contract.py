"""scikit-learn's own checks of an estimator, without exception."""

from kore import KOREAdditiveRegressor, KOREPairwiseRegressor, KORERegressor
from sklearn.utils.estimator_checks import parametrize_with_checks


@parametrize_with_checks([KORERegressor(), KOREAdditiveRegressor(), KOREPairwiseRegressor()])
def test_scikit_learn_accepts_the_estimator(estimator, check):
    check(estimator)
