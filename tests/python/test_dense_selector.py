"""The dense selector of the benchmarks is the paper's selector: it makes the same fits as the paper profile."""

from pathlib import Path

import kore
import numpy as np
import pytest

comparison = Path(__file__).parents[2] / "benchmarks" / "comparison"
pytest.importorskip("scipy")


def table(waves: int, noise: float) -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(2026)
    X = generator.random((1500, 3))
    y = np.sin(2 * np.pi * waves * X).sum(axis=1) + X[:, 0] * X[:, 1]
    return X, y + generator.normal(scale=noise, size=len(y))


@pytest.mark.parametrize("waves", [1, 2, 3, 4])
@pytest.mark.parametrize("noise", [0.01, 0.3])
def test_the_dense_selector_makes_the_fits_of_the_paper_profile(
    monkeypatch: pytest.MonkeyPatch, waves: int, noise: float
) -> None:
    monkeypatch.syspath_prepend(str(comparison))
    from dense_selector import Family

    X, y = table(waves, noise)
    model = kore.KOREAdditiveRegressor(profile="paper").fit(X, y)
    dense = Family(X, y, (), 20, 3)
    chosen = dense.select()
    assert chosen is not None
    assert {g: fit.loo for g, fit in dense.fits.items()} == pytest.approx(model.candidates_["additive"], rel=1e-6)
    assert chosen.resolution == model.G_star_


def test_one_of_the_tables_needs_the_bridge_to_the_upper_pilot(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(comparison))
    from dense_selector import Family

    bridged = []
    monkeypatch.setattr(Family, "bridge", lambda self, low, high: bridged.append((low, high)) or high)
    for waves in (1, 2, 3, 4):
        Family(*table(waves, 0.01), (), 20, 3).select()
    assert bridged
