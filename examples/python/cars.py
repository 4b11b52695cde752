"""Real data as they come: a category, a date, missing values. Nothing has to be prepared.

Usage: python cars.py [cars.json]
"""

import sys
from pathlib import Path

import pandas
from kore import KORERegressor, kore_diagnostic

default = Path(__file__).parents[1] / "data/cars.json"
cars = pandas.read_json(sys.argv[1] if len(sys.argv) > 1 else default).dropna(subset="Miles_per_Gallon")
cars["Year"] = pandas.to_datetime(cars["Year"])
X, y = cars.drop(columns=["Name", "Miles_per_Gallon"]), cars["Miles_per_Gallon"]
print(X.dtypes.to_string(), f"\n{X['Horsepower'].isna().sum()} rows without horsepower\n")

print("Suitable?", kore_diagnostic(X, y)["verdict"])
model = KORERegressor().fit(X, y)
print(model.describe())

# Columns are matched by name, and a level that training did not have is predicted with a warning.
new = X.tail(3)[["Origin", "Year", "Weight_in_lbs", "Horsepower", "Displacement", "Cylinders", "Acceleration"]]
print(model.predict(new).round(1), "miles per gallon; in truth", y.tail(3).to_list())

curves = model.effects()
print(curves[curves["term"] == "Weight_in_lbs"].iloc[::25].to_string(index=False))
