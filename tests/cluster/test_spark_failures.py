"""Executors that die, and tasks that fail."""

import os
import signal
import threading
import time
from pathlib import Path

import kore.spark
import pyarrow as pa
import pytest
from clusters import check_same, cut, in_spark, known_rows
from kore._engine import describe_task

FEATURES = ["city", "age", "garden"]
PATIENCE = 120  # seconds until a test gives up


def wait_in_mid_pass(folder, waiting_place):
    """For executors: every partition that is read leaves the name of its executor; one of them then waits, once."""

    def before(place):
        daemon = os.getppid()  # which has forked this worker, and is the executor's child
        executor = int(Path(f"/proc/{daemon}/stat").read_text().rpartition(")")[2].split()[1])
        armed = Path(folder) / "armed"
        if not armed.exists():
            return
        (Path(folder) / f"reads-{place}").write_text(str(executor))
        if place != waiting_place:
            return
        armed.rename(Path(folder) / "waiting")
        end = time.time() + 120
        while not (Path(folder) / "go on").exists() and time.time() < end:
            time.sleep(0.05)

    return before


def read_when_there(path):
    end = time.time() + PATIENCE
    while not (path.exists() and path.read_text()):
        assert time.time() < end, f"{path.name} did not come"
        time.sleep(0.05)
    return int(path.read_text())


def kill_executor(process):
    command = Path(f"/proc/{process}/cmdline").read_bytes()
    assert b"CoarseGrainedExecutorBackend" in command, command
    os.kill(process, signal.SIGKILL)


def executors_of(session):
    """The processes that run tasks."""

    def tell(batches):
        for batch in batches:
            daemon = os.getppid()
            executor = int(Path(f"/proc/{daemon}/stat").read_text().rpartition(")")[2].split()[1])
            yield pa.RecordBatch.from_pydict({"process": [executor] * batch.num_rows})

    rows = session.range(0, 8, 1, 8).mapInArrow(tell, "process long").collect()
    return sorted({row["process"] for row in rows})


@pytest.mark.parametrize("victim", ["the one that adds up", "the one that has finished"])
@pytest.mark.parametrize(("wanted", "keep"), [("columns", True), ("gram", False), ("press", False)])
def test_an_executor_killed_in_mid_pass_changes_nothing(session, table, tmp_path, monkeypatch, wanted, keep, victim):
    last = 3
    parts = cut(table, (0.2, 0.5, 0.7))
    df = in_spark(session, parts, wait_in_mid_pass(str(tmp_path), last))
    calm = kore.spark.KOREAdditiveRegressor(profile="paper").fit(df, "price", "count", FEATURES, keep)
    killed = []

    def kill():
        read_when_there(tmp_path / f"reads-{last}")
        while not (tmp_path / "waiting").exists():
            time.sleep(0.05)
        adding = read_when_there(tmp_path / f"reads-{last}")
        # Where a new executor is not up yet, some of the others may still wait for this one to go on.
        seen = [tmp_path / f"reads-{place}" for place in range(last)]
        others = {read_when_there(path) for path in seen if path.exists()} - {adding}
        process = others.pop() if victim == "the one that has finished" and others else adding
        kill_executor(process)
        killed.append(process)
        (tmp_path / "go on").touch()

    run = kore.spark.SparkRows.run

    def run_and_kill(rows, task):
        if wanted in describe_task(task)["kind"] and not killed:
            (tmp_path / "armed").touch()
            killer = threading.Thread(target=kill)
            killer.start()
            result = run(rows, task)
            killer.join()
            return result
        return run(rows, task)

    monkeypatch.setattr(kore.spark.SparkRows, "run", run_and_kill)
    monkeypatch.setattr(kore.spark, "DIRECT_BYTES", 0)  # what an executor has merged gets lost with it
    model = kore.spark.KOREAdditiveRegressor(profile="paper").fit(df, "price", "count", FEATURES, keep)
    assert len(killed) == 1
    assert (model.predict(table) == calm.predict(table)).all()
    check_same(model, known_rows(table), FEATURES, "count", "KOREAdditiveRegressor", profile="paper")


@pytest.mark.parametrize(("many", "joined"), [(32, 4), (3, 1)], ids=["as they are", "joined"])
def test_rows_that_killed_executors_had_kept_are_read_again(session, table, monkeypatch, many, joined):
    monkeypatch.setattr("kore._partitions.MANY_PARTITIONS", many)
    df = in_spark(session, cut(table, (0.2, 0.5, 0.7)))
    calm = kore.spark.fit(df, "price", "count", FEATURES, profile="paper", pairs="none")
    run = kore.spark.SparkRows.run
    killed = []

    def kill_and_run(rows, task):
        if describe_task(task)["kind"] == "gram" and not killed:
            # Where all rows are in one partition, nobody knows which of the two has it.
            killed.extend(executors_of(session)[: 1 if joined > 1 else None])
            for process in killed:
                kill_executor(process)
        return run(rows, task)

    monkeypatch.setattr(kore.spark.SparkRows, "run", kill_and_run)
    model = kore.spark.fit(df, "price", "count", FEATURES, profile="paper", pairs="none")
    assert len(killed) == (1 if joined > 1 else 2)
    assert model.passes_[-1]["partitions"] == joined
    assert (model.predict(table) == calm.predict(table)).all()


def test_a_task_that_fails_tells_its_cause(session, table):
    def before(place):
        if place == 2:
            raise OSError("the disk is gone")

    df = in_spark(session, cut(table, (0.2, 0.5, 0.7)), before)
    with pytest.raises(RuntimeError, match=r"Spark could not finish the pass '.*' over the rows: OSError: the disk"):
        kore.spark.fit(df, "price", features=FEATURES)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"price": "if(age = 7, double('inf'), price)"}, "finite"),
        ({"count": "if(age = 7, -1.0D, count)"}, "negative"),
        ({"count": "if(age = 7, null, count)"}, "Give every row a weight"),
        ({"age": "if(age = 7, double('inf'), age)"}, "age"),
    ],
)
def test_rows_that_are_at_fault_are_refused_in_the_words_of_the_engine(session, table, change, sentence):
    from pyspark.sql import functions

    df = in_spark(session, cut(table, (0.2, 0.5, 0.7)))
    df = df.withColumns({name: functions.expr(text) for name, text in change.items()})
    with pytest.raises(ValueError, match=sentence) as refusal:
        kore.spark.fit(df, "price", "count", FEATURES)
    assert "Traceback" not in str(refusal.value)


def test_a_table_without_rows_is_refused(session, table):
    df = in_spark(session, cut(table.slice(0, 0), (0.5,)))
    with pytest.raises(ValueError, match="row"):
        kore.spark.fit(df, "price", features=FEATURES)


def test_rows_that_change_between_passes_are_noticed(session, table):
    def lose_some(batches):
        for batch in batches:
            yield batch.slice(time.time_ns() % 97)

    df = in_spark(session, cut(table, (0.5,)))
    with pytest.raises(ValueError, match="same every time"):
        kore.spark.fit(df.mapInArrow(lose_some, df.schema), "price", features=FEATURES, keep=False)
