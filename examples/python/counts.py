"""Bicycles hired in an hour: counts that vary by more than their mean says, and intervals of whole numbers."""

import numpy as np
import pandas
from kore import KORERegressor

# Made-up hours. Luck multiplies the mean, as the weather or an event next door does.
random = np.random.default_rng(12)
n = 3500
hours = pandas.DataFrame(
    {
        "hour": random.uniform(0, 24, n),
        "temperature": random.uniform(-5, 30, n),
        "day": random.choice(["work", "free"], n),
    }
)
daily = 1.5 * np.cos(2 * np.pi * (hours["hour"] - 14) / 24)
warmth = 0.06 * hours["temperature"] - 0.001 * hours["temperature"] ** 2
mean = np.exp(2 + daily + warmth + 0.3 * (hours["day"] == "free"))
hired = pandas.Series(random.poisson(mean * random.gamma(4, 1 / 4, n)), name="hired")

seen, new = slice(0, 1500), slice(1500, None)
poisson = KORERegressor(family="poisson").fit(hours[seen], hired[seen])
print(next(line for line in poisson.describe().splitlines() if line.startswith("Smoothness")))
model = KORERegressor(family="negative_binomial").fit(hours[seen], hired[seen])
print(model.describe())

# Intervals are those of the distribution around the prediction. Poisson's allow for the spread that was found, as one
# factor; the negative binomial distribution knows that it grows with the mean.
for name, fitted in (("poisson", poisson), ("negative binomial", model)):
    predicted, lower, upper = fitted.predict(hours[new], return_interval=0.9)
    inside = (lower <= hired[new]) & (hired[new] <= upper)
    busy = predicted > np.quantile(predicted, 0.8)
    print(f"{name}: intervals of 90 % hold {inside.mean():.1%} of new counts, {inside[busy].mean():.1%} of busy hours")

# Effects add up to the logarithm of the mean: raised to the power of e they are factors.
days = model.effects().query("term == 'day'")
print(dict(zip(days["level1"], np.exp(days["effect"]).round(2), strict=True)), "times as many are hired")
model.report("counts.html")
