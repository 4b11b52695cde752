"""The study's runner: splits of the published run, cells in processes with limits, a table to go on from."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from kore.study import __main__ as study
from kore.study.cell import CellSpec, constant_scores, run_cell, scores
from kore.study.methods import METHODS, method_named
from kore.study.outcome import Setting
from kore.study.registry import DATA_SETS, data_set
from kore.study.runner import COLUMNS, Limits, Run, read_cells, run, run_in_process, time_left
from kore.study.splits import drawn_rows, load_split, standardised, unit_box
from kore.study.verify import DETERMINED, verify

SHARED = Path(__file__).resolve().parents[3] / "shared"
PUBLISHED = SHARED / "reference/results/real_data.csv"
SET = data_set("energy_efficiency")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Stand-ins with the shape of two small data sets of the study: curves that splines follow and lines do not."""
    folder = tmp_path_factory.mktemp("data")
    random = np.random.default_rng(1)
    for entry in (SET, data_set("airfoil_self_noise")):
        x = random.uniform(size=(entry.rows, entry.numeric))
        y = np.sin(6 * x[:, 0]) + x[:, 1] ** 2 + 0.05 * random.normal(size=entry.rows)
        with (folder / f"{entry.name}.csv").open("w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow([*(f"x{j}" for j in range(entry.numeric)), entry.target])
            writer.writerows([*row, value] for row, value in zip(x, y, strict=True))
    return folder


def plan(folder, output, methods=("linear", "kore"), **more):
    return Run(folder, output, [SET], [method_named(name) for name in methods], [0, 1], **more)


def made_up(spec, limits):
    """A cell that takes no time, in place of a process."""
    return {
        **{"rmse_test": 1.0, "mae_test": 0.5, "r2_test": 0.9, "nrmse_test": 0.3, "n_fits": 3, "fit_time_s": 0.1},
        **{"best_hp": "{}", "used_defaults": False, "rss_peak_mb": 50.0},
    }


def test_the_roster_is_the_papers_and_three_more():
    assert len(METHODS) == 24
    assert [method.name for method in METHODS if not method.published] == ["kore_default", "ebm", "mgcv"]
    if PUBLISHED.exists():
        with PUBLISHED.open() as file:
            published = {(row["method"], row["family"]) for row in csv.DictReader(file)}
        assert {(method.name, method.family) for method in METHODS if method.published} == published
    with pytest.raises(ValueError, match="no method 'magic'; there are linear"):
        method_named("magic")


def test_rows_are_drawn_by_one_generator_in_the_order_of_the_list():
    random = np.random.default_rng(2026)
    first = np.sort(random.choice(4177, 2500, replace=False))  # abalone is the first, and larger than 2500 rows
    np.testing.assert_array_equal(drawn_rows("abalone"), first)
    assert drawn_rows("airfoil_self_noise") is None
    second = np.sort(random.choice(45730, 2500, replace=False))
    np.testing.assert_array_equal(drawn_rows("physiochemical_protein"), second)


def test_a_split_has_every_row_once(folder):
    split = load_split(folder, SET, 3)
    assert len(split.y_train) == int(0.8 * 768)
    order = np.random.default_rng(3007).permutation(768)
    whole = load_split(folder, SET, 0)
    both = np.sort(np.concatenate([whole.y_train, whole.y_test]))
    np.testing.assert_array_equal(np.sort(np.concatenate([split.y_train, split.y_test])), both)
    first = float(split.raw_train.columns[-1][0])
    with (folder / "energy_efficiency.csv").open() as file:
        assert first == float(list(csv.DictReader(file))[order[0]]["heating_load"]) == split.y_train[0]


def test_features_are_scaled_by_the_training_rows(folder):
    split = load_split(folder, SET, 0)
    split.x_train[:, 2] = 5.0
    x, x_test = unit_box(split)
    assert x.min() == 0 and x.max() == 1 and x_test.min() >= 0 and x_test.max() <= 1
    assert (x[:, 2] == 0).all()
    x, _ = standardised(split)
    np.testing.assert_allclose(np.delete(x, 2, axis=1).std(axis=0), 1)
    assert (x[:, 2] == 0).all()


def test_scores_follow_their_definitions(folder):
    split = load_split(folder, SET, 0)
    split.y_train, split.y_test = np.array([0.0, 4.0]), np.array([1.0, 3.0])
    assert scores(np.array([2.0, 3.0]), split) == {
        "rmse_test": 0.5**0.5,
        "mae_test": 0.5,
        "r2_test": 0.5,
        "nrmse_test": 0.5**0.5 / 2,
    }
    assert constant_scores(split)["rmse_test"] == 1
    with pytest.raises(ValueError, match="not a finite number"):
        scores(np.array([np.nan, 0.0]), split)


@pytest.mark.parametrize("name", ["linear", "ridge_cv", "lasso_cv", "elasticnet_cv", "kore", "gcv_spline", "cv_spline"])
def test_methods_that_need_nothing_else_predict(folder, name):
    split = load_split(folder, data_set("airfoil_self_noise"), 0)
    outcome = method_named(name).run(split, Setting())
    error = scores(outcome.predictions, split)
    assert error["r2_test"] > (0.2 if method_named(name).family == "linear" else 0.97)
    assert outcome.fits >= 1


def test_the_default_profile_sees_the_raw_table(folder):
    pytest.importorskip("pyarrow")
    split = load_split(folder, SET, 0)
    assert scores(method_named("kore_default").run(split, Setting()).predictions, split)["r2_test"] > 0.97


def test_a_search_stays_in_its_space_and_counts_its_fits(folder):
    pytest.importorskip("optuna")
    from kore.study.search import Budget
    from kore.study.tuned import space_of

    split = load_split(folder, SET, 0)
    outcome = method_named("knn").run(split, Setting(Budget(3, 60.0)))
    assert outcome.fits == 3 * 3 + 1
    assert set(outcome.parameters) == set(space_of("knn"))
    assert 1 <= outcome.parameters["n_neighbors"] <= 50
    late = method_named("knn").run(split, Setting(Budget(3, 0.0)))
    assert late.used_defaults and late.parameters == {} and late.fits == 1


def test_a_run_goes_on_where_it_was_stopped(folder, tmp_path):
    output = tmp_path / "cells.csv"
    asked = []

    def stop_at_the_third(spec, limits):
        if len(asked) == 2:
            raise KeyboardInterrupt
        asked.append((spec.method, spec.seed))
        return made_up(spec, limits)

    with pytest.raises(KeyboardInterrupt):
        run(plan(folder, output), lambda line: None, stop_at_the_third)
    assert len(read_cells(output)) == 2
    lines = []
    cells = run(plan(folder, output), lines.append, made_up)
    assert len(cells) == 4
    assert lines[0] == "2 cells are there already"
    assert lines[-1].startswith("2 of 2: energy_efficiency, kore, seed 1: RMSE 1 in 0.10 s")
    with output.open() as file:
        rows = list(csv.DictReader(file))
    assert [(row["method"], row["seed"]) for row in rows] == [
        ("linear", "0"),
        ("linear", "1"),
        ("kore", "0"),
        ("kore", "1"),
    ]
    assert list(rows[0]) == COLUMNS
    assert not list(tmp_path.glob("*.part"))


def test_a_cell_in_a_process_is_the_cell_itself(folder):
    spec = CellSpec(str(folder), SET.name, "kore", 0, 1, 1.0, 1)
    there, here = run_in_process(spec, Limits()), run_cell(spec)
    assert there["rmse_test"] == here["rmse_test"]
    assert there["rss_peak_mb"] > 10 and "error" not in there


@pytest.mark.parametrize(
    ("limits", "sentence"),
    [(Limits(seconds=0.01), "cell timed out after 0s"), (Limits(megabytes=5), "more than 5 MB of memory")],
)
def test_a_cell_beyond_its_limits_is_ended_and_the_mean_predicts(folder, tmp_path, limits, sentence):
    output = tmp_path / "cells.csv"
    run(plan(folder, output, methods=("kore",), limits=limits), lambda line: None)
    row = read_cells(output)[(SET.name, "kore", 0)]
    assert row["error"] == sentence
    assert row["used_constant_predictor"] == "True" and row["n_fits"] == "0"
    assert float(row["rmse_test"]) == constant_scores(load_split(folder, SET, 0))["rmse_test"]


def test_what_a_method_raises_is_recorded(folder, tmp_path, monkeypatch):
    answer = {"error": "ValueError: no luck", "fit_time_s": 0.5, "rss_peak_mb": 20.0}
    cells = run(plan(folder, tmp_path / "c.csv"), lambda line: None, lambda spec, limits: answer)
    row = cells[(SET.name, "linear", 1)]
    assert row["error"] == "ValueError: no luck" and row["used_constant_predictor"] == "True"
    assert row["fit_time_s"] == "0.5" and row["best_hp"] == ""


def test_another_table_is_not_written_over(folder, tmp_path):
    output = tmp_path / "cells.csv"
    output.write_text("a,b\n1,2\n")
    with pytest.raises(ValueError, match="not a table of cells"):
        run(plan(folder, output), lambda line: None, made_up)
    assert output.read_text() == "a,b\n1,2\n"


def test_the_command_runs_and_its_table_can_be_summarised(folder, tmp_path, command):
    output = tmp_path / "cells.csv"
    arguments = ["--methods", "linear,ridge_cv,kore", "--seeds", "1", "--data", str(folder), "-o", str(output)]
    assert study.main(["run", "-q", *arguments]) == 0
    assert len(read_cells(output)) == 6
    command("study", "summarize", output, "-o", "out", folder=tmp_path)
    friedman = json.loads((tmp_path / "out/real_data_friedman.json").read_text())
    assert friedman["n_datasets"] == 2 and friedman["mean_ranks"]["kore"] == 1


def test_the_command_refuses_in_a_sentence(folder, tmp_path, capsys):
    output = str(tmp_path / "cells.csv")
    assert study.main(["run", "--data", str(folder), "-o", output, "--methods", "magic"]) == 2
    assert "no method 'magic'" in capsys.readouterr().err
    assert study.main(["run", "--data", str(tmp_path), "-o", output, "--methods", "linear"]) == 2
    assert "There is no data set in" in capsys.readouterr().err
    assert study.main(["run", "--data", str(folder), "--sets", "cars", "-o", output, "--methods", "linear"]) == 2
    assert "cars is missing" in capsys.readouterr().err
    assert not Path(output).exists()


def test_time_left_is_told_in_words():
    assert time_left(0, 5, 0) == ""
    assert time_left(2, 4, 10) == ", about 20 s left"
    assert time_left(1, 60, 10) == ", about 10 min left"
    assert time_left(1, 3600, 10) == ", about 10.0 h left"


@pytest.mark.parametrize("name", ["airfoil_self_noise", "kin8nm", "cps88wages", "cars", "combined_cycle_power_plant"])
def test_determined_methods_meet_the_published_cells(name):
    if not PUBLISHED.exists() or not (SHARED / "data").exists():
        pytest.skip("the real data sets and the published results are not on this machine")
    for found in verify(SHARED / "data", PUBLISHED, [data_set(name)], DETERMINED, [0, 4]):
        assert found.cells == 2
        assert found.difference < 1e-6, found
        assert found.other_choices == 0, found


def test_every_published_set_is_in_the_registry():
    if not PUBLISHED.exists():
        pytest.skip("the published results are not on this machine")
    with PUBLISHED.open() as file:
        assert {row["dataset"] for row in csv.DictReader(file)} == {entry.name for entry in DATA_SETS}
