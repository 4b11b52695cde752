"""Classes: probabilities of two or more labels, whatever the labels are."""

import pickle

import numpy as np
import pandas
import pytest
from kore import KOREClassifier, KORERegressor, load
from sklearn.metrics import log_loss, roc_auc_score
from sklearn.model_selection import cross_val_score


def loans(rows=800, seed=3):
    """A table of loans, and the true probability that one is not paid back."""
    random = np.random.default_rng(seed)
    table = pandas.DataFrame(
        {
            "income": random.lognormal(8, 0.5, rows),
            "age": random.uniform(20, 70, rows),
            "purpose": random.choice(["car", "house", "travel"], rows),
        }
    )
    odds = np.exp(3 - 0.0008 * table["income"] + np.cos(table["age"] / 8) + (table["purpose"] == "travel"))
    return table, (odds / (1 + odds)).to_numpy()


@pytest.fixture(scope="module")
def credit():
    table, risk = loans()
    y = np.where(np.random.default_rng(1).uniform(size=len(table)) < risk, "lost", "paid")
    return table, pandas.Series(y, name="outcome"), risk


@pytest.fixture(scope="module")
def fitted(credit):
    X, y, _ = credit
    return KOREClassifier().fit(X, y)


def test_probabilities_are_near_the_truth(credit, fitted):
    X, y, risk = credit
    assert list(fitted.classes_) == ["lost", "paid"]
    shares = fitted.predict_proba(X)
    np.testing.assert_allclose(shares.sum(axis=1), 1)
    assert np.mean(np.abs(shares[:, 0] - risk)) < 0.05
    assert shares[:, 1].sum() == pytest.approx((y == "paid").sum(), rel=1e-3)


def test_predictions_decisions_and_logarithms_belong_to_the_probabilities(credit, fitted):
    X, y, _ = credit
    shares = fitted.predict_proba(X)
    np.testing.assert_allclose(fitted.decision_function(X), np.log(shares[:, 1] / shares[:, 0]), rtol=1e-9)
    np.testing.assert_allclose(np.exp(fitted.predict_log_proba(X)), shares)
    np.testing.assert_array_equal(fitted.predict(X), np.where(shares[:, 1] > 0.5, "paid", "lost"))
    assert fitted.score(X, y) == np.mean(fitted.predict(X) == y)


def test_it_is_the_binomial_family_of_the_regressor(credit, fitted):
    X, y, _ = credit
    twin = KORERegressor(family="binomial").fit(X, (y == "paid").astype(float))
    np.testing.assert_array_equal(fitted.predict_proba(X)[:, 1], twin.predict(X))
    np.testing.assert_array_equal(fitted.loo_residuals_, twin.loo_residuals_)
    left_out = (y == "paid") - fitted.loo_residuals_
    assert fitted.loo_ == pytest.approx(2 * log_loss(y == "paid", left_out), rel=1e-6)


@pytest.mark.parametrize("labels", [(0, 1), (1, 2), (False, True), (-1.0, 7.0), ("no", "yes")])
def test_labels_of_any_kind_come_back_also_from_a_file(credit, labels, tmp_path):
    X, y, _ = credit
    y = np.array(labels)[(y == "paid").to_numpy().astype(int)]
    model = KOREClassifier(structure="additive").fit(X, y)
    assert set(model.predict(X)) == set(labels)
    model.save(tmp_path / "m.kore")
    loaded = load(tmp_path / "m.kore")
    assert isinstance(loaded, KOREClassifier)
    np.testing.assert_array_equal(loaded.classes_, model.classes_)
    assert loaded.classes_.dtype.kind == model.classes_.dtype.kind
    np.testing.assert_array_equal(loaded.predict_proba(X), model.predict_proba(X))


def test_class_weights_count_rows(credit):
    X, y, _ = credit
    model = KOREClassifier(structure="additive", class_weight={"lost": 2, "paid": 1}).fit(X, y)
    twin = KOREClassifier(structure="additive").fit(X, y, sample_weight=np.where(y == "lost", 2, 1))
    np.testing.assert_array_equal(model.predict_proba(X), twin.predict_proba(X))
    balanced = KOREClassifier(structure="additive", class_weight="balanced").fit(X, y)
    plain = KOREClassifier(structure="additive").fit(X, y)
    assert (y == "lost").mean() > 0.55
    assert 0.5 < balanced.predict_proba(X)[:, 0].mean() < plain.predict_proba(X)[:, 0].mean() - 0.02
    with pytest.raises(ValueError, match="class_weight"):
        KOREClassifier(class_weight={"lost": -1, "paid": 1}).fit(X, y)


def test_classes_that_can_be_told_apart_completely_have_finite_log_odds():
    x = np.linspace(-1, 1, 200)[:, None]
    model = KOREClassifier().fit(x, x[:, 0] > 0)
    assert np.isfinite(model.decision_function(x)).all()
    assert model.score(x, x[:, 0] > 0) == 1
    assert np.isfinite(model.predict_log_proba([[100.0], [-100.0]])).all()


@pytest.fixture(scope="module")
def species():
    random = np.random.default_rng(9)
    X = random.uniform(-2, 2, size=(600, 2))
    scores = np.column_stack([X[:, 0] ** 2, X[:, 1], -X[:, 1]]) + random.gumbel(size=(600, 3)) / 2
    return X, np.array(["oak", "pine", "fir"])[scores.argmax(axis=1)]


def test_more_than_two_classes_are_one_model_each(species, tmp_path):
    X, y = species
    model = KOREClassifier().fit(X, y)
    assert list(model.classes_) == ["fir", "oak", "pine"]
    shares = model.predict_proba(X)
    np.testing.assert_allclose(shares.sum(axis=1), 1)
    alone = np.column_stack([KOREClassifier().fit(X, y == label).predict_proba(X)[:, 1] for label in model.classes_])
    yes, no = model._joint.exponents
    coupled = alone**yes * (1 - alone) ** -no
    np.testing.assert_allclose(shares, coupled / coupled.sum(axis=1, keepdims=True), rtol=1e-9)
    assert model.log_loss_ == pytest.approx(log_loss(y, shares), rel=0.25)
    assert 0 < model.error_rate_ < 0.3
    assert model.decision_function(X).shape == (600, 3)
    assert model.score(X, y) > 0.75
    assert roc_auc_score(y, shares, multi_class="ovr") > 0.9
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).predict_proba(X), shares)
    model.save(tmp_path / "m.kore")
    loaded = load(tmp_path / "m.kore")
    np.testing.assert_array_equal(loaded.predict_proba(X), shares)
    np.testing.assert_array_equal(loaded.predict(X), model.predict(X))
    assert loaded.log_loss_ == model.log_loss_
    assert loaded.n_features_in_ == 2
    with pytest.raises(AttributeError, match="as many models"):
        model.effects()
    assert len(model.estimators_[0].effects()) > 0
    assert not hasattr(model, "loo_")
    model.fit(X, y == "oak")
    assert not hasattr(model, "estimators_")
    assert model.loo_ > 0


def test_it_can_be_searched_and_scored_by_scikit_learn(credit):
    X, y, _ = credit
    scores = cross_val_score(KOREClassifier(structure="additive"), X, y, cv=3, scoring="roc_auc")
    assert scores.mean() > 0.7


def test_effects_add_up_to_the_log_odds(credit):
    X, y, _ = credit
    model = KOREClassifier(structure="additive").fit(X, y)
    effects = model.effects(points=1001)
    # One step along a feature changes the log odds by as much as its curve.
    age = effects[effects["term"] == "age"]
    row = X.iloc[[0]]
    ends = [model.decision_function(row.assign(age=age["x1"].iloc[place]))[0] for place in (100, 900)]
    assert ends[1] - ends[0] == pytest.approx(age["effect"].iloc[900] - age["effect"].iloc[100], abs=1e-9)
    assert "log odds" in model.describe()


def test_a_report_shows_calibration(credit, fitted, tmp_path):
    X, y, _ = credit
    fitted.report(tmp_path / "own.html")
    own = (tmp_path / "own.html").read_text()
    assert "Do probabilities hold?" in own and "Brier score" in own
    fitted.report(tmp_path / "new.html", X[:300], y[:300])
    assert "300 rows that the model was not fitted to" in (tmp_path / "new.html").read_text()
    weighted = KOREClassifier(structure="additive", class_weight="balanced").fit(X, y)
    weighted.report(tmp_path / "own.html", X, y)
    assert "800 rows of the fit" in (tmp_path / "own.html").read_text()
    with pytest.raises(ValueError, match="the label 'late', which is not one of the classes"):
        fitted.report(tmp_path / "new.html", X[:3], ["late", "paid", "lost"])
    with pytest.raises(ValueError, match="neither a precision nor an exposure"):
        fitted.report(tmp_path / "new.html", X, y, exposure=np.ones(len(y)))


def test_bad_labels_get_a_sentence(credit):
    X, y, _ = credit
    with pytest.raises(ValueError, match="y has only one class: 'paid'"):
        KOREClassifier().fit(X, ["paid"] * len(y))
    with pytest.raises(ValueError, match="The class 'lost' has no row with a weight above 0"):
        KOREClassifier().fit(X, y, sample_weight=(y == "paid").astype(float))
    with pytest.raises(ValueError, match="missing values"):
        KOREClassifier().fit(X, y.where(y == "paid", None))
    with pytest.raises(ValueError, match="Unknown label type"):
        KOREClassifier().fit(X, np.linspace(0, 1, len(y)))


def test_a_failed_fit_leaves_the_earlier_one(credit):
    X, y, _ = credit
    model = KOREClassifier(structure="additive").fit(X, y)
    before = model.predict_proba(X)
    with pytest.raises(ValueError):
        model.fit(X, ["paid"] * len(y))
    np.testing.assert_array_equal(model.predict_proba(X), before)


def test_groups_are_left_out_as_a_whole(credit):
    X, y, _ = credit
    model = KOREClassifier(structure="additive").fit(X, y, groups=np.arange(len(y)) % 50)
    assert "50 groups" in model.describe()
