"""A table that is never in memory as a whole: rows become sums, chunk by chunk."""

import resource

import numpy as np
from kore import KOREAdditiveRegressor

CHUNKS, ROWS = 20, 50_000


def chunks():
    """One piece after the other; the same ones whenever the engine asks. A file or a query would do."""
    for seed in range(CHUNKS):
        random = np.random.default_rng(seed)
        X = random.uniform(size=(ROWS, 5))
        yield X, np.sin(6 * X[:, 0]) + X[:, 1] ** 2 + random.normal(0, 0.1, ROWS)


before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
model = KOREAdditiveRegressor(max_G=10, radius=1).fit_chunks(chunks)
grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
print(model.describe())
print(f"{CHUNKS * ROWS:,} rows of {CHUNKS * ROWS * 6 * 8 / 2**20:.0f} MB in {grown:.0f} MB of memory")
