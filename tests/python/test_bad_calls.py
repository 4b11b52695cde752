"""More than a hundred calls that cannot be carried out: a ValueError or TypeError whose words name what was wrong."""

import kore
import numpy as np
import polars
import pytest
from kore import KOREAdditiveRegressor, KOREClassifier, KOREPairwiseRegressor, KORERegressor

RNG = np.random.default_rng(5)
X = RNG.uniform(size=(60, 3))
Y = X[:, 0] + np.sin(5 * X[:, 1]) + 0.05 * RNG.normal(size=60)

# Parameters of all three estimators with values that they cannot have.
PARAMETERS = {
    "degree": [0, 8, -1, 2.5, "3", None, True, float("nan"), 10**30],
    "ridge": [-1, "x", float("nan"), float("inf"), True, [1]],
    "n_jobs": [0, 1.5, "all", float("nan"), True, 10**30],
    "profile": ["papre", None, 1, ""],
    "categorical_features": [3, [1.5], [7], ["nothing"], [True], 2.5, [-1], [[0, 1]]],
    "max_levels": [0, -1, 2.5, "x", True],
    "loss": ["huber", None, 1],
    "target_scale": ["cube", None, 1],
    "family": ["cauchy", "", 1, ["poisson"]],
    "features": [5, ["x0"], {"x0": "spline"}, {"nothing": "category"}, {7: "linear"}, {0.5: "curve"}, {"x0": None}],
    "max_columns": [-1, 2.5, "x", True, float("inf")],
    "max_terms": [0, -1, 2.5, "x", True],
    "simple": ["yes", 1, None, 0.5],
    "verbose": ["loud", -1, None, 0.5],
}
OF_ONE = [
    (KORERegressor, "max_G_add", [0, -1, 2.5, "x", True, float("nan"), 10**30]),
    (KORERegressor, "max_G_pair", [0, -1, 2.5, "x", True, float("nan"), 10**30]),
    (KORERegressor, "radius", [-1, 2.5, "x", True, float("nan")]),
    (KOREClassifier, "class_weight", ["even", 5, {"maybe": 2.0}, {1.0: -1.0}, {1.0: "x"}, {1.0: float("nan")}]),
    (KORERegressor, "pairs", [5, 2.5, "some", [(0.5, 1)], [(0, 0)], [(0, 9)], [(0,)], ["ab"], [5], [("a", "b")]]),
    (KORERegressor, "structure", ["triple", None, 1]),
    (KOREAdditiveRegressor, "max_G", [0, -1, 2.5, "x", float("nan")]),
    (KOREPairwiseRegressor, "max_G", [0, -1, 2.5, "x", float("nan")]),
    (KOREAdditiveRegressor, "radius", [-1, 2.5, "x", float("nan")]),
    (KOREPairwiseRegressor, "radius", [-1, 2.5, "x"]),
]


# What the sentences say that parameters may be; where a column is wrong, which columns there are.
MAY_BE = {
    "degree": ["an integer between 1 and 7"],
    "ridge": ["a finite number that is not negative"],
    "n_jobs": ["None or an integer other than 0"],
    "profile": ["'default' or 'paper'"],
    "categorical_features": ["None, a list of names or positions", "one entry per feature (3)"],
    "max_levels": ["None or an integer of 1 or more"],
    "loss": ["'squared' or 'robust'"],
    "target_scale": ["'auto', 'identity', 'sqrt' or 'log'"],
    "family": ["'normal', 'binomial', 'poisson', 'gamma' or 'negative_binomial'"],
    "features": ["None or a dictionary", "'category', 'linear', 'cyclic' or 'curve'"],
    "max_columns": ["an integer of at least 0"],
    "max_terms": ["an integer of 1 or more"],
    "simple": ["True or False"],
    "verbose": ["True, False or an integer of 0 or more"],
    "max_G_add": ["an integer between 1 and 1000000"],
    "max_G_pair": ["an integer between 1 and 1000000"],
    "max_G": ["an integer between 1 and 1000000"],
    "radius": ["an integer between 0 and 1000000"],
    "class_weight": ["None, 'balanced' or a dictionary", "finite numbers of at least 0", "which are False, True"],
    "pairs": ["'auto', 'all', 'none' or a list of pairs", "pairs of columns such as (0, 1)", "two different columns"],
    "structure": ["'auto', 'additive' or 'pairwise'"],
}
COLUMNS = ["names of columns, or positions that are integers", "the features are 0 to 2", "these are 'x0', 'x1', 'x2'"]
ABOUT_COLUMNS = ("categorical_features", "features", "pairs")


def parts_of(value):
    """The value as a sentence may show it: as a whole, or what is wrong in it."""
    yield repr(value)
    if isinstance(value, dict):
        value = [*value, *value.values()]
    if isinstance(value, (list, tuple)):
        yield f"got {len(value)} entries"  # of a mask, which may be long
        for part in value:
            yield from parts_of(part)


def calls():
    for name, values in PARAMETERS.items():
        for value in values:
            yield KORERegressor, name, value
    for estimator, name, values in OF_ONE:
        for value in values:
            yield estimator, name, value


@pytest.mark.parametrize(("estimator", "name", "value"), list(calls()))
def test_a_parameter_that_cannot_be_is_named(estimator, name, value):
    with pytest.raises((ValueError, TypeError)) as caught:
        estimator(**{name: value}).fit(X, Y > 1 if estimator is KOREClassifier else Y)
    words = str(caught.value)
    assert words.startswith(f"{name} ")
    said = words.removeprefix(name)
    shown = said.partition(" got ")[2] or said  # what it got comes last, unless it is about a column
    assert any(part in shown or part in f"got {shown}" for part in parts_of(value)), words
    assert any(may in said for may in MAY_BE[name] + (COLUMNS if name in ABOUT_COLUMNS else [])), words
    assert "incompatible function arguments" not in words


def test_every_parameter_of_every_estimator_is_among_them():
    tried = set(PARAMETERS)
    for estimator in (KORERegressor, KOREAdditiveRegressor, KOREPairwiseRegressor, KOREClassifier):
        own = {name for kind, name, _ in OF_ONE if kind in (estimator, KORERegressor)}
        assert set(estimator().get_params()) <= tried | own, estimator.__name__


@pytest.fixture(scope="module")
def fitted():
    return KORERegressor(n_jobs=1).fit(X, Y)


METHODS = [
    (lambda m: m.effects(points=1), "points"),
    (lambda m: m.effects(points=2.5), "points"),
    (lambda m: m.effects(surface_points=0), "surface_points"),
    (lambda m: m.plot(terms=0), "terms"),
    (lambda m: m.plot(columns=-1), "columns"),
    (lambda m: m.predict(X[:, :2]), "features"),
    (lambda m: m.predict("x"), "array"),
    (lambda m: m.predict(polars.LazyFrame({"x0": [0.5], "x1": [0.5], "x2": [0.5]})), "X.collect()"),
    (lambda m: KORERegressor().fit(polars.LazyFrame({"a": [1.0, 2.0]}), [1.0, 2.0]), "X.collect()"),
    (lambda m: m.predict(X[0]), "Expected 2D array"),
    (lambda m: m.predict(np.array([[np.nan, np.inf, 1.0]])), "finite"),
    (lambda m: KORERegressor().fit_chunks(iter([(X, Y)])), "chunks"),
    (lambda m: KORERegressor().fit_chunks(5), "chunks"),
    (lambda m: KORERegressor().fit_chunks([]), "chunks"),
    (lambda m: KORERegressor().fit_chunks([X]), "piece"),
    (lambda m: KORERegressor().fit(X, Y[:-1]), "inconsistent"),
    (lambda m: KORERegressor().fit(X, None), "y"),
    (lambda m: KORERegressor().fit(X, np.where(Y > 0, np.nan, Y)), "NaN"),
    (lambda m: KORERegressor().fit(X[:1], Y[:1]), "minimum of 2"),
    (lambda m: KORERegressor().fit(X[:, :0], Y), "0 feature"),
    (lambda m: KORERegressor().fit(X, Y, sample_weight=-np.ones(60)), "Negative"),
    (lambda m: KORERegressor().fit(X, Y, sample_weight=np.ones(3)), "weight"),
    (lambda m: KORERegressor().fit(X, Y, groups=np.ones(3)), "groups"),
    (lambda m: KORERegressor().fit(X, Y, groups=[None] * 60), "groups"),
    (lambda m: KORERegressor().fit(X, Y, np.ones(60), precision=np.ones(60)), "precision"),
    (lambda m: KORERegressor().fit(X, Y, precision=np.ones(3)), "precision"),
    (lambda m: KORERegressor().fit(X, Y, precision=np.full(60, np.nan)), "precision"),
    (lambda m: KORERegressor().fit(X, Y, exposure=np.ones(60)), "exposure"),
    (lambda m: KORERegressor(family="poisson").fit(X, np.arange(60), exposure=np.ones(3)), "exposure"),
    (lambda m: KORERegressor(family="poisson").fit(X, np.arange(60), exposure=np.zeros(60)), "exposure"),
    (lambda m: KORERegressor(family="poisson").fit(X, -np.arange(60)), "counts"),
    (lambda m: KORERegressor(family="gamma").fit(X, np.zeros(60)), "gamma"),
    (lambda m: KORERegressor().fit(X, Y, offset=np.ones(3)), "offset"),
    (lambda m: KORERegressor(profile="paper", loss="robust").fit(X, Y), "loss"),
    (lambda m: KORERegressor(profile="paper", family="poisson").fit(X, np.arange(60)), "family"),
    (lambda m: KORERegressor(profile="paper", target_scale="log").fit(X, Y), "target_scale"),
    (lambda m: KORERegressor(profile="paper", max_terms=2).fit(X, Y), "max_terms"),
    (lambda m: KORERegressor(structure="additive", pairs="all").fit(X, Y), "pairs"),
    (lambda m: KOREClassifier().fit(X, np.ones(60)), "class"),
    (lambda m: KOREClassifier().fit(X, [None] * 60), "y"),
    (lambda m: m.predict(X, return_interval=1.5), "return_interval"),
    (lambda m: m.predict(X, return_interval="x"), "return_interval"),
    (lambda m: m.explain(X[:, :2]), "features"),
    (lambda m: m.save("nowhere/model.kore"), "nowhere"),
    (lambda m: m.report("nowhere/page.html"), "nowhere"),
    (lambda m: KORERegressor().predict(X), "not fitted"),
    (lambda m: kore.load("nowhere.kore"), "nowhere.kore"),
]


@pytest.mark.parametrize(("call", "named"), METHODS)
def test_a_call_that_cannot_be_carried_out_says_why(fitted, call, named):
    with pytest.raises((ValueError, TypeError, OSError)) as caught:
        call(fitted)
    assert named in str(caught.value)
    assert "incompatible function arguments" not in str(caught.value)


def test_there_are_a_hundred_of_them():
    assert len(list(calls())) + len(METHODS) >= 100
