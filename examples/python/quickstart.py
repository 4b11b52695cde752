"""A first fit: no resolution to choose, no grid to search, and the model explains itself."""

import numpy as np
from kore import KORERegressor

# The yield depends on the temperature, and on the product of pressure and hours. The last column has no effect.
random = np.random.default_rng(7)
X = random.uniform(size=(800, 4))
y = np.sin(2 * np.pi * X[:, 0]) + 2 * X[:, 1] * X[:, 2] + random.normal(0, 0.05, 800)

model = KORERegressor().fit(X[:600], y[:600])
print(model.describe())

# The leave-one-out error needs no held-out rows. Here it is compared with the error on new rows.
held_out = np.sqrt(np.mean((model.predict(X[600:]) - y[600:]) ** 2))
print(f"leave-one-out RMSE {model.loo_**0.5:.4f}, on 200 new rows {held_out:.4f}")

prediction, lower, upper = model.predict(X[600:], return_interval=0.9)
print(f"90 % intervals cover {np.mean((lower <= y[600:]) & (y[600:] <= upper)):.0%} of the new rows")

for effect in model.effects_[:4]:
    print(f"{' × '.join(effect['features']):8} {effect['share']:6.1%} of the variance")
model.plot(terms=4).save("effects.html")
