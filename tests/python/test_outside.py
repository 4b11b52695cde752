"""Rows outside the training range, and training rows that decide their own prediction."""

import json

import numpy as np
import pandas
from kore import KORERegressor


def made_up_table(rows: int = 300) -> tuple[pandas.DataFrame, np.ndarray]:
    random = np.random.default_rng(5)
    table = pandas.DataFrame(
        {
            "size": random.uniform(20, 150, rows),
            "age": random.uniform(0, 60, rows),
            "city": random.choice(["Bonn", "Köln"], rows),
        }
    )
    return table, 8 * table["size"] - 3 * table["age"] + 40 * random.standard_normal(rows)


def test_rows_outside_the_training_range_are_counted_by_feature():
    table, y = made_up_table()
    model = KORERegressor().fit(table, y)
    new = pandas.DataFrame(
        {
            "size": [60, 300, 300, np.nan],
            "age": [20, 20, -10, 20],
            "city": ["Bonn", "Köln", "Bonn", "Bonn"],
        }
    )
    outside = model.outside(new)
    assert outside.dtype == np.int64
    assert outside.tolist() == [0, 1, 2, 0]
    assert model.outside(table).max() == 0


def test_intervals_widen_outside_as_those_of_the_command(tmp_path, command):
    table, y = made_up_table()
    model = KORERegressor().fit(table, y)
    new = pandas.DataFrame({"size": [140.0, 200.0, 260.0], "age": [20.0, 20.0, 20.0], "city": ["Bonn"] * 3})
    prediction, lower, upper = model.predict(new, return_interval=0.9)
    widths = upper - lower
    assert widths[1] > 1.2 * widths[0]
    assert widths[2] > 1.1 * widths[1]
    model.save(tmp_path / "flats.kore")
    new.to_csv(tmp_path / "new.csv", index=False)
    command("predict", "flats.kore", "new.csv", "--interval", 0.9, "--outside", "-o", "out.csv", folder=tmp_path)
    written = pandas.read_csv(tmp_path / "out.csv")
    np.testing.assert_allclose(written[["prediction", "lower", "upper"]], np.c_[prediction, lower, upper], rtol=1e-12)
    assert written["outside"].tolist() == [0, 1, 1]


def test_rows_with_a_leverage_near_one_are_named(tmp_path, command):
    table, y = made_up_table()
    table.loc[123, "city"] = "Atlantis"
    y[123] = 50_000
    model = KORERegressor().fit(table, y)
    (row,) = model.influential_rows_
    assert row["row"] == 123
    assert row["leverage"] > 0.9
    assert row["features"] == ["city"]
    model.save(tmp_path / "flats.kore")
    assert json.loads(command("info", "flats.kore", "--json", folder=tmp_path))["influential_rows"]["rows"] == [row]
