"""The estimators among scikit-learn's tools, and what they say of wrong arguments."""

import _thread
import signal
import threading

import numpy as np
import pandas
import pytest
from kore import KOREAdditiveRegressor, KOREPairwiseRegressor, KORERegressor, compare, load
from sklearn.base import clone
from sklearn.compose import ColumnTransformer, TransformedTargetRegressor
from sklearn.ensemble import BaggingRegressor, StackingRegressor
from sklearn.exceptions import NotFittedError
from sklearn.feature_selection import SelectKBest, f_regression
from sklearn.inspection import permutation_importance
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

ESTIMATORS = [KORERegressor, KOREAdditiveRegressor, KOREPairwiseRegressor]


def test_a_grid_search_over_a_pipeline_finds_what_fits(waves):
    X, y = waves
    search = GridSearchCV(
        make_pipeline(StandardScaler(), SelectKBest(f_regression), KORERegressor()),
        {"selectkbest__k": [2, 4], "koreregressor__degree": [1, 3]},
        cv=3,
    )
    search.fit(X, y)
    assert search.best_params_["selectkbest__k"] == 4
    assert search.best_score_ > 0.98


def test_tables_pass_through_column_transformers_and_set_output(shop):
    columns, price = shop
    table = pandas.DataFrame(columns).drop(columns="sold")
    prepared = ColumnTransformer(
        [("city", OneHotEncoder(sparse_output=False), ["city"])], remainder="passthrough"
    ).set_output(transform="pandas")
    model = make_pipeline(prepared, KORERegressor()).fit(table, price)
    assert model.score(table, price) > 0.9
    assert "city_Oslo" in " ".join(model[-1].feature_names_in_)


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_cross_validation_scores_every_fold(waves, estimator):
    X, y = waves
    scores = cross_val_score(estimator(), X, y, cv=4)
    assert (scores > (0.85 if estimator is KOREAdditiveRegressor else 0.98)).all()


def test_other_estimators_can_be_built_of_ours(waves):
    X, y = waves
    bagged = BaggingRegressor(KOREAdditiveRegressor(), n_estimators=3, random_state=0).fit(X, y)
    stacked = StackingRegressor([("kore", KORERegressor()), ("line", LinearRegression())]).fit(X, y)
    logged = TransformedTargetRegressor(KORERegressor(), func=np.sinh, inverse_func=np.arcsinh).fit(X, y)
    assert min(bagged.score(X, y), stacked.score(X, y), logged.score(X, y)) > 0.85
    assert permutation_importance(KORERegressor().fit(X, y), X, y, random_state=0).importances_mean.argmax() == 0


def test_a_clone_has_the_parameters_and_nothing_else(waves):
    model = KORERegressor(pairs=[(1, 2)], degree=2, n_jobs=1).fit(*waves)
    copy = clone(model)
    assert copy.get_params() == model.get_params()
    with pytest.raises(NotFittedError):
        copy.predict(waves[0])


def test_the_number_of_threads_does_not_change_a_bit(waves):
    X, y = waves
    one = KORERegressor(n_jobs=1).fit(X, y)
    two = KORERegressor(n_jobs=2).fit(X, y)
    np.testing.assert_array_equal(one.predict(X), two.predict(X))


def test_intervals_cover_new_rows_as_often_as_they_say(waves):
    X, y = waves
    model = KORERegressor().fit(X[:400], y[:400])
    prediction, lower, upper = model.predict(X[400:], return_interval=0.8)
    np.testing.assert_array_equal(prediction, model.predict(X[400:]))
    assert 0.7 < np.mean((lower <= y[400:]) & (y[400:] <= upper)) < 0.9


def test_a_weight_of_two_is_a_row_given_twice(waves):
    X, y = waves
    model = KOREAdditiveRegressor().fit(X, y, sample_weight=np.r_[np.zeros(100), np.ones(500)])
    np.testing.assert_allclose(model.predict(X), KOREAdditiveRegressor().fit(X[100:], y[100:]).predict(X), atol=1e-9)


def test_weights_that_do_not_count_rows_are_noticed(waves):
    X, y = waves
    with pytest.warns(UserWarning, match="Weights count rows"):
        KOREAdditiveRegressor().fit(X, y, sample_weight=np.full(len(y), 0.1))


def test_leave_one_out_residuals_are_those_of_fits_without_the_row():
    random = np.random.default_rng(2)
    X = random.uniform(size=(60, 1))
    y = np.sin(5 * X[:, 0]) + random.normal(0, 0.1, 60)
    model = KOREAdditiveRegressor(max_G=1, radius=0, profile="paper").fit(X, y)
    inner = np.flatnonzero((X[:, 0] > X.min()) & (X[:, 0] < X.max()))  # so that the knots stay where they are
    for row in inner[:5]:
        others = np.delete(np.arange(60), row)
        without = KOREAdditiveRegressor(max_G=1, radius=0, profile="paper").fit(X[others], y[others])
        assert y[row] - without.predict(X[[row]])[0] == pytest.approx(model.loo_residuals_[row], rel=1e-6)


def test_every_candidate_of_the_paper_that_was_fitted_is_told(waves):
    model = KORERegressor(profile="paper").fit(*waves)
    assert model.candidates_[model.structure_][model.G_star_] == model.loo_
    assert model.fits_ == sum(len(curve) for curve in model.candidates_.values())
    assert model.loo_ == min(loo for curve in model.candidates_.values() for loo in curve.values())


def test_a_pairwise_estimator_without_pairs_says_so_in_words_of_python(waves):
    X, y = waves
    with pytest.warns(UserWarning, match="^There is no pair of features. Main effects were fitted alone.$"):
        model = KOREPairwiseRegressor().fit(X[:, :1], y)
    assert model.structure_ == "additive"
    with pytest.warns(UserWarning, match="Main effects were fitted alone") as caught:
        KOREPairwiseRegressor(profile="paper").fit(X[:30], y[:30])
    for word in ("family", "option", "--", "compete"):
        assert word not in str(caught[0].message)


def test_an_error_of_the_engine_has_a_reason_and_arguments_for_programs(waves):
    X, y = waves
    with pytest.raises(ValueError, match="Cross-validation with 1 folds") as caught:
        compare(X[:40], y[:40], folds=1)
    assert caught.value.reason == "bad_fold_count"
    assert caught.value.arguments == {"folds": "1", "rows": "40"}


def test_a_column_that_repeats_another_is_noted(waves):
    X, y = waves
    model = KOREAdditiveRegressor().fit(np.column_stack([X, X[:, 1]]), y)
    assert model.notes_ == [
        "Column 'x4' has the same values as column 'x1' in every row, so that their effects cannot be told apart. "
        "Leave one of them out."
    ]


def test_verbose_shows_every_fit(waves, capsys):
    model = KOREAdditiveRegressor(verbose=1).fit(*waves)
    told = capsys.readouterr().out.splitlines()
    assert len(told) == model.fits_
    assert all(line.startswith("[kore] main effects at resolution ") and "LOO RMSE" in line for line in told)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"profile": "fast"}, "profile must be 'default' or 'paper', got 'fast'"),
        ({"degree": 9}, "degree must be an integer between 1 and 7, got 9"),
        ({"degree": 2.5}, "degree must be an integer between 1 and 7, got 2.5"),
        ({"degree": True}, "degree must be an integer between 1 and 7, got True"),
        ({"max_G_add": 0}, "max_G_add must be an integer between 1 and 1000000, got 0"),
        ({"max_G_pair": "many"}, "max_G_pair must be an integer between 1 and 1000000, got 'many'"),
        ({"max_G_add": 10**400}, "max_G_add must be an integer between 1 and 1000000, got 1000"),
        ({"radius": -1}, "radius must be an integer between 0 and 1000000, got -1"),
        ({"radius": 1.5, "profile": "paper"}, "radius must be an integer between 0 and 1000000, got 1.5"),
        ({"ridge": -1.0}, "ridge must be a finite number that is not negative, got -1.0"),
        ({"ridge": "small"}, "ridge must be a finite number that is not negative, got 'small'"),
        ({"ridge": float("nan")}, "ridge must be a finite number that is not negative, got nan"),
        ({"structure": "triple"}, "structure must be 'auto', 'additive' or 'pairwise', got 'triple'"),
        ({"structure": None}, "structure must be 'auto', 'additive' or 'pairwise', got None"),
        ({"pairs": "some"}, "pairs must be 'auto', 'all', 'none'"),
        ({"pairs": [(0, 9)]}, "pairs has the position 9, but the features are 0 to 3"),
        ({"pairs": [("a", "b")]}, "pairs names the column 'a', which is not among the features"),
        ({"pairs": [(1, 1)]}, "pairs must hold pairs of two different columns"),
        ({"pairs": [(1, 2, 3)]}, "pairs must hold pairs"),
        ({"categorical_features": ["x"]}, "categorical_features names the column 'x'"),
        ({"categorical_features": [True]}, "one entry per feature"),
        ({"n_jobs": 0}, "n_jobs must be None or an integer other than 0, got 0"),
        ({"n_jobs": float("nan")}, "n_jobs must be None or an integer other than 0, got nan"),
        ({"n_jobs": "all"}, "n_jobs must be None or an integer other than 0, got 'all'"),
    ],
)
def test_a_wrong_parameter_is_named_with_its_value(waves, parameters, message):
    with pytest.raises(ValueError, match=message):
        KORERegressor(**parameters).fit(*waves)


@pytest.mark.parametrize("kind", [KOREAdditiveRegressor, KOREPairwiseRegressor])
def test_a_radius_of_none_is_the_published_one(waves, kind):
    usual = kind(profile="paper").fit(*waves)
    assert kind(profile="paper", radius=None).fit(*waves).candidates_ == usual.candidates_


@pytest.mark.parametrize("profile", ["default", "paper"])
def test_the_structure_may_be_asked_for(waves, profile, tmp_path):
    X, y = waves
    additive = KORERegressor(structure="additive", profile=profile).fit(X, y)
    assert additive.structure_ == "additive"
    np.testing.assert_array_equal(additive.predict(X), KOREAdditiveRegressor(profile=profile).fit(X, y).predict(X))
    assert KORERegressor(structure="pairwise", profile=profile).fit(X, y).structure_ != "additive"
    np.testing.assert_array_equal(
        KORERegressor(structure="auto", profile=profile).fit(X, y).predict(X),
        KORERegressor(profile=profile).fit(X, y).predict(X),
    )
    additive.save(tmp_path / "model.kore")
    np.testing.assert_array_equal(load(tmp_path / "model.kore").predict(X), additive.predict(X))


def test_a_column_that_names_the_rows_is_left_out_with_a_warning_where_fit_was_called():
    names = [f"customer {i}" for i in range(50)]
    table = pandas.DataFrame({"who": names, "x": np.arange(50.0)})
    with pytest.warns(UserWarning, match=r"'who' is left out: it has a different value in each of its 50 rows") as told:
        model = KORERegressor().fit(table, np.arange(50.0))
    assert [warning.filename for warning in told] == [__file__]
    assert "--" not in str(told[0].message)
    np.testing.assert_array_equal(
        model.predict(table), KORERegressor().fit(table[["x"]], np.arange(50.0)).predict(table[["x"]])
    )
    with pytest.warns(UserWarning) as told:
        KOREAdditiveRegressor().fit_chunks([(table, np.arange(50.0))])
    assert [warning.filename for warning in told] == [__file__]


@pytest.mark.filterwarnings("ignore:Column 'code' is left out")
def test_folds_in_which_every_code_is_different_are_fitted():
    table = pandas.DataFrame({"code": [f"{i // 2:04d}" for i in range(60)], "x": np.tile(np.arange(30.0), 2)})
    folds = [(np.arange(0, 60, 2), np.arange(1, 60, 2)), (np.arange(30), np.arange(30, 60))]
    scores = cross_val_score(KOREAdditiveRegressor(), table, np.sin(table["x"] / 5), cv=folds)
    assert np.isfinite(scores).all()


@pytest.mark.parametrize(("value", "message"), [(np.inf, "infinity"), (-np.inf, "infinity")])
def test_infinite_values_are_refused_by_column(waves, value, message):
    X, y = waves
    X = X.copy()
    X[3, 2] = value
    with pytest.raises(ValueError, match=f"Column 'x2' contains {message}"):
        KORERegressor().fit(X, y)
    with pytest.raises(ValueError, match="finite"):
        KORERegressor().fit(*waves).predict(X)


def test_an_interrupt_ends_a_fit():
    # A shell that starts its jobs in the background has them ignore interrupts.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    random = np.random.default_rng(0)
    X = random.uniform(size=(20_000, 12))
    threading.Timer(0.3, _thread.interrupt_main).start()
    with pytest.raises(KeyboardInterrupt):
        for _ in range(20):
            KORERegressor(pairs="all").fit(X, X[:, 0] * X[:, 1])
    signal.signal(signal.SIGINT, before)
