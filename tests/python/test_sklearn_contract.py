"""scikit-learn's own checks of an estimator, without exception."""

import pytest
from kore import KOREAdditiveRegressor, KOREPairwiseRegressor, KORERegressor
from sklearn.utils.estimator_checks import parametrize_with_checks


# Its made-up tables are often too small for pairs, which is told and no fault.
@pytest.mark.filterwarnings("ignore:.*Main effects were fitted alone")
@parametrize_with_checks([KORERegressor(), KOREAdditiveRegressor(), KOREPairwiseRegressor()])
def test_scikit_learn_accepts_the_estimator(estimator, check):
    check(estimator)
