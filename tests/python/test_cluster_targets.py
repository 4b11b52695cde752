"""Targets of a cluster that are no plain numbers: labels, and counts over exposures. Partitions in a list."""

import itertools

import numpy as np
import pyarrow as pa
import pytest
from clusters import DRIVER, SKEWED, ListOfPartitions, check_same_family, claims_table, cut, family_here, known_rows
from kore import KOREClassifier, KORERegressor, _counts
from kore._columns import Columns, columns_of


@pytest.fixture(scope="module")
def table():
    return claims_table(400)


def in_places(table, target, shares=SKEWED, **beside):
    return ListOfPartitions(cut(table, shares), Columns(tuple(DRIVER), target, **beside))


@pytest.mark.parametrize("family", ["binomial", "poisson", "gamma", "negative_binomial"])
def test_families_of_a_long_table_are_those_of_the_whole(family):
    """More rows than decide on the structure, so that every Newton step is a pass over the partitions."""
    table = claims_table(7000)
    rows = in_places(table, family, weight="count")
    model = rows.fit(KORERegressor(family=family))
    here = known_rows(table, family)
    check_same_family(model, family_here(here, family, "count", family=family), here)
    kinds = [_counts.described(task)[0] for task in rows.tasks]
    assert kinds.count("gram") + kinds.count("dense products") >= 2


LABELS_OF_TYPES = {
    "texts": lambda yes: pa.array(np.where(yes, "won", "lost").astype(object)),
    "categories": lambda yes: pa.array(np.where(yes, "won", "lost").astype(object)).dictionary_encode(),
    "booleans": lambda yes: pa.array(yes),
    "integers": lambda yes: pa.array(np.where(yes, 3, -2)),
    "numbers": lambda yes: pa.array(np.where(yes, 3.0, -2.0)),
}


@pytest.mark.parametrize("kind", LABELS_OF_TYPES)
def test_labels_of_every_type_are_those_of_one_machine(table, kind):
    labels = LABELS_OF_TYPES[kind](known_rows(table, "label").column("label").to_numpy() == "yes")
    rows = known_rows(table, "label").append_column("won", labels)
    model = in_places(rows, "won", labels=True).fit(KOREClassifier(structure="additive"))
    whole = family_here(rows, "won", kind="KOREClassifier", structure="additive")
    assert model.classes_.tolist() == whole.classes_.tolist()
    assert model._model.target_levels == whole._model.target_levels
    check_same_family(model, whole, rows)


@pytest.mark.parametrize("class_weight", [None, "balanced", {"no": 2.0, "yes": 1.0}])
@pytest.mark.parametrize("weight", [None, "count"])
def test_weights_of_classes_are_those_of_one_machine(table, class_weight, weight):
    parameters = {"structure": "additive", "class_weight": class_weight}
    model = in_places(table, "label", labels=True, weight=weight).fit(KOREClassifier(**parameters))
    rows = known_rows(table, "label")
    check_same_family(model, family_here(rows, "label", weight, kind="KOREClassifier", **parameters), rows)


def test_more_classes_have_a_model_each(table):
    rows = in_places(table, "city", labels=True)
    rows.columns = Columns(("age", "power"), "city", labels=True)
    model = rows.fit(KOREClassifier(structure="additive"))
    features = table.select(["age", "power"])
    whole = KOREClassifier(structure="additive").fit(features, table.column("city").to_numpy())
    assert model.classes_.tolist() == whole.classes_.tolist() == ["Köln", "Oslo", "Rome"]
    np.testing.assert_allclose(model.predict_proba(features), whole.predict_proba(features), rtol=1e-8)


def test_whole_numbers_with_gaps_in_one_partition_are_the_same_labels(table):
    """As pandas has them: integers where every row has one, and otherwise numbers with NaN."""
    rows = known_rows(table, "label").slice(0, 300)
    ones = rows.column("binomial").to_numpy().astype(np.int64)
    whole = rows.append_column("one", pa.array(ones))
    gaps = np.where(np.arange(100) % 9 == 0, np.nan, ones[:100])
    parts = [rows.slice(0, 100).append_column("one", pa.array(gaps)), whole.slice(100)]
    places = ListOfPartitions(parts, Columns(tuple(DRIVER), "one", labels=True))
    model = places.fit(KOREClassifier(structure="additive"))
    assert model.classes_.tolist() == [0, 1]
    assert set(places.dropped) == {12}
    known = whole.filter(pa.array(np.concatenate([~np.isnan(gaps), np.ones(200, dtype=bool)])))
    check_same_family(model, family_here(known, "one", kind="KOREClassifier", structure="additive"), known)


@pytest.mark.parametrize(
    ("labels", "weights", "sentence"),
    [
        (["a"] * 60, None, "KOREClassifier needs at least two classes, and y has only one class: 'a'"),
        (np.arange(60) / 7, None, "Unknown label type: continuous"),
        (["a", "b"] * 30, [0.0, 1.0] * 30, "The class 'a' has no row with a weight above 0"),
        (["a", "b"] * 30, [None, 1.0] * 30, "The weights 'w' have no value in some rows"),
    ],
)
def test_bad_labels_get_a_sentence(labels, weights, sentence):
    table = pa.table({"x": np.arange(60.0), "y": labels, "w": [1.0] * 60 if weights is None else weights})
    rows = ListOfPartitions(cut(table, (0.3,)), Columns(("x",), "y", "w", labels=True))
    with pytest.raises(ValueError, match=sentence):
        rows.fit(KOREClassifier())


@pytest.mark.filterwarnings("ignore:The number of unique classes")  # as scikit-learn says of local labels
def test_labels_that_tell_rows_apart_are_no_classes():
    names = [f"row {row}" for row in range(_counts.MOST_CLASSES + 5)]
    table = pa.table({"x": np.arange(float(len(names))), "y": names})
    rows = ListOfPartitions(cut(table, (0.3, 0.5)), Columns(("x",), "y", labels=True))
    with pytest.raises(ValueError, match="more than 1000 different values, too many to be classes"):
        rows.fit(KOREClassifier())
    assert rows.tasks == [_counts.LABELS]


def test_labels_of_other_types_are_refused():
    table = pa.table({"x": np.arange(60.0), "y": [[1.0]] * 60})
    rows = ListOfPartitions([table], Columns(("x",), "y", labels=True))
    with pytest.raises(ValueError, match=r"Column 'y' is of type list.*; labels are texts, numbers or booleans"):
        rows.fit(KOREClassifier())
    mixed = [pa.table({"x": [1.0], "y": ["a"]}), pa.table({"x": [1.0], "y": [2.0]})]
    with pytest.raises(ValueError, match="Labels in several parts of the table do not go together"):
        ListOfPartitions(mixed, Columns(("x",), "y", labels=True)).fit(KOREClassifier())


def test_labels_that_come_later_are_noticed(table):
    rows = in_places(table, "label", labels=True)
    counted, first = rows.run, itertools.count()

    def run(task):
        if next(first) == 1:
            changed = rows.parts[4].slice(0, 5).set_column(8, "label", pa.array(["maybe"] * 5))
            rows.parts.append(changed)
        return counted(task)

    rows.run = run
    with pytest.raises(ValueError, match="The target 'label' has labels that it did not have when it was read first"):
        rows.fit(KOREClassifier())


@pytest.mark.parametrize("weight", [None, "count"])
def test_rates_are_those_of_one_machine(table, weight):
    rows = in_places(table, "claims", weight=weight, exposure="years")
    model = rows.fit(KORERegressor(family="poisson"))
    here = known_rows(table, "claims")
    check_same_family(model, family_here(here, "claims", weight, "years", family="poisson"), here)
    assert model._model.exposure == "years"


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        (0.0, "exposure must be above 0 in every row, and its smallest value is 0. Leave rows"),
        (-2.5, "exposure must be above 0 in every row, and its smallest value is -2.5"),
        (np.nan, "Input exposure contains NaN or infinity"),
        (np.inf, "Input exposure contains NaN or infinity"),
    ],
)
def test_bad_exposures_get_the_sentences_of_one_machine(table, value, sentence):
    years = table.column("years").to_numpy().copy()
    years[np.flatnonzero(table.column("claims").is_valid().to_numpy())[-1]] = value
    bad = table.drop_columns(["years"]).append_column("years", pa.array(years))
    rows = in_places(bad, "claims", exposure="years")
    with pytest.raises(ValueError, match=sentence):
        rows.fit(KORERegressor(family="poisson"))
    assert rows.tasks == [_counts.EXPOSURES]


def test_exposures_that_do_not_go_with_the_model_are_refused_before_the_first_pass(table):
    rows = in_places(table, "gamma", exposure="years")
    with pytest.raises(ValueError, match="exposure belongs to family='poisson'"):
        rows.fit(KORERegressor(family="gamma"))
    precise = in_places(table, "claims", exposure="years", precision="count")
    with pytest.raises(ValueError, match="exposure and precision cannot both be given"):
        precise.fit(KORERegressor(family="poisson"))
    assert not rows.tasks + precise.tasks
    with pytest.raises(ValueError, match="'years' has two parts to play"):
        columns_of(table.column_names, "claims", "years", DRIVER, exposure="years")
    assert "years" not in columns_of(table.column_names, "claims", None, None, exposure="years").features
