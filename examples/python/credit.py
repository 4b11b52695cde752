"""Who pays back: the probability of yes and no, whether it holds, and what it depends on."""

import numpy as np
import pandas
from kore import KOREClassifier
from sklearn.metrics import log_loss, roc_auc_score

# Made-up loans. Income helps up to a point, long loans are risky, and more so for the young.
random = np.random.default_rng(8)
n = 3000
loans = pandas.DataFrame(
    {
        "income": random.lognormal(10.3, 0.5, n).round(),
        "age": random.uniform(20, 70, n).round(),
        "months": random.choice([12, 24, 36, 48, 60], n),
        "purpose": random.choice(["car", "house", "travel"], n),
    }
)
loans.loc[::17, "income"] = np.nan
wealth = np.minimum(loans["income"].fillna(30_000) / 20_000, 3)
length = loans["months"] / 40 * (1 + (45 - loans["age"]) / 60)
odds = np.exp(1.6 - 1.3 * wealth + length + (loans["purpose"] == "travel"))
outcome = pandas.Series(np.where(random.uniform(size=n) < odds / (1 + odds), "lost", "paid"), name="outcome")

seen, new = slice(0, 2000), slice(2000, None)
model = KOREClassifier().fit(loans[seen], outcome[seen])
print(model.describe())

paid = model.predict_proba(loans[new])[:, list(model.classes_).index("paid")]
truth = outcome[new] == "paid"
print(f"1,000 new loans: AUC {roc_auc_score(truth, paid):.3f}, log loss {log_loss(truth, paid):.3f}")

# Calibration: of loans with about the same probability, that share should be paid.
by_fifth = pandas.DataFrame({"predicted": paid, "observed": truth}).groupby(pandas.qcut(paid, 5, labels=False)).mean()
print(by_fifth.round(2).to_string(index=False))

# Effects add up to the log odds: raised to the power of e they are odds ratios.
purposes = model.effects().query("term == 'purpose'")
print(dict(zip(purposes["level1"], np.exp(purposes["effect"]).round(2), strict=True)), "times the odds of being paid")

# Where a loss costs five times what a paid loan earns, only loans that are paid five times out of six are worth it.
print(f"{np.mean(paid > 5 / 6):.0%} of the new loans are worth their risk")
model.report("credit.html")
