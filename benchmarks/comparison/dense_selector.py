"""The paper's selector in plain NumPy: design matrices, BLAS, no use of local support.

It stands for the published implementation in the comparison. Nothing here is slow on purpose: every matrix product is
one call of BLAS, the leverages come from one triangular solve, and each resolution is fitted once.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.linalg import cho_factor, cho_solve, solve_triangular
from scipy.optimize import brentq

DEGREE = 3
RIDGE = 1e-8
STABLE_SHARE = 0.45  # p(G) < 0.45 n


def spline_block(x: np.ndarray, low: float, high: float, resolution: int) -> np.ndarray:
    """All G + 3 cubic B-splines on equally spaced knots at every row; the boundary pieces continue outside."""
    block = np.zeros((len(x), resolution + DEGREE))
    if high <= low:
        return block
    position = (x - low) / (high - low) * resolution
    cell = np.clip(position.astype(np.int64), 0, resolution - 1)
    u = position - cell
    values = (
        (1 - u) ** 3 / 6,
        (3 * u**3 - 6 * u**2 + 4) / 6,
        (-3 * u**3 + 3 * u**2 + 3 * u + 1) / 6,
        u**3 / 6,
    )
    rows = np.arange(len(x))
    for offset, value in enumerate(values):
        block[rows, cell + offset] = value
    return block


@dataclass
class Fit:
    resolution: int
    loo: float
    coefficients: np.ndarray
    means: list[np.ndarray]


class Family:
    """Main effects, or main effects with products of centred blocks; fits are remembered by resolution."""

    def __init__(self, X: np.ndarray, y: np.ndarray, pairs: Sequence[tuple[int, int]], finest: int, radius: int):
        self.X, self.y, self.pairs, self.finest, self.radius = X, y, pairs, finest, radius
        self.low, self.high = X.min(axis=0), X.max(axis=0)
        self.fits: dict[int, Fit] = {}

    def columns(self, resolution: int) -> int:
        d, m = self.X.shape[1], resolution + DEGREE - 1
        return 1 + d * m + len(self.pairs) * m * m

    def slope(self, resolution: float) -> float:
        return self.X.shape[1] + 2 * len(self.pairs) * (resolution + DEGREE - 1)

    def stable(self, resolution: int) -> bool:
        return self.columns(resolution) < STABLE_SHARE * len(self.y)

    def design(
        self, X: np.ndarray, resolution: int, means: list[np.ndarray] | None
    ) -> tuple[np.ndarray, list[np.ndarray]]:
        blocks = [spline_block(X[:, j], self.low[j], self.high[j], resolution)[:, :-1] for j in range(X.shape[1])]
        if means is None:
            means = [block.mean(axis=0) for block in blocks]
        blocks = [block - mean for block, mean in zip(blocks, means, strict=True)]
        products = [(blocks[i][:, :, None] * blocks[j][:, None, :]).reshape(len(X), -1) for i, j in self.pairs]
        return np.hstack([np.ones((len(X), 1)), *blocks, *products]), means

    def fit(self, resolution: int) -> float:
        if resolution not in self.fits:
            B, means = self.design(self.X, resolution, None)
            gram = B.T @ B
            gram[np.diag_indices_from(gram)] += RIDGE
            factor = cho_factor(gram, lower=True)
            coefficients = cho_solve(factor, B.T @ self.y)
            leverages = np.square(solve_triangular(factor[0], B.T, lower=True)).sum(axis=0)
            residuals = (self.y - B @ coefficients) / (1 - leverages)
            self.fits[resolution] = Fit(resolution, float(np.mean(residuals**2)), coefficients, means)
        return self.fits[resolution].loo

    def select(self) -> Fit | None:
        finest = max((g for g in range(1, self.finest + 1) if self.stable(g)), default=0)
        if finest == 0:
            return None
        upper = max(2, int(0.75 * finest))
        while upper > 1 and not self.stable(upper):
            upper -= 1
        pilots = [1, upper] if upper > 1 else [1]
        for pilot in pilots:
            self.fit(pilot)
        solution = self.solve(pilots, finest) if len(pilots) == 2 else 1.0
        centre = min(max(round(solution), 1), finest)
        top = min(finest, centre + self.radius)
        for resolution in range(max(1, centre - self.radius), top + 1):
            self.fit(resolution)
        best = min(self.fits, key=self.fit)
        if best == pilots[-1] > top + 1:
            best = self.bridge(top, best)
        return self.fits[best]

    def bridge(self, low: int, high: int) -> int:
        """The upper pilot won far above the certificate: bisection between them, if its first probe gains 2 %."""
        pilot = high
        if self.fit((low + high) // 2) >= 0.98 * self.fit(pilot):
            return pilot
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if self.fit(middle) <= self.fit(middle + 1) else (middle + 1, high)
        return min((pilot, low, high), key=self.fit)

    def solve(self, pilots: list[int], finest: int) -> float:
        """The law LOO = A G^-2(k+1) + tau n/(n-p) through both pilots, and the root of its derivative."""
        n, power = len(self.y), 2 * (DEGREE + 1)
        bias_a, bias_b = (float(g) ** -power for g in pilots)
        noise_a, noise_b = (n / max(n - self.columns(g), 1) for g in pilots)
        loo_a, loo_b = (self.fit(g) for g in pilots)
        determinant = bias_a * noise_b - bias_b * noise_a + 1e-12
        bias = (loo_a * noise_b - loo_b * noise_a) / determinant
        noise = (bias_a * loo_b - bias_b * loo_a) / determinant
        if bias <= 0 or noise <= 0:
            return float(min(pilots, key=self.fit))

        def derivative(g: float) -> float:
            return noise / n * self.slope(g) - power * bias * g ** -(power + 1)

        if derivative(1.0) >= 0:
            return 1.0
        if derivative(float(finest)) <= 0:
            return float(finest)
        return float(brentq(derivative, 1.0, float(finest), xtol=1e-6))


class DenseSelector:
    """Both families compete by leave-one-out error, as in the paper; without pairs there is only one."""

    def __init__(self, pairs: Sequence[tuple[int, int]] = ()):
        self.pairs = pairs

    def fit(self, X: np.ndarray, y: np.ndarray) -> "DenseSelector":
        families = [Family(X, y, (), 20, 3)]
        if self.pairs:
            families.append(Family(X, y, self.pairs, 8, 1))
        chosen = [(family, best) for family in families if (best := family.select()) is not None]
        self.family_, self.best_ = min(chosen, key=lambda choice: choice[1].loo)
        return self

    def predict(self, X: np.ndarray) -> np.ndarray:
        B, _ = self.family_.design(X, self.best_.resolution, self.best_.means)
        return B @ self.best_.coefficients
