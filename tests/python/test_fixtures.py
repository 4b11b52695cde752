"""The published numbers, through Python."""

import numpy as np
import pytest
from conftest import fixture_names, load_fixture
from kore import KOREAdditiveRegressor, KOREPairwiseRegressor, KORERegressor, compare, kore_diagnostic

NAMES = fixture_names()
NAMES_WITH_PAIRS = [name for name in NAMES if load_fixture(name)["pairs"]]


@pytest.fixture(scope="module", params=NAMES)
def published(request):
    return load_fixture(request.param)


@pytest.fixture(scope="module", params=NAMES_WITH_PAIRS)
def published_pairs(request):
    return load_fixture(request.param)


def pairs_of(published):
    return [tuple(pair) for pair in published["pairs"]]


def expect_selection(model, selection):
    assert model.G_star_ == selection["G_star"]
    assert model.fits_ == selection["fits"]
    assert model.loo_ == pytest.approx(selection["loo"], rel=1e-7)
    assert model.A_hat_ == pytest.approx(selection["A_hat"], rel=1e-6)
    assert model.tau_hat_ == pytest.approx(selection["tau_hat"], rel=1e-6)
    assert model.G_dagger_ == pytest.approx(selection["G_dagger"], rel=1e-5)


def test_main_effects_are_selected_as_published(published):
    model = KOREAdditiveRegressor(published["degree"], published["max_G_additive"], profile="paper")
    model.fit(np.array(published["X"]), published["y"])
    expect_selection(model, published["select_additive"])


def test_pairs_are_selected_as_published(published_pairs):
    published = published_pairs
    selection = published["select_pairwise"]
    pairs, degree, largest = pairs_of(published), published["degree"], published["max_G_pairwise"]
    model = KOREPairwiseRegressor(pairs, degree, largest, profile="paper")
    if selection["fits"] == 0:
        with pytest.warns(UserWarning, match="too few"):
            model.fit(np.array(published["X"]), published["y"])
        assert model.structure_ == "additive"
        return
    model.fit(np.array(published["X"]), published["y"])
    expect_selection(model, selection)
    assert model.pairs_ == pairs_of(published)


def test_the_structure_is_chosen_and_predicts_as_published(published_pairs):
    published = published_pairs
    model = KORERegressor(
        pairs_of(published),
        published["degree"],
        published["max_G_additive"],
        published["max_G_pairwise"],
        profile="paper",
    )
    X, y = np.array(published["X"]), np.array(published["y"])
    model.fit(X, y)
    automatic = published["select_auto"]
    assert (model.structure_, model.G_star_, model.fits_) == (
        automatic["structure"],
        automatic["G_star"],
        automatic["fits_total"],
    )
    assert model.loo_ == pytest.approx(automatic["loo"], rel=1e-7)
    new = np.array(published["X_test"])
    inside = ((new >= X.min(axis=0)) & (new <= X.max(axis=0))).all(axis=1)
    predicted = model.predict(new)
    expected = np.array(automatic["predict"])
    np.testing.assert_allclose(predicted[inside], expected[inside], rtol=0, atol=1e-7 * y.std())
    # Outside the range polynomials grow, and so does what rounding does to them.
    scale = np.maximum(y.std(), np.abs(expected[~inside]))
    assert (np.abs(predicted[~inside] - expected[~inside]) <= 1e-5 * scale).all()


def test_leave_one_out_is_the_mean_square_of_its_residuals(published):
    model = KOREAdditiveRegressor(published["degree"], profile="paper").fit(np.array(published["X"]), published["y"])
    if np.isfinite(model.loo_):
        assert np.mean(model.loo_residuals_**2) == pytest.approx(model.loo_, rel=1e-6)


def test_the_diagnostic_has_the_published_keys_and_numbers(published):
    # The published function is given no graph, so that its automatic selector takes all pairs.
    answer = kore_diagnostic(np.array(published["X"]), published["y"], degree=published["degree"], profile="paper")
    for key, value in published["diagnostic"].items():
        if isinstance(value, float):
            assert answer[key] == pytest.approx(value, rel=1e-5), key
        else:
            assert answer[key] == value, key


def test_the_classical_ladder_chooses_as_published(published_pairs):
    published = published_pairs
    ladder = published["ladder"]
    table = compare(
        np.array(published["X"]),
        published["y"],
        seed=ladder["cv"]["seed"],
        pairs=pairs_of(published),
        degree=published["degree"],
        max_G_pair=published["max_G_pairwise"],
        profile="paper",
    )
    chosen = {row["method"].lower().replace("3-fold ", ""): row for row in table}
    for method, choice in ladder.items():
        assert (chosen[method]["structure"], chosen[method]["G"]) == (choice["structure"], choice["G_star"]), method
        assert chosen[method]["fits"] == choice["fits"]
