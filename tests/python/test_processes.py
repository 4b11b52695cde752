"""Threads and processes: nothing hangs, nobody takes more cores than told, results are the same."""

import multiprocessing
import subprocess
import sys
import threading
import time
from pathlib import Path

import joblib
import kore
import numpy as np
import pytest
import threadpoolctl
from kore import KOREAdditiveRegressor, KORERegressor
from sklearn.model_selection import GridSearchCV


def fitted_predictions(data):
    X, y = data
    return KORERegressor(n_jobs=2).fit(X, y).predict(X)


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_fits_run_in_processes_however_they_start(waves, method):
    expected = fitted_predictions(waves)  # before the fork: the engine has had its threads
    with multiprocessing.get_context(method).Pool(2) as pool:
        for predicted in pool.map_async(fitted_predictions, [waves] * 4).get(timeout=60):
            np.testing.assert_array_equal(predicted, expected)


@pytest.mark.parametrize("backend", ["loky", "threading", "multiprocessing"])
def test_fits_run_in_joblibs_workers(waves, backend):
    expected = fitted_predictions(waves)
    with joblib.parallel_config(backend=backend):
        results = joblib.Parallel(n_jobs=2, timeout=60)(joblib.delayed(fitted_predictions)(waves) for _ in range(4))
    for predicted in results:
        np.testing.assert_array_equal(predicted, expected)


def test_a_parallel_grid_search_gives_what_a_sequential_one_does(waves):
    grid = {"degree": [1, 2, 3]}
    one = GridSearchCV(KORERegressor(), grid, cv=2).fit(*waves)
    two = GridSearchCV(KORERegressor(), grid, cv=2, n_jobs=2).fit(*waves)
    np.testing.assert_array_equal(one.cv_results_["mean_test_score"], two.cv_results_["mean_test_score"])


def test_python_goes_on_while_a_fit_runs():
    random = np.random.default_rng(0)
    X = random.uniform(size=(200_000, 8))
    y = X[:, 0]
    ticks = []
    running = threading.Event()

    def fit():
        running.set()
        KOREAdditiveRegressor(n_jobs=1).fit(X, y)
        running.clear()

    thread = threading.Thread(target=fit)
    thread.start()
    running.wait()
    while running.is_set():
        ticks.append(time.perf_counter())
        time.sleep(0.005)
    thread.join()
    assert len(ticks) > 10  # a fit takes some hundred milliseconds


def test_models_fitted_in_threads_at_once_are_the_same(waves):
    expected = fitted_predictions(waves)
    count = 8
    results = [None] * count

    def run(place):
        results[place] = fitted_predictions(waves)

    threads = [threading.Thread(target=run, args=(place,)) for place in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for predicted in results:
        np.testing.assert_array_equal(predicted, expected)


def test_one_job_is_one_thread():
    """Counted by the system: processor time cannot exceed the time on the clock."""
    script = """
import time, numpy as np
from kore import KORERegressor
X = np.random.default_rng(0).uniform(size=(30_000, 10))
y = X[:, 0] * X[:, 1]
KORERegressor(n_jobs=1).fit(X[:500], y[:500])
clock, processor = time.perf_counter(), time.process_time()
KORERegressor(n_jobs=1, pairs="all", max_G_pair=3).fit(X, y)
print((time.process_time() - processor) / (time.perf_counter() - clock))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert float(done.stdout) < 1.1


def test_a_fork_while_other_threads_fit_neither_hangs_nor_differs(waves):
    """The child has none of the threads that were in the middle of something."""
    expected = fitted_predictions(waves)
    stopped = threading.Event()

    def fit_on():
        while not stopped.is_set():
            fitted_predictions(waves)

    threads = [threading.Thread(target=fit_on) for _ in range(2)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(5):
            with multiprocessing.get_context("fork").Pool(1) as pool:
                np.testing.assert_array_equal(pool.apply_async(fitted_predictions, [waves]).get(timeout=60), expected)
    finally:
        stopped.set()
        for thread in threads:
            thread.join()


def test_the_threads_of_numpys_blas_are_left_alone():
    """Counted in a process of its own, before the engine is loaded and after a fit."""
    script = """
import numpy as np, threadpoolctl
np.ones((4, 4)) @ np.ones((4, 4))
threadpoolctl.threadpool_limits(3)
before = {pool["filepath"]: pool["num_threads"] for pool in threadpoolctl.threadpool_info()}
from kore import KORERegressor
X = np.random.default_rng(0).uniform(size=(200, 3))
KORERegressor().fit(X, X[:, 0])
after = {pool["filepath"]: pool["num_threads"] for pool in threadpoolctl.threadpool_info()}
assert before and all(after[path] == number for path, number in before.items()), (before, after)
print(len(before))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) >= 1


def test_the_engines_blas_has_no_threads_of_its_own(waves):
    KORERegressor().fit(*waves)
    package = Path(kore.__file__).parent
    ours = [pool for pool in threadpoolctl.threadpool_info() if package in Path(pool["filepath"]).parents]
    assert [pool["num_threads"] for pool in ours] == [1]
