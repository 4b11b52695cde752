"""One model, two fronts: what Python saves the command reads, and the other way round, to the bit."""

import json
import pickle

import joblib
import numpy as np
import pandas
import polars
import pytest
from conftest import read_column
from kore import KOREAdditiveRegressor, KOREPairwiseRegressor, KORERegressor, compare, load


@pytest.fixture
def table(shop):
    columns, price = shop
    return polars.DataFrame({name: list(v) if v.dtype == object else v for name, v in columns.items()}), price


@pytest.mark.parametrize("estimator", [KORERegressor, KOREAdditiveRegressor, KOREPairwiseRegressor])
def test_a_model_fitted_in_python_predicts_the_same_bits_in_the_command(table, tmp_path, command, estimator):
    X, price = table
    model = estimator().fit(X, price)
    model.save(tmp_path / "shop.kore")
    X.write_parquet(tmp_path / "shop.parquet")
    predicted = read_column(command("predict", "shop.kore", "shop.parquet", "-q", folder=tmp_path), "prediction")
    np.testing.assert_array_equal(model.predict(X), predicted)


def test_intervals_are_the_same_in_both(table, tmp_path, command):
    X, price = table
    model = KORERegressor().fit(X, price)
    model.save(tmp_path / "shop.kore")
    X.write_parquet(tmp_path / "shop.parquet")
    text = command("predict", "shop.kore", "shop.parquet", "-q", "--interval", "0.9", folder=tmp_path)
    _, lower, upper = model.predict(X, return_interval=0.9)
    np.testing.assert_array_equal(lower, read_column(text, "lower"))
    np.testing.assert_array_equal(upper, read_column(text, "upper"))


def test_a_model_fitted_by_the_command_predicts_the_same_bits_in_python(table, tmp_path, command):
    X, price = table
    X.with_columns(price=price).write_parquet(tmp_path / "train.parquet")
    story = json.loads(
        command("fit", "train.parquet", "--target", "price", "-o", "shop.kore", "--json", folder=tmp_path)
    )
    text = command("predict", "shop.kore", "train.parquet", "-q", folder=tmp_path)
    model = load(tmp_path / "shop.kore")
    np.testing.assert_array_equal(model.predict(X), read_column(text, "prediction"))
    assert (model.G_star_, model.structure_, model.loo_) == (story["G"], story["structure"], story["loo"])
    # Not only the same file: the same fit, from columns instead of a query. Penalty weights are settled to a
    # few digits, so that rounding shows.
    np.testing.assert_allclose(KORERegressor().fit(X, price).predict(X), model.predict(X), rtol=1e-6)


def test_a_loaded_model_is_the_estimator_that_was_saved(waves, tmp_path):
    X, y = waves
    for estimator in (
        KORERegressor(pairs="none"),
        KOREAdditiveRegressor(),
        KOREPairwiseRegressor(),
        KOREAdditiveRegressor(profile="paper"),
        KOREPairwiseRegressor(profile="paper"),
    ):
        estimator.fit(X, y).save(tmp_path / "model.kore")
        loaded = load(tmp_path / "model.kore")
        assert type(loaded) is type(estimator)
        assert loaded.profile == estimator.profile
        assert not hasattr(loaded, "feature_names_in_")
        np.testing.assert_array_equal(loaded.predict(X), estimator.predict(X))
        with pytest.raises(AttributeError, match="fit again"):
            loaded.loo_residuals_  # noqa: B018


@pytest.mark.parametrize("keep", ["pickle", "joblib"])
def test_pickled_models_predict_the_same_bits(table, tmp_path, keep):
    X, price = table
    model = KORERegressor().fit(X, price)
    if keep == "pickle":
        copy = pickle.loads(pickle.dumps(model))
    else:
        joblib.dump(model, tmp_path / "model.joblib")
        copy = joblib.load(tmp_path / "model.joblib")
    np.testing.assert_array_equal(copy.predict(X), model.predict(X))
    assert copy.describe() == model.describe()


def test_a_pickle_holds_no_rows(waves):
    X, y = waves
    few = len(pickle.dumps(KOREAdditiveRegressor(max_G=2, radius=0).fit(X[:300], y[:300])))
    many = len(pickle.dumps(KOREAdditiveRegressor(max_G=2, radius=0).fit(np.tile(X, (20, 1)), np.tile(y, 20))))
    assert many < few + 8 * 4096  # order statistics of the residuals, but no rows


def test_columns_that_were_left_out_keep_their_place(tmp_path):
    random = np.random.default_rng(0)
    X = np.column_stack([np.ones(100), random.uniform(size=100)])
    model = KORERegressor().fit(X, X[:, 1])
    model.save(tmp_path / "model.kore")
    np.testing.assert_array_equal(load(tmp_path / "model.kore").predict(X), model.predict(X))


def test_files_that_are_no_models_are_refused(tmp_path):
    (tmp_path / "notes.txt").write_text("not a model")
    with pytest.raises(ValueError, match=r"notes.txt"):
        load(tmp_path / "notes.txt")
    with pytest.raises(OSError, match=r"absent.kore"):
        load(tmp_path / "absent.kore")


def test_an_array_is_not_matched_to_columns_of_unknown_order(tmp_path, command):
    random = np.random.default_rng(0)
    table = pandas.DataFrame({"same": np.ones(100), "x": random.uniform(size=100)})
    table.assign(y=np.sin(table["x"])).to_csv(tmp_path / "train.csv", index=False)
    command("fit", "train.csv", "--target", "y", "-o", "model.kore", folder=tmp_path)
    model = load(tmp_path / "model.kore")
    assert np.isfinite(model.predict(table)).all()
    with pytest.raises(ValueError, match="give a table with column names"):
        model.predict(table.to_numpy())


@pytest.mark.parametrize(
    ("structure", "kind"),
    [("auto", KORERegressor), ("additive", KOREAdditiveRegressor), ("pairwise", KOREPairwiseRegressor)],
)
def test_a_model_of_the_command_is_the_estimator_of_its_structure(product_of_three, tmp_path, command, structure, kind):
    X, y = product_of_three
    pandas.DataFrame(X, columns=list("abc")).assign(y=y).to_csv(tmp_path / "train.csv", index=False)
    command("fit", "train.csv", "--target", "y", "--structure", structure, "-o", "model.kore", folder=tmp_path)
    assert type(load(tmp_path / "model.kore")) is kind


def test_a_model_with_triples_keeps_its_class_and_the_law_of_its_main_effects(product_of_three, tmp_path, command):
    model = KORERegressor().fit(*product_of_three)
    assert model.structure_ == "threeway"
    model.save(tmp_path / "model.kore")
    loaded = load(tmp_path / "model.kore")
    assert type(loaded) is KORERegressor
    law = json.loads(command("info", "model.kore", "--json", folder=tmp_path))["families"]["additive"]
    for estimator in (model, loaded):
        assert (estimator.G_dagger_, estimator.A_hat_, estimator.tau_hat_) == (
            law["G_dagger"],
            law["A_hat"],
            law["tau_hat"],
        )
        assert estimator.A_hat_ > 0


def test_the_paper_row_of_a_comparison_is_the_fit_of_the_paper_profile(table):
    X, price = table
    rows = {row["method"]: row for row in compare(X, price)}
    for method, profile in (("KORE default", "default"), ("KORE paper", "paper")):
        fitted = KORERegressor(profile=profile).fit(X, price)
        assert (rows[method]["structure"], rows[method]["G"]) == (fitted.structure_, fitted.G_star_)
        assert rows[method]["fits"] == fitted.fits_
        # Scores are in units of the target, whatever the scale of the fit.
        own = fitted.loo_ if fitted.target_scale_ == "identity" else np.mean(fitted.loo_residuals_**2)
        assert rows[method]["score"] == pytest.approx(own, rel=1e-9)
