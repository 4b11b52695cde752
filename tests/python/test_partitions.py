"""What clusters share, on a cluster of one process: partitions in a list."""

import itertools
import json

import numpy as np
import pyarrow as pa
import pytest
from clusters import ListOfPartitions
from kore import KOREAdditiveRegressor, KOREPairwiseRegressor, KORERegressor, _partitions
from kore._columns import Columns, columns_of
from kore._engine import describe_task, merge_results, run_task
from kore._partitions import (
    BLOCK_BYTES,
    Outcome,
    blocks_of,
    check_rows,
    fan_in_of,
    levels_of,
    merge_level,
    neighbours_to_join,
)


def cut(table, *ends):
    places = [0, *ends, table.num_rows]
    return [table.slice(first, last - first) for first, last in itertools.pairwise(places)]


def table_of(waves):
    X, y = waves
    return pa.table({**{f"x{j}": X[:, j] for j in range(4)}, "y": y})


def selection(model):
    return (
        model.structure_,
        model.G_star_,
        model.pairs_,
        {name: list(curve) for name, curve in model.candidates_.items()},
    )


SKEWED = (0, 2, 3, 3, 550)


@pytest.mark.parametrize("profile", ["default", "paper"])
@pytest.mark.parametrize("kind", [KORERegressor, KOREAdditiveRegressor, KOREPairwiseRegressor])
def test_partitions_give_the_model_of_the_whole(waves, kind, profile):
    X, y = waves
    whole = kind(profile=profile).fit(X, y)
    rows = ListOfPartitions(cut(table_of(waves), *SKEWED), Columns(("x0", "x1", "x2", "x3"), "y"))
    model = rows.fit(kind(profile=profile))
    assert selection(model) == selection(whole)
    np.testing.assert_allclose(model.predict(table_of(waves)), whole.predict(X), rtol=0, atol=1e-10)


def test_the_same_partitions_give_the_same_bits(waves):
    parts = cut(table_of(waves), *SKEWED)
    columns = Columns(("x0", "x1", "x2", "x3"), "y")
    models = [ListOfPartitions(parts, columns).fit(KORERegressor()) for _ in range(2)]
    assert (models[0].predict(table_of(waves)) == models[1].predict(table_of(waves))).all()


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"pairs": "some"}, "pairs must be 'auto', 'all', 'none'"),
        ({"pairs": [("x0", "z")]}, "pairs names the column 'z'"),
        ({"pairs": [(0, 9)]}, "position 9"),
        ({"pairs": ["x0"]}, "pairs must hold pairs of columns"),
        ({"profile": "fast"}, "profile must be"),
        ({"degree": 9}, "degree must be an integer between 1 and 7, got 9"),
        ({"ridge": -1.0}, "ridge must be a finite number that is not negative, got -1.0"),
        ({"max_G_add": 0}, "max_G_add must be an integer between 1 and 1000000, got 0"),
        ({"structure": "triple"}, "structure must be 'auto', 'additive' or 'pairwise', got 'triple'"),
        ({"categorical_features": ["z"]}, "categorical_features names the column 'z'"),
        ({"n_jobs": 0}, "n_jobs"),
    ],
)
def test_parameters_are_checked_before_the_first_pass(waves, parameters, sentence):
    rows = ListOfPartitions([table_of(waves)], Columns(("x0", "x1"), "y"))
    with pytest.raises(ValueError, match=sentence):
        rows.fit(KORERegressor(**parameters))
    assert not rows.tasks


def test_pairs_that_are_given_or_impossible_pass_the_check(waves):
    rows = ListOfPartitions(cut(table_of(waves), 200), Columns(("x0", "x1", "x2"), "y"))
    assert rows.fit(KOREPairwiseRegressor(pairs=[("x2", "x1")])).pairs_ == [(1, 2)]
    with pytest.warns(UserWarning, match="no pair of features"):
        ListOfPartitions(rows.parts, Columns(("x0",), "y")).fit(KOREPairwiseRegressor())


def test_a_fit_that_fails_leaves_the_estimator_as_it_was(waves):
    X, y = waves
    model = KOREAdditiveRegressor().fit(table_of(waves).select(["x0", "x1"]), y)
    before = dict(vars(model))
    bad = X.copy()
    bad[300, 1] = np.inf
    for again in (
        lambda: model.fit(table_of((bad, y)).select(["x1", "x2"]), y),
        lambda: model.fit(X, y[:-1]),
        lambda: model.fit_chunks([(X, y), (bad, y)]),
    ):
        with pytest.raises(ValueError):
            again()
        assert vars(model) == before
    model.set_params(degree=1)
    assert model.degree == 1


def test_a_model_knows_the_columns_it_was_fitted_with(waves):
    columns = Columns(("x2", "x0"), "y")
    model = ListOfPartitions(cut(table_of(waves), 300), columns).fit(KOREAdditiveRegressor())
    assert list(model.feature_names_in_) == ["x2", "x0"]
    assert json.loads(model._model.to_json())["target"] == "y"
    with pytest.raises(AttributeError, match="rows of the fit are not here"):
        model.loo_residuals_  # noqa: B018


def test_rows_without_a_target_are_left_out_and_counted(waves):
    X, y = waves
    target = y.copy()
    target[::7] = np.nan
    known = ~np.isnan(target)
    table = table_of(waves).set_column(4, "y", pa.array(target, from_pandas=True))
    rows = ListOfPartitions(cut(table, 100, 101), Columns(("x0", "x1", "x2", "x3"), "y"))
    model = rows.fit(KOREAdditiveRegressor())
    assert set(rows.dropped) == {600 - known.sum()}
    whole = KOREAdditiveRegressor().fit(X[known], y[known])
    np.testing.assert_allclose(model.predict(table_of(waves)), whole.predict(X), atol=1e-10)


def test_rows_without_a_weight_are_refused(waves):
    table = table_of(waves).append_column("w", pa.array([None] + [1.0] * 599))
    rows = ListOfPartitions(cut(table, 300), Columns(("x0",), "y", "w"))
    with pytest.raises(ValueError, match="The weights 'w' have no value in some rows"):
        rows.fit(KOREAdditiveRegressor())


def test_results_are_merged_by_a_tree_in_the_order_of_partitions(monkeypatch):
    merged = []

    def merge(task, results):
        merged.append(results)
        return b"(" + b"".join(results) + b")"

    monkeypatch.setattr(_partitions, "merge_results", merge)
    outcomes = {place: Outcome(b"%x" % place, rows=1) for place in (6, 2, 0, 1, 5, 3, 4)}
    assert levels_of(7, 3) == 2
    for _ in range(2):
        outcomes = merge_level(b"", outcomes, 3)
    assert outcomes[0].result == b"((012)(345)6)"
    assert outcomes[0].rows == 7
    assert outcomes[0].partitions == 7


def test_the_first_failure_is_the_outcome():
    outcomes = {0: Outcome(b"0"), 1: Outcome(failure="first"), 2: Outcome(failure="second")}
    assert merge_level(b"", outcomes, 8)[0].failure == "first"


@pytest.mark.parametrize(("partitions", "levels"), [(0, 0), (1, 0), (2, 1), (8, 1), (9, 2), (64, 2), (65, 3)])
def test_a_tree_has_as_many_levels_as_it_needs(partitions, levels):
    assert levels_of(partitions, 8) == levels


def test_large_results_are_merged_few_at_a_time():
    assert fan_in_of(100) == 8
    assert fan_in_of(100 * 2**20) == 2
    assert fan_in_of(10 * 2**30) == 2


def test_many_small_partitions_are_joined_to_blocks():
    assert neighbours_to_join(200, 200 * 1000) == 200
    assert neighbours_to_join(200, 0) == 200
    assert neighbours_to_join(200, 50 * BLOCK_BYTES) == 4
    assert neighbours_to_join(200, 150 * BLOCK_BYTES) == 1
    assert neighbours_to_join(200, 10_000 * BLOCK_BYTES) == 1
    assert neighbours_to_join(20, 1000) == 1  # few are no burden


def test_blocks_are_of_a_size_however_batches_come():
    random = np.random.default_rng(2)
    numbers = pa.table({"a": random.normal(size=300_000), "b": random.normal(size=300_000)})
    texts = pa.table({"t": pa.array(["x" * int(length) for length in random.integers(0, 4000, 9000)])})
    uneven = pa.table({"t": pa.array(["x"] * 2000 + ["x" * 3 * 2**20] * 9)})
    for table in (numbers, texts, uneven):
        for rows in (500, 10**6):
            blocks = list(blocks_of(table.to_batches(max_chunksize=rows)))
            assert pa.concat_tables(blocks).equals(table)
            assert max(block.nbytes for block in blocks) <= 2 * BLOCK_BYTES
            assert len(blocks) <= 1 + table.nbytes // (BLOCK_BYTES // 2) + table.num_rows // 65_536


def test_a_row_that_is_larger_than_a_block_is_one():
    table = pa.table({"t": ["x" * (3 * BLOCK_BYTES), "y"]})
    assert [block.num_rows for block in blocks_of(table.to_batches())] == [1, 1]


def test_columns_are_checked_before_anything_is_read():
    assert columns_of(["a", "y", "b", "w"], "y", "w", None) == Columns(("a", "b"), "y", "w")
    with pytest.raises(ValueError, match=r"no column 'z' in the table. It has: a, y"):
        columns_of(["a", "y"], "z", None, None)
    with pytest.raises(ValueError, match="two columns 'a'"):
        columns_of(["a", "a", "y"], "y", None, None)
    with pytest.raises(ValueError, match="'y' has two parts to play"):
        columns_of(["a", "y"], "y", None, ["a", "y"])
    with pytest.raises(ValueError, match="nothing to learn from"):
        columns_of(["y"], "y", None, None)
    assert columns_of(["city", "y"], "y", None, "city") == Columns(("city",), "y")
    with pytest.raises(ValueError, match="features is an empty list"):
        columns_of(["a", "y"], "y", None, [])
    for arguments in ((2, None, None), ("y", 2.0, None), ("y", None, [2])):
        with pytest.raises(TypeError, match=r"takes names of columns, .* got a value of type (int|float)"):
            columns_of(["a", "y"], *arguments)


def test_tasks_and_results_that_are_damaged_are_refused(waves):
    rows = ListOfPartitions([table_of(waves)], Columns(("x0", "x1"), "y"))
    rows.fit(KOREAdditiveRegressor())
    assert {str(describe_task(task)["kind"]) for task in rows.tasks}
    for task in rows.tasks:
        result = run_task(task, [])
        assert merge_results(task, [result, result]) is not None
        for damaged in (b"", task[:-1], task[: len(task) // 2], bytes([task[0] ^ 1]) + task[1:]):
            with pytest.raises(ValueError):
                run_task(damaged, [])
        with pytest.raises(ValueError):
            merge_results(task, [result, result[:-1]])


def test_a_table_to_learn_nothing_from_is_refused_in_the_words_of_the_command():
    with pytest.raises(ValueError, match=r"^There are no rows in the table\.$"):
        check_rows(Outcome(), "y")
    with pytest.raises(ValueError, match=r"^The target 'y' has no value in any row of the table\.$"):
        check_rows(Outcome(dropped=3), "y")
    with pytest.raises(ValueError, match=r"^There is one row with a target in the table"):
        check_rows(Outcome(rows=1, dropped=3), "y")
    check_rows(Outcome(rows=2), "y")


def test_partitions_without_rows_are_refused_in_a_sentence(waves):
    rows = ListOfPartitions(cut(table_of(waves).slice(0, 0), 0), Columns(("x0",), "y"))
    with pytest.raises(ValueError, match="row"):
        rows.fit(KOREAdditiveRegressor())
