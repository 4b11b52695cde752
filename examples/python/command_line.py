"""One model, two fronts: fitted in Python, scored by the command, and the other way round.

Usage: python command_line.py KORE    (the command, such as build/kore)
"""

import subprocess
import sys

import numpy as np
import pandas
from kore import KORERegressor, load

command = sys.argv[1]
random = np.random.default_rng(1)
table = pandas.DataFrame({"area": random.uniform(20, 200, 500), "city": random.choice(["Oslo", "Rome"], 500)})
price = 3 * table["area"] + 60 * (table["city"] == "Oslo") + random.normal(0, 10, 500)
table.to_csv("flats.csv", index=False)
table.assign(price=price).to_csv("sold.csv", index=False)

model = KORERegressor().fit(table, price.rename("price"))
model.save("prices.kore")
subprocess.run([command, "predict", "prices.kore", "flats.csv", "-o", "predicted.csv"], check=True)
same = np.loadtxt("predicted.csv", skiprows=1) == model.predict(table)
print(f"{same.sum()} of {len(same)} predictions have the same bits")

subprocess.run([command, "fit", "sold.csv", "--target", "price", "-o", "by_command.kore", "-q"], check=True)
other = load("by_command.kore")
print(other, "from the command predicts", other.predict(table.head(2)).round(1))
