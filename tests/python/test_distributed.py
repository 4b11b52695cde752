"""Rows in several places, which only tasks can reach, give the model of the whole table."""

import datetime
import itertools
import json

import numpy as np
import pandas
import pyarrow as pa
import pytest
from kore import _engine
from kore._engine import (
    DistributedTraining,
    Frame,
    Options,
    StructureChoice,
    Training,
    describe_task,
    merge_results,
    run_task,
)

FAN_IN = 3


class Places:
    """Partitions of an Arrow table in plain lists, and a tree that merges what comes from them, in their order."""

    def __init__(self, table, y, weights, cuts):
        ends = [0, *cuts, len(y)]
        self.parts = [
            (table.slice(a, b - a), y[a:b], None if weights is None else weights[a:b])
            for a, b in itertools.pairwise(ends)
        ]
        self.kinds = []

    def pieces(self, part):
        table, y, weights = part
        for first in range(0, len(y), 150):
            some = slice(first, first + 150)
            frame = Frame.from_stream(table.slice(first, 150))
            yield frame, np.ascontiguousarray(y[some]), None if weights is None else np.ascontiguousarray(weights[some])

    def run(self, task):
        self.kinds.append(describe_task(task)["kind"])
        results = [run_task(task, self.pieces(part)) for part in self.parts]
        while len(results) > 1:
            results = [merge_results(task, results[i : i + FAN_IN]) for i in range(0, len(results), FAN_IN)]
        return results[0]

    def training(self, profile, categorical=None):
        example = Frame.from_stream(self.parts[0][0].slice(0, 0))
        return DistributedTraining(self.run, example, "y", profile, categorical)


# Skewed and empty partitions: most rows in one, some in others, none in several.
CUTS = (0, 0, 3, 3, 900, 950, 1200, 1200)


def numbers(n=1300, seed=5):
    random = np.random.default_rng(seed)
    X = random.uniform(size=(n, 3))
    curves = np.sin(6 * X[:, 0]) + np.cos(5 * X[:, 1]) + np.sin(4 * X[:, 2])
    y = curves + 2 * np.sin(3 * X[:, 0]) * np.cos(4 * X[:, 1]) + random.normal(0, 0.1, n)
    # A line and a column that says nothing: their penalties run off to infinity.
    X = np.column_stack([X, random.uniform(size=(n, 2))])
    return pa.table({name: X[:, j] for j, name in enumerate("abcde")}), y + X[:, 3]


def mixed(n=1300, seed=6):
    """Every kind of column, with gaps."""
    random = np.random.default_rng(seed)
    start = datetime.date(2022, 3, 1)
    area = random.uniform(20, 200, n)
    rooms = random.integers(1, 9, n)
    city = random.integers(0, 4, n)
    garden = random.random(n) < 0.3
    day = random.integers(0, 900, n)
    floor = random.integers(0, 9, n)
    code = random.integers(0, 60, n)
    gone = {name: random.random(n) < 0.05 for name in ("area", "city", "garden", "sold")}
    y = np.where(gone["area"], 0.7, np.sin(area / 25)) + np.cos(rooms / 1.5) + np.sin(floor / 2) + np.sin(code)
    y = y + np.where(gone["city"], -0.8, 0.5 * city) + np.where(gone["garden"], 0.9, 0.5 * garden)
    y = y + np.where(gone["sold"], -0.6, np.cos(day / 150)) + random.normal(0, 0.1, n)

    def with_gaps(name, values):
        return pa.array([None if g else v for v, g in zip(values, gone[name], strict=True)])

    table = pa.table(
        {
            "area": with_gaps("area", area.tolist()),
            "rooms": pa.array(rooms),
            "city": with_gaps("city", [["Oslo", "Rome", "Köln", "Nice"][c] for c in city]),
            "garden": with_gaps("garden", garden.tolist()),
            "sold": with_gaps("sold", [start + datetime.timedelta(days=int(d)) for d in day]),
            # Texts stay texts, though all of them are digits.
            "floor": pa.array([str(f) for f in floor]),
            "code": pa.array([f"k{c}" for c in code]).dictionary_encode(),
            "empty": pa.nulls(n, pa.float64()),
        }
    )
    return table, y


def options_of(profile, structure, structure_rows=None):
    options = Options.paper() if profile == "paper" else Options()
    options.structure = structure
    options.threads = 1
    if structure_rows is not None:
        options.grown.structure_rows = structure_rows
    return options


def whole(table, y, weights, profile, options, categorical=None):
    frame = Frame.from_stream(table)
    mask = categorical or [False] * len(table.column_names)
    return Training(frame, "y", profile, mask, 1).fit(y, weights, None, options, "here", None)


def expect_same(ours, theirs, table):
    """The same choices, and the same function to ten digits.

    Leave-one-out has as many in the paper profile; the default takes leverages from the inverse matrix, which costs
    nearly dependent columns, such as many levels, some of them on one machine as well.
    """
    a, b = (json.loads(model.to_json()) for model in (ours, theirs))
    for told in ("structure", "G", "fits", "notes"):
        assert a[told] == b[told], told
    assert [e["features"] for e in a["effects"]] == [e["features"] for e in b["effects"]]
    frame = Frame.from_stream(table)
    there, here = ours.predict(frame, 1)[0], theirs.predict(frame, 1)[0]
    np.testing.assert_allclose(there, here, rtol=0, atol=1e-10 * np.abs(here).max())
    tolerance = 1e-10 if a["profile"] == "paper" else 1e-7
    places = np.array([0.0, 0.5, 1.0])
    np.testing.assert_allclose(
        ours.interval_ends(places, 0.9), theirs.interval_ends(places, 0.9), rtol=100 * tolerance, atol=1e-12
    )
    assert a["loo"] == pytest.approx(b["loo"], rel=tolerance)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(
    "structure", [StructureChoice.additive, StructureChoice.pairwise], ids=["additive", "pairwise"]
)
@pytest.mark.parametrize("profile", ["paper", "default"])
def test_numbers_in_places_give_the_model_of_the_whole(profile, structure, weighted):
    table, y = numbers()
    weights = np.random.default_rng(1).uniform(0.2, 1.8, len(y)) if weighted else None
    options = options_of(profile, structure, None if profile == "paper" else 500)
    places = Places(table, y, weights, CUTS)
    model = places.training(profile).fit(options, "there", None)
    expect_same(model, whole(table, y, weights, profile, options), table)
    assert {"columns", "survey", "press"} <= set(places.kinds)


@pytest.mark.parametrize(
    "structure", [StructureChoice.additive, StructureChoice.automatic], ids=["additive", "automatic"]
)
@pytest.mark.parametrize("profile", ["paper", "default"])
@pytest.mark.parametrize("weighted", [False, True])
def test_columns_of_every_kind_are_encoded_as_in_the_whole(profile, structure, weighted):
    table, y = mixed()
    # The paper's indicators of 60 levels would leave no room for pairs with everything.
    table = table.drop_columns(["code"]) if profile == "paper" else table
    weights = np.random.default_rng(1).uniform(0.2, 1.8, len(y)) if weighted else None
    options = options_of(profile, structure, None if profile == "paper" else 600)
    model = Places(table, y, weights, CUTS).training(profile).fit(options, "there", None)
    expect_same(model, whole(table, y, weights, profile, options), table)


def test_numbers_may_be_declared_categories():
    table, y = mixed()
    table = table.select(["area", "rooms"])
    options = options_of("default", StructureChoice.automatic)
    model = Places(table, y, None, CUTS).training("default", [False, True]).fit(options, "there", None)
    expect_same(model, whole(table, y, None, "default", options, [False, True]), table)


def test_columns_that_repeat_others_are_noted():
    table, y = numbers()
    table = table.append_column("again", table["a"])
    options = options_of("default", StructureChoice.additive, 500)
    places = Places(table, y, None, CUTS)
    model = places.training("default").fit(options, "there", None)
    assert any("same values as column 'a'" in note for note in json.loads(model.to_json())["notes"])
    assert "equal columns" in places.kinds


def test_what_a_fit_takes_is_told_before_it_starts():
    table, y = numbers()
    places = Places(table, y, None, CUTS)
    training = places.training("paper")
    assert (training.features, training.rows) == (5, 1300)
    options = options_of("paper", StructureChoice.additive)
    options.max_resolution_additive = 10
    assert 5 * 12 + 1 <= training.columns_at_most(options) <= 5 * 13 + 1
    sizes = []

    def run(task):
        sizes.append((describe_task(task), len(run_task(task, places.pieces(places.parts[4])))))
        return places.run(task)

    training = DistributedTraining(run, Frame.from_stream(table.slice(0, 0)), "y", "paper", None)
    training.fit(options, "there", None)
    for told, size in sizes:
        assert told["kind"] == "columns" or size <= told["result_bytes"] + 512
        assert max(told["columns"], default=0) <= training.columns_at_most(options)


def test_pairs_are_named_by_columns():
    table, y = mixed()
    training = Places(table, y, None, CUTS).training("default")
    local = Training(Frame.from_stream(table), "y", "default", [False] * table.num_columns, 1)
    assert training.feature_pairs([("city", "area")]) == local.feature_pairs([("city", "area")])


def first_task(table):
    """The task of the first pass."""

    class Stop(Exception):
        pass

    kept = []

    def run(task):
        kept.append(task)
        raise Stop

    with pytest.raises(Stop):
        DistributedTraining(run, Frame.from_stream(table.slice(0, 0)), "y", "default", None)
    return kept[0]


def test_damaged_bytes_are_refused():
    table, y = numbers()
    task = first_task(table)
    result = run_task(task, [(Frame.from_stream(table), y, None)])
    for at in range(0, len(task), 7):
        damaged = bytearray(task)
        damaged[at] ^= 4
        with pytest.raises(ValueError, match="KORE"):
            run_task(bytes(damaged), [])
    for at in range(0, len(result), 7):
        damaged = bytearray(result)
        damaged[at] ^= 4
        with pytest.raises(ValueError, match="KORE"):
            merge_results(task, [bytes(damaged)])
    with pytest.raises(ValueError, match="KORE"):
        describe_task(b"")


def test_results_of_another_task_are_refused():
    table, _ = numbers()
    other = first_task(table.rename_columns(list("vwxyz")))
    result = run_task(other, [])
    with pytest.raises(ValueError, match="belongs to another task"):
        merge_results(first_task(table), [result])


def test_rows_that_change_between_passes_are_noticed():
    table, y = numbers()
    passes = iter(range(100))

    def run(task):
        rows = 1300 - (next(passes) > 2)
        return run_task(task, [(Frame.from_stream(table.slice(0, rows)), y[:rows], None)])

    training = DistributedTraining(run, Frame.from_stream(table.slice(0, 0)), "y", "default", None)
    with pytest.raises(ValueError, match="must be the same every time"):
        training.fit(options_of("default", StructureChoice.additive, 500), "there", None)


def test_a_sentence_of_the_engine_comes_through():
    table, y = numbers()
    y[700] = np.inf
    training = Places(table, y, None, CUTS).training("default")
    with pytest.raises(ValueError, match=r"In the target, row .* within their part of the table"):
        training.fit(options_of("default", StructureChoice.additive), "there", None)


def test_an_error_on_the_way_to_the_rows_comes_through():
    table, _ = numbers()

    def run(task):
        raise ConnectionError("the cluster is gone")

    with pytest.raises(ConnectionError, match="the cluster is gone"):
        DistributedTraining(run, Frame.from_stream(table.slice(0, 0)), "y", "default", None)


def test_a_table_without_rows_is_refused():
    table, y = numbers()
    places = Places(table.slice(0, 0), y[:0], None, (0, 0))
    with pytest.raises(ValueError, match="No feature is left"):
        places.training("default")


def test_pandas_columns_work_as_pieces():
    table, y = numbers()
    frame = pandas.DataFrame(table.to_pandas())
    piece = Frame()
    for name in frame:
        piece.add_numbers(name, frame[name].to_numpy())
    training = DistributedTraining(
        lambda task: run_task(task, [(piece, y, None)], threads=2), piece, "y", "default", [False] * 5
    )
    options = options_of("default", StructureChoice.additive)
    expect_same(training.fit(options, "there", None), whole(table, y, None, "default", options), table)


def test_the_module_names_what_adapters_need():
    assert {"DistributedTraining", "run_task", "merge_results", "describe_task"} <= set(dir(_engine))
