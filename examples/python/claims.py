"""How often drivers have claims: counts over the years each was insured, as rates per year."""

import numpy as np
import pandas
from kore import KORERegressor

# Made-up policies. Few were insured for a whole year, so that a count alone says little.
random = np.random.default_rng(4)
n = 6000
policies = pandas.DataFrame(
    {
        "age": random.uniform(18, 80, n).round(),
        "power": random.uniform(40, 200, n).round(),
        "region": random.choice(["coast", "hills", "town"], n),
    }
)
young = np.exp(-(policies["age"] - 18) / 10)
rate = np.exp(-2.2 + 1.5 * young + 0.003 * policies["power"] + 0.4 * (policies["region"] == "town"))
years = pandas.Series(random.uniform(0.05, 1, n), name="years")
claims = pandas.Series(random.poisson(rate * years), name="claims")

seen, new = slice(0, 4000), slice(4000, None)
model = KORERegressor(family="poisson").fit(policies[seen], claims[seen], exposure=years[seen])
print(model.describe())

# Rates per year; with exposures, the expected number of claims.
expected = model.predict(policies[new], exposure=years[new])
print(f"2,000 new policies: {claims[new].sum()} claims, {expected.sum():.0f} expected")

# Effects add up to the logarithm of the rate: raised to the power of e they are factors.
ages = model.effects().query("term == 'age'").iloc[::25]
factors = pandas.DataFrame({"age": ages["x1"], "factor of the rate": np.exp(ages["effect"])})
print(factors.round(2).to_string(index=False))

# Premiums in proportion to the expected number; the dearest fifth has more than its share of the claims.
dearest = np.argsort(-model.predict(policies[new]))[:400]
share = claims[new].to_numpy()[dearest].sum() / claims[new].sum()
print(f"the fifth with the highest rates has {share:.0%} of the claims")
model.report("claims.html")
