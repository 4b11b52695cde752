"""Tables whose models are exported, and rows to predict that no training had."""

import csv
import datetime
import gzip
import os

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pytest
from export_homes import ROOT

SHARED = ROOT.parent / "shared" / "data"


def cars(n=300):
    """Numbers with gaps, values that repeat, yes and no, dates, times, and texts that must be quoted."""
    random = np.random.default_rng(5)
    power = random.uniform(40, 230, n)
    weight = random.gamma(6, 200, n) + 700
    year = random.integers(70, 83, n).astype(float)
    origin = random.choice(["USA", "Europe", "Japan", 'O\'Neill "&" \\ Söhne', "a' OR '1'='1", "--;/*"], n)
    gears = random.choice([3.0, 4.0, 5.0, 2.5], n)
    turbo = random.uniform(size=n) < 0.3
    built = [datetime.date(1970, 1, 1) + datetime.timedelta(days=int(d)) for d in random.integers(0, 4000, n)]
    sold = [
        datetime.datetime(1990, 1, 1) + datetime.timedelta(seconds=int(s) * 977) for s in random.integers(0, 10**6, n)
    ]
    effect = np.array([0.0, 0.3, 0.5, -0.4, 0.2, 0.1])[np.unique(origin, return_inverse=True)[1]]
    level = 3.5 - 0.004 * power - 3e-4 * weight + 0.03 * (year - 70) + effect + 0.2 * turbo
    level += 0.3 * np.sin(power / 25) * (weight - 1900) / 1000 + 0.15 * (year == 75) + 0.05 * gears
    level += 0.2 * np.cos([d.toordinal() / 600 for d in built]) * (origin == "USA")
    target = np.exp(level + random.normal(0, 0.05, n))
    gaps = np.where(random.uniform(size=n) < 0.08, np.nan, power)
    origin = [None if r < 0.05 else str(o) for o, r in zip(origin, random.uniform(size=n), strict=True)]
    return pa.table(
        {
            "id": pa.array(range(n), pa.int64()),
            'Horse"power': pa.array([None if g != g else g for g in gaps], pa.float64()),
            "weight; DROP TABLE cars": pa.array(weight),
            "year": pa.array(year),
            "Origin`s": pa.array(origin, pa.string()),
            "gears": pa.array(gears),
            "turbo": pa.array(turbo),
            "built": pa.array(built, pa.date32()),
            "sold": pa.array(sold, pa.timestamp("us")),
            "mpg": pa.array(target),
        }
    )


def strange(table, target):
    """Rows of the table, and rows with gaps, unseen levels, values outside the range and far outside."""
    random = np.random.default_rng(8)
    rows = table.slice(0, 60).to_pylist()
    for name in table.column_names:
        if name in ("id", target):
            continue
        for value in unlike(table, name, random):
            rows.append({**rows[int(random.integers(60))], name: value})
    for row in [dict(row) for row in rows[:20]]:
        for name in random.choice(table.column_names, 3, replace=False):
            if name != target:
                row[name] = next(iter(unlike(table, name, random)))
        rows.append(row)
    for i, row in enumerate(rows):
        row["id"] = i
    return pa.Table.from_pylist(rows, table.schema)


def unlike(table, name, random):
    kind = table.schema.field(name).type
    yield None
    if pa.types.is_string(kind):
        yield from ("never seen", "", "'; DROP TABLE cars; --", "\\", "(other)", "(missing)")
    elif pa.types.is_boolean(kind):
        yield from (True, False)
    elif pa.types.is_date(kind):
        yield from (datetime.date(1950, 5, 5), datetime.date(2040, 2, 29))
    elif pa.types.is_timestamp(kind):
        yield from (datetime.datetime(1960, 1, 1, 1, 2, 3), datetime.datetime(2050, 1, 1, 23, 59, 59, 500000))
    elif pa.types.is_floating(kind) or pa.types.is_integer(kind):
        values = table[name].drop_null().to_numpy().astype(float)
        low, high = values.min(), values.max()
        for value in (low, high, low - (high - low) / 7, high + (high - low) * random.uniform(0.1, 3)):
            yield float(value) if pa.types.is_floating(kind) else round(value)
        yield float(high * 1e4 + 1e4) if pa.types.is_floating(kind) else 10**9


def claims(*kept):
    """Counts that grow with years, amounts, and classes with names that must be quoted."""
    random = np.random.default_rng(5)
    n = 400
    age, years = random.uniform(18, 80, n), random.uniform(0.2, 2, n)
    region = random.choice(["north", "south", "w'est"], n)
    mean = years * np.exp(0.4 * np.sin(age / 10) - 0.5 * (region == "w'est"))
    count = random.poisson(mean)
    columns = {
        "id": np.arange(n),
        "age": np.where(random.uniform(size=n) < 0.05, np.nan, age),
        "region": region,
        "years": years,
        "log years": np.log(years),
        "claims": count.astype(float),
        "amount": random.gamma(3, mean),
        "size": 3 * age / 40 + years + (region == "north") + random.normal(0, 0.3, n),
        "kind": np.where(age + random.normal(0, 9, n) > 50, "o'ld\n|", np.where(count > 0, 'one or "more"', "✿ none")),
    }
    table = pa.table({name: columns[name] for name in ("id", "age", "region", *kept)})
    gaps = table.schema.get_field_index("age")
    return table.set_column(gaps, "age", pa.array(columns["age"], from_pandas=True))


# Words of the languages and of the exports themselves, and signs that end a name somewhere.
ODD_NAMES = [
    "select", "double", "prediction", "class", "x0", "kept0", "eta0", "refused", "kore_input", "kore_0", "__proto__",
    "constructor", "toString", "9 lives", "a.b", "tab\there", "new\nline", 'qu"ote', "it's", "back\\slash", "`tick`",
    "[x]", "😀 grün", "?:/*--*/", "%s%d{0}", "a b", "a_b", "*/", "row",
]  # fmt: skip
ODD_LEVELS = [
    "", " ", "a", "a ", "A", "é", "e\u0301", "😀", "tab\t", "line\n", "return\r", "'", "''", '"', "\\", "\\'",
    "${x}", "${env:PATH}", "$$", "nul\0inside", "%d", "{0}", "NULL", "null", "nan", "(missing)", "(other)",
    "1", "1.0", "-- x", "/* x */", "x" * 900, "\x7f", "\x01", "?|,;",
]  # fmt: skip


def odd():
    """Every column has a name, and one of them levels, that some language could take for something else."""
    random = np.random.default_rng(9)
    n = 700
    level = random.integers(0, len(ODD_LEVELS), n)
    many = random.integers(0, 500, n)
    columns = {"id": np.arange(n)}
    target = 0.3 * np.sin(level) + np.cos(many / 80)
    for place, name in enumerate(ODD_NAMES):
        columns[name] = random.uniform(-1, 1, n)
        target = target + np.sin((2 + place % 3) * columns[name]) / (1 + place)
    columns["Levels?"] = np.array(ODD_LEVELS, dtype=object)[level]
    columns["500 levels"] = [f"l{m:03}'" for m in many]
    columns['`target` "of" all'] = target + random.normal(0, 0.05, n)
    return pa.table(columns)


def hours():
    """Numbers that begin again, alone and with others: hours, and directions of which rows have several rounds."""
    random = np.random.default_rng(12)
    n = 400
    hour, wind, x = random.integers(6, 23, n).astype(float), random.uniform(-200, 700, n), random.uniform(-1, 1, n)
    kind = random.choice(["a", "b"], n)
    turn, angle = hour / 24 * 2 * np.pi, wind / 180 * np.pi
    target = np.sin(turn) * (1 + 2 * x) + np.cos(angle) * (kind == "a") + x + random.normal(0, 0.1, n)
    gaps = pa.array(np.where(random.uniform(size=n) < 0.08, np.nan, hour), from_pandas=True)
    return pa.table({"id": np.arange(n), "hour": gaps, "wind": wind, "x": x, "kind": kind, "y": target})


def shifts():
    """Classes that depend on numbers that begin again."""
    table = hours().drop(["y"])
    random = np.random.default_rng(13)
    angle = table["wind"].to_numpy() / 180 * np.pi
    score = np.cos(angle) + table["x"].to_numpy() + random.normal(0, 0.4, table.num_rows)
    shift = np.where(score > 0.6, "late", np.where(score > -0.6, "early", "night"))
    return table.append_column("shift", pa.array(shift))


def sizes():
    """Numbers of very different sizes."""
    random = np.random.default_rng(10)
    n = 300
    tiny, huge, whole, near = random.uniform(0, 1, (4, n))
    target = np.sin(5 * tiny) + huge**2 + whole + np.cos(4 * near)
    return pa.table(
        {
            "id": np.arange(n),
            "tiny": tiny * 1e-90,
            "huge": (huge - 0.5) * 1e80,
            "whole": (whole * 2**60).astype(np.int64),
            "far from zero": 1e9 + near,
            "from zero": np.where(near < 0.1, 0.0, near),
            "target": 1e12 * (target + random.normal(0, 0.05, n)),
        }
    )


def shared(name, target, rows=500):
    path = SHARED / f"{name}.csv.gz"
    if not path.exists():
        pytest.skip(f"there is no {path.name}")
    with gzip.open(path) as file:
        table = pa.csv.read_csv(file, convert_options=pa.csv.ConvertOptions(strings_can_be_null=True))
    table = table.take(np.sort(np.random.default_rng(1).permutation(table.num_rows)[:rows]))
    assert target in table.column_names
    return table.add_column(0, "id", pa.array(range(table.num_rows), pa.int64()))


# By name: what makes the table, and its target.
TABLES = {
    "cars": (cars, "mpg"),
    "turbos": (cars, "turbo"),
    "diamonds": (lambda: shared("responses/diamonds_price", "price"), "price"),
    "bikes": (lambda: shared("responses/bike_sharing_hourly", "cnt"), "cnt"),
    "abalone": (lambda: shared("abalone", "Class_Rings"), "Class_Rings"),
    "exposures": (lambda: claims("years", "claims"), "claims"),
    "log exposures": (lambda: claims("log years", "claims"), "claims"),
    "amounts": (lambda: claims("log years", "amount"), "amount"),
    "sizes of claims": (lambda: claims("years", "size"), "size"),
    "kinds": (lambda: claims("years", "kind"), "kind"),
    "odd": (odd, '`target` "of" all'),
    "sizes": (sizes, "target"),
    "hours": (hours, "y"),
    "shifts": (shifts, "shift"),
}
QUICK = ["--referee-folds", "1"]
# By name: the table, and the options of its fit.
MODELS = {
    "cars-log": ("cars", ["--scale", "log", "--categorical", "gears", *QUICK]),
    "cars-sqrt": ("cars", ["--scale", "sqrt", *QUICK]),
    "cars-plain": ("cars", ["--scale", "identity", "--degree", "2", *QUICK]),
    "cars-paper": ("cars", ["--profile", "paper", "--max-g-additive", "6", "--max-g-pairwise", "2"]),
    "cars-robust": ("cars", ["--robust", *QUICK]),
    "cars-linear": ("cars", ["--linear", "year,built", "--scale", "identity", *QUICK]),
    "cars-gamma": ("cars", ["--family", "gamma", *QUICK]),
    "turbos": ("turbos", QUICK),
    "diamonds": ("diamonds", QUICK),
    "diamonds-paper": ("diamonds", ["--profile", "paper", "--structure", "additive"]),
    "bikes": ("bikes", QUICK),
    "abalone": ("abalone", QUICK),
    "counts-exposure": ("exposures", ["--family", "poisson", "--exposure", "years", *QUICK]),
    "counts-offset": ("log exposures", ["--family", "poisson", "--offset", "log years", *QUICK]),
    "amounts-offset": ("amounts", ["--family", "gamma", "--offset", "log years", *QUICK]),
    "sizes-offset": ("sizes of claims", ["--family", "normal", "--offset", "years", *QUICK]),
    "counts-negative-binomial": ("exposures", ["--family", "negative_binomial", *QUICK]),
    "classes": ("kinds", QUICK),
    "odd": ("odd", ["--max-order", "2", "--max-levels", "600", *QUICK]),
    "sizes": ("sizes", QUICK),
    "hours": ("hours", ["--cyclic", "hour:24,wind:360", *QUICK]),
    "hours-paper": ("hours", ["--profile", "paper"]),
    "hours-classes": ("shifts", ["--cyclic", "hour:24,wind:360", "--max-order", "1", *QUICK]),
}


def every_shared_table():
    """Models of all shared tables and of all families: minutes, so that they are asked for."""
    for path in sorted(SHARED.glob("*.csv.gz")):
        name = path.name.removesuffix(".csv.gz")
        with gzip.open(path, "rt") as file:
            target = next(csv.reader(file))[-1]
        yield name, lambda name=name, target=target: shared(name, target), target, []
    with open(SHARED / "responses" / "index.csv", newline="") as file:
        for row in csv.DictReader(file):
            options = {"count": ["--family", "poisson"], "positive": ["--family", "gamma"]}.get(row["task"], [])
            if row["exposure_column"]:
                options += ["--exposure", row["exposure_column"]]
            if row["task"] == "multiclass":
                options += ["--family", "multinomial", "--max-order", "1"]
            name, target = f"responses/{row['name']}", row["target"]
            yield name, lambda name=name, target=target: shared(name, target), target, options


if os.environ.get("KORE_LONG_TESTS") and SHARED.exists():
    for name, make, target, options in every_shared_table():
        TABLES[f"shared {name}"] = (make, target)
        MODELS[f"shared-{name}"] = (f"shared {name}", [*options, *QUICK])
