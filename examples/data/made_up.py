#!/usr/bin/env python3
"""Tables made up for the tutorials, always the same. What is true in them is known: a model can be compared with it.

Usage: python made_up.py houses|claims|loans|trips FILE    (FILE ends in .csv or .parquet)
"""

import sys

import numpy as np
import pandas

# RandomState gives the same numbers in every version of NumPy.


def houses(rows=1500):
    """Houses and what they were sold for, in thousands: by area, age, place, condition and day of the sale."""
    random = np.random.RandomState(11)
    area = random.lognormal(4.7, 0.35, rows).round()
    built = random.randint(1900, 2023, rows)
    east, north = random.uniform(-8, 8, rows).round(2), random.uniform(-6, 6, rows).round(2)
    condition = random.choice(["poor", "fair", "good", "new"], rows, p=[0.1, 0.3, 0.45, 0.15])
    sold = pandas.Timestamp("2021-01-01") + pandas.to_timedelta(random.randint(0, 1400, rows), unit="D")
    centre = np.exp(-((east - 2) ** 2 + (north + 1) ** 2) / 18)
    worth = pandas.Series(condition).map({"poor": -0.25, "fair": -0.08, "good": 0.0, "new": 0.12}).to_numpy()
    age = -0.25 * np.sin(np.pi * np.minimum(2023 - built, 90) / 90)
    market = 0.12 * np.tanh((sold - pandas.Timestamp("2022-06-01")).days.to_numpy() / 250)
    log_price = 1.1 + 0.85 * np.log(area) + 0.7 * centre + worth + age + market + random.normal(0, 0.09, rows)
    table = pandas.DataFrame(
        {"area": area, "built": built, "east": east, "north": north, "condition": condition, "sold": sold.date}
    )
    table.loc[random.uniform(size=rows) < 0.04, "built"] = np.nan  # not everybody knows
    return table.assign(built=table["built"].astype("Int64"), price=np.exp(log_price).round(1))


def claims(rows=6000):
    """Policies of drivers, how many years each was insured, and how many claims there were."""
    random = np.random.RandomState(4)
    age, power = random.uniform(18, 80, rows).round(), random.uniform(40, 200, rows).round()
    region = random.choice(["coast", "hills", "town"], rows)
    years = random.uniform(0.05, 1, rows).round(2)
    rate = np.exp(-2.2 + 1.5 * np.exp(-(age - 18) / 10) + 0.003 * power + 0.4 * (region == "town"))
    number = random.poisson(rate * years)
    return pandas.DataFrame({"age": age, "power": power, "region": region, "years": years, "claims": number})


def loans(rows=3000):
    """Loans, and whether they were paid back."""
    random = np.random.RandomState(8)
    income, age = random.lognormal(10.3, 0.5, rows).round(), random.uniform(20, 70, rows).round()
    months = random.choice([12, 24, 36, 48, 60], rows)
    purpose = random.choice(["car", "house", "travel"], rows)
    wealth = np.minimum(income / 20_000, 3)
    length = months / 40 * (1 + (45 - age) / 60)
    log_odds = 1.3 * wealth - 1.6 - length - (purpose == "travel")
    paid = np.where(random.uniform(size=rows) < 1 / (1 + np.exp(-log_odds)), "yes", "no")
    table = pandas.DataFrame({"income": income, "age": age, "months": months, "purpose": purpose, "paid": paid})
    table.loc[random.uniform(size=rows) < 0.06, "income"] = np.nan
    return table


def trips(rows=700_000):
    """Trips of taxis: the minutes that they took, by distance, hour, rain and district."""
    random = np.random.RandomState(3)
    distance, hour = random.gamma(2.0, 2.5, rows).round(2), random.uniform(0, 24, rows).round(2)
    rain, district = random.exponential(1.0, rows).round(1), random.choice(list("ABCDEF"), rows)
    passengers, fare_zone = random.randint(1, 5, rows), random.randint(1, 4, rows)
    rush = 1 + 0.5 * np.exp(-(((hour - 8.5) / 1.5) ** 2)) + 0.6 * np.exp(-(((hour - 17.5) / 2) ** 2))
    minutes = 2 + 2.1 * distance * rush + 0.8 * np.sqrt(rain) + 1.5 * (district == "C") + random.normal(0, 2.0, rows)
    columns = {"distance": distance, "hour": hour, "rain": rain, "district": district, "passengers": passengers}
    return pandas.DataFrame({**columns, "fare_zone": fare_zone, "minutes": np.maximum(minutes, 1).round(1)})


TABLES = {"houses": houses, "claims": claims, "loans": loans, "trips": trips}

if __name__ == "__main__":
    name, path = sys.argv[1:]
    table = TABLES[name]()
    table.to_parquet(path, index=False) if path.endswith(".parquet") else table.to_csv(path, index=False)
