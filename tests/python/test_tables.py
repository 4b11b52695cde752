"""The same table, however it is held, is the same model."""

import datetime
import decimal
import json
import tracemalloc

import numpy as np
import pandas
import polars
import pyarrow
import pytest
from kore import KOREAdditiveRegressor, KORERegressor


def as_pandas(columns):
    return pandas.DataFrame(columns)


def as_polars(columns):
    return polars.DataFrame({name: list(v) if v.dtype == object else v for name, v in columns.items()})


def as_arrow(columns):
    return pyarrow.table({name: pyarrow.array(v) for name, v in columns.items()})


def as_chunked_arrow(columns):
    table = as_polars(columns).to_arrow()
    return pyarrow.concat_tables([table.slice(0, 130), table.slice(130, 1), table.slice(131)])


class Streamed:
    """Nothing but the interface: how any library of tables may look."""

    def __init__(self, table):
        self._table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self._table.__arrow_c_stream__(requested_schema)


LIBRARIES = {
    "pandas": as_pandas,
    "polars": as_polars,
    "arrow": as_arrow,
    "chunked arrow": as_chunked_arrow,
    "stream": lambda columns: Streamed(as_arrow(columns)),
}


@pytest.fixture(scope="module")
def reference(shop):
    columns, price = shop
    return KORERegressor().fit(as_pandas(columns), price).predict(as_pandas(columns))


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_table_means_the_same_in_every_library(shop, reference, library):
    columns, price = shop
    table = LIBRARIES[library](columns)
    model = KORERegressor().fit(table, price)
    np.testing.assert_array_equal(model.predict(table), reference)
    assert list(model.feature_names_in_) == list(columns)
    assert model.n_features_in_ == len(columns)


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64, np.int16, np.uint8, bool, object, ">f8"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_arrays_of_any_type_and_order_are_the_numbers_they_hold(dtype, order):
    random = np.random.default_rng(1)
    whole = random.integers(0, 2 if dtype is bool else 50, size=(200, 3))
    y = whole @ [1.0, 2.0, -1.0] + random.normal(0, 0.1, 200)
    expected = KOREAdditiveRegressor().fit(whole.astype(float), y).predict(whole.astype(float))
    X = np.array(whole, dtype=dtype, order=order)
    np.testing.assert_allclose(KOREAdditiveRegressor().fit(X, y).predict(X), expected, rtol=1e-12)


@pytest.mark.parametrize("view", [np.s_[::2, :], np.s_[::-1, ::-1], np.s_[100:, 1:3], np.s_[:, ::3]])
def test_views_with_gaps_are_read_where_they_lie(waves, view):
    X, y = waves
    rows = y[view[0]]
    copied = np.ascontiguousarray(X[view])
    np.testing.assert_array_equal(
        KORERegressor().fit(X[view], rows).predict(X[view]), KORERegressor().fit(copied, rows).predict(copied)
    )


def test_a_field_of_records_is_read_though_it_lies_askew():
    records = np.zeros(100, dtype=[("flag", "i1"), ("x", "f8")])
    records["x"] = np.linspace(0, 1, 100)
    X = records["x"][:, np.newaxis]
    model = KOREAdditiveRegressor().fit(X, np.sin(records["x"]))
    assert model.score(X, np.sin(records["x"])) > 0.99


def test_numbers_are_not_copied():
    X = np.random.default_rng(0).uniform(size=(200_000, 10))
    y = X[:, 0]
    for table in (X, np.asfortranarray(X), pandas.DataFrame(X), polars.DataFrame(X)):
        tracemalloc.start()
        KOREAdditiveRegressor(max_G=2).fit(table, y)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert peak < X.nbytes / 2, type(table)


@pytest.mark.parametrize(
    "column",
    [
        pandas.Series([1, 2, None, 4] * 25, dtype="Int64"),
        pandas.Series([1.5, 2, None, 4] * 25, dtype="Float64"),
        pandas.Series([True, None, False, True] * 25, dtype="boolean"),
        pandas.Series(["a", "b", None, "c"] * 25, dtype="string"),
        pandas.Series(["a", "b", None, "c"] * 25, dtype="category"),
        pandas.Series([3, 1, None, 2] * 25, dtype="category"),
        pandas.Series(pandas.to_datetime(["2024-01-01", None, "2024-05-01", "2025-01-01"] * 25)),
        pandas.Series(pandas.to_datetime(["2024-01-01", None, "2024-05-01", "2025-01-01"] * 25, utc=True)),
        pandas.Series([1, "b", None, True] * 25, dtype=object),
        pandas.Series(["a", "b", None, "c"] * 25, dtype=pandas.ArrowDtype(pyarrow.string())),
        pandas.Series([1, 2, None, 4] * 25, dtype=pandas.ArrowDtype(pyarrow.int64())),
    ],
    ids=lambda column: str(column.dtype),
)
def test_every_kind_of_pandas_column_is_understood(column):
    y = np.tile([1.0, 2.0, 3.0, 1.0], 25) + np.linspace(0, 0.1, 100)
    table = pandas.DataFrame({"x": column, "z": np.linspace(0, 1, 100)})
    model = KOREAdditiveRegressor().fit(table, y)
    assert model.score(table, y) > 0.9


@pytest.mark.parametrize(
    "kind",
    [
        pyarrow.int8(), pyarrow.uint16(), pyarrow.int32(), pyarrow.uint64(), pyarrow.float16(), pyarrow.float32(),
        pyarrow.decimal128(21, 2), pyarrow.date32(), pyarrow.date64(), pyarrow.timestamp("s"), pyarrow.timestamp("ns"),
        pyarrow.string(), pyarrow.large_string(), pyarrow.string_view(), pyarrow.bool_(),
        pyarrow.dictionary(pyarrow.int8(), pyarrow.string()),
    ],
    ids=str,
)  # fmt: skip
def test_every_kind_of_arrow_column_is_understood(kind):
    values = [1, 2, None, 4] * 25
    if pyarrow.types.is_dictionary(kind) or "string" in str(kind):
        values = [None if value is None else f"level number {value}" for value in values]
    elif pyarrow.types.is_boolean(kind):
        values = [True, True, None, False] * 25
    elif pyarrow.types.is_temporal(kind):
        values = [None if v is None else datetime.datetime(2024, v, 1) for v in values]
    elif pyarrow.types.is_floating(kind):
        values = [None if v is None else np.float16(v) for v in values]
    y = np.tile([1.0, 1.2, 3.0, 5.0], 25) + np.linspace(0, 0.01, 100)
    plain = pyarrow.array(values).cast(kind) if kind != pyarrow.float16() else pyarrow.array(values, kind)
    table = pyarrow.table({"x": plain, "z": pyarrow.array(np.linspace(0, 1, 100))})
    # A slice begins in the middle of its buffers.
    model = KOREAdditiveRegressor().fit(table.slice(2, 90), y[2:92])
    assert model.score(table.slice(2, 90), y[2:92]) > 0.8


@pytest.mark.parametrize("library", [pyarrow.table, polars.DataFrame])
def test_a_column_without_any_value_is_left_out(waves, library):
    X, y = waves
    nothing = pyarrow.nulls(len(y)) if library is pyarrow.table else [None] * len(y)
    table = library({"x": X[:, 0], "nothing": nothing})
    model = KOREAdditiveRegressor().fit(table, y)
    assert "Column 'nothing' is left out" in model.notes_[0]
    assert np.isfinite(model.predict(table)).all()


def test_a_column_of_lists_is_refused_by_name():
    table = pyarrow.table({"x": [[1], [2]] * 5, "z": list(range(10))})
    with pytest.raises(ValueError, match="Column 'x' holds values that are neither numbers, times nor texts"):
        KORERegressor().fit(table, np.arange(10.0))


def test_polars_categoricals_are_categories(shop):
    columns, price = shop
    table = as_polars(columns)
    coded = table.with_columns(polars.col("city").cast(polars.Categorical))
    np.testing.assert_array_equal(
        KORERegressor().fit(coded, price).predict(coded), KORERegressor().fit(table, price).predict(table)
    )


def test_columns_are_matched_by_name(shop, reference):
    columns, price = shop
    model = KORERegressor().fit(as_pandas(columns), price)
    turned = as_polars(columns).select(reversed(columns)).with_columns(polars.lit(1).alias("more"))
    np.testing.assert_array_equal(model.predict(turned), reference)
    with pytest.raises(ValueError, match="There is no column 'area' in X, which the model needs"):
        model.predict(turned.drop("area"))


def test_arrays_count_by_position_and_scikit_learn_warns(waves):
    X, y = waves
    named = pandas.DataFrame(X, columns=list("abcd"))
    model = KORERegressor().fit(named, y)
    with pytest.warns(UserWarning, match="X does not have valid feature names"):
        np.testing.assert_array_equal(model.predict(X), model.predict(named))


def test_two_columns_of_one_name_are_refused(waves):
    X, y = waves
    with pytest.raises(ValueError, match="two columns 'a'"):
        KORERegressor().fit(pandas.DataFrame(X, columns=list("abad")), y)


def test_numbers_can_be_declared_categories():
    random = np.random.default_rng(5)
    codes = random.integers(0, 6, 300)
    y = np.array([0.0, 5.0, -3.0, 8.0, 1.0, 2.0])[codes] + random.normal(0, 0.1, 300)
    X = np.column_stack([codes, random.uniform(size=300)])
    by_place = KORERegressor(categorical_features=[0]).fit(X, y)
    by_mask = KORERegressor(categorical_features=[True, False]).fit(X, y)
    texts = pandas.DataFrame({"x0": pandas.Categorical(codes), "x1": X[:, 1]})
    by_type = KORERegressor().fit(texts, y)
    np.testing.assert_array_equal(by_place.predict(X), by_mask.predict(X))
    np.testing.assert_array_equal(by_place.predict(X), by_type.predict(texts))
    assert by_place.score(X, y) > 0.99


def hours(count=600, seed=4):
    """An effect for every hour of the day, in no order."""
    random = np.random.default_rng(seed)
    hour = random.integers(0, 24, count)
    columns = {"hour": hour, "x": random.uniform(size=count)}
    return columns, random.normal(size=24)[hour] + np.sin(3 * columns["x"]) + random.normal(0, 0.1, count)


def kinds_of(model):
    return {feature["name"]: feature["kind"] for feature in json.loads(model._model.to_json())["features"]}


@pytest.mark.parametrize("library", LIBRARIES)
def test_texts_of_digits_stay_texts_in_every_library(library):
    columns, y = hours()
    texts = {**columns, "hour": columns["hour"].astype(str).astype(object)}
    model = KORERegressor().fit(LIBRARIES[library](texts), y)
    assert kinds_of(model) == {"hour": "category", "x": "number"}
    declared = KORERegressor(categorical_features=["hour"]).fit(as_pandas(columns), y)
    np.testing.assert_array_equal(model.predict(LIBRARIES[library](texts)), declared.predict(as_pandas(columns)))
    assert any("though all of its values are numbers" in note for note in model.notes_)


def test_numbers_inside_objects_are_numbers_and_texts_stay_texts():
    columns, y = hours()
    numbers = np.column_stack([columns["hour"], columns["x"]])
    objects = numbers.astype(object)
    np.testing.assert_array_equal(
        KORERegressor().fit(objects, y).predict(objects), KORERegressor().fit(numbers, y).predict(numbers)
    )
    objects[:, 0] = columns["hour"].astype(str)
    assert kinds_of(KORERegressor().fit(objects, y)) == {"x0": "category", "x1": "number"}
    assert kinds_of(KORERegressor().fit(columns["hour"].astype(str).reshape(-1, 1), y)) == {"x0": "category"}


def test_texts_of_digits_stay_texts_in_chunks():
    columns, y = hours()
    table = as_pandas({**columns, "hour": columns["hour"].astype(str)})
    whole = KORERegressor().fit(table, y)
    model = KORERegressor().fit_chunks([(table[:200], y[:200]), (table[200:], y[200:])])
    np.testing.assert_allclose(model.predict(table), whole.predict(table), rtol=1e-9)


def test_hundreds_of_levels_have_effects_of_their_own():
    random = np.random.default_rng(6)
    shop = np.tile(np.arange(200), 30)
    x = random.uniform(size=6000)
    y = random.normal(size=200)[shop] + np.sin(6 * x) + random.normal(0, 0.1, 6000)
    table = pandas.DataFrame({"shop": [f"shop {number}" for number in shop], "x": x})
    assert KORERegressor().fit(table[:3000], y[:3000]).score(table[3000:], y[3000:]) > 0.98
    few = KORERegressor(max_levels=20).fit(table[:3000], y[:3000])
    assert any("the 180 rarest are grouped" in note and "max_levels= sets" in note for note in few.notes_)


@pytest.mark.parametrize("wrong", [0, -1, 2.5, "many", True])
def test_a_wrong_number_of_levels_is_refused(waves, wrong):
    X, y = waves
    with pytest.raises(ValueError, match="max_levels must be None or an integer of 1 or more"):
        KORERegressor(max_levels=wrong).fit(X, y)


def test_numbers_that_look_like_codes_are_noted():
    random = np.random.default_rng(7)
    zips = random.choice(np.arange(10_000, 99_999), 80, replace=False)
    row = random.integers(0, 80, 1500)
    y = random.normal(size=80)[row] + random.normal(0, 0.5, 1500)
    model = KOREAdditiveRegressor().fit(pandas.DataFrame({"zip": zips[row]}), y)
    assert any("categorical_features=['zip'] gives each" in note for note in model.notes_)
    smooth = KOREAdditiveRegressor().fit(pandas.DataFrame({"zip": zips[row]}), np.sin(zips[row] / 2e4))
    assert smooth.notes_ == []


def test_what_training_has_not_seen_is_predicted_with_a_warning(shop):
    columns, price = shop
    model = KORERegressor().fit(as_pandas(columns), price)
    new = as_pandas(columns).head(3)
    new.loc[0, "city"] = "Paris"
    new.loc[1, "rooms"] = np.nan
    with pytest.warns(UserWarning) as caught:
        assert np.isfinite(model.predict(new)).all()
    messages = "\n".join(str(warning.message) for warning in caught)
    assert "a level that training did not have" in messages
    assert "'rooms': 1 row without a value" in messages


def dates(count, seed=5):
    random = np.random.default_rng(seed)
    return [datetime.date(2023, 1, 1) + datetime.timedelta(days=int(day)) for day in random.integers(0, 700, count)]


@pytest.mark.parametrize("gap", [None, np.nan, pandas.NaT, pandas.NA])
def test_objects_that_are_dates_are_the_dates_of_arrow(gap):
    """As Spark's toPandas gives them."""
    days = dates(300)
    y = np.sin(np.array([day.toordinal() for day in days]) / 90)
    known = pyarrow.table({"day": pyarrow.array([None, *days[1:]], pyarrow.date32())})
    objects = pandas.DataFrame({"day": pandas.Series([gap, *days[1:]], dtype=object)})
    model = KOREAdditiveRegressor().fit(known, y)
    assert (model.predict(objects) == model.predict(known)).all()
    assert (KOREAdditiveRegressor().fit(objects, y).predict(known) == model.predict(known)).all()
    assert (model.predict(known.to_pandas()) == model.predict(known)).all()


def test_objects_that_are_times_are_read_in_utc():
    zone = datetime.timezone(datetime.timedelta(hours=2))
    times = [datetime.datetime(day.year, day.month, day.day, 6, 30) for day in dates(300)]
    y = np.sin(np.arange(300.0))
    aware = [time.replace(tzinfo=datetime.timezone.utc).astimezone(zone) for time in times]
    expected = KOREAdditiveRegressor().fit(pyarrow.table({"at": times}), y)
    for objects in (times, aware):
        frame = pandas.DataFrame({"at": pandas.Series(objects, dtype=object)})
        assert (expected.predict(frame) == expected.predict(pyarrow.table({"at": times}))).all()


def test_objects_that_are_decimals_are_numbers():
    values = np.arange(300) / 4
    frame = pandas.DataFrame({"price": pandas.Series([decimal.Decimal(str(v)) for v in values], dtype=object)})
    model = KOREAdditiveRegressor().fit(pandas.DataFrame({"price": values}), np.sin(values / 9))
    assert (model.predict(frame) == model.predict(pandas.DataFrame({"price": values}))).all()


@pytest.mark.parametrize(
    "kind", [pyarrow.decimal32(9, 2), pyarrow.decimal64(18, 2), pyarrow.decimal128(38, 2)], ids=str
)
def test_decimals_below_zero_are_the_numbers_they_are(kind):
    values = np.arange(-150, 150) / 4
    decimals = pyarrow.array([decimal.Decimal(str(v)) for v in values], kind)
    model = KOREAdditiveRegressor().fit(pyarrow.table({"price": values}), np.sin(values / 9))
    assert (model.predict(pyarrow.table({"price": decimals})) == model.predict(pyarrow.table({"price": values}))).all()


def test_every_number_of_sixteen_bits_is_read():
    numbers = np.arange(65536, dtype=np.uint16).view(np.float16)
    finite = numbers[np.isfinite(numbers)]
    half, double = (pyarrow.table({"x": pyarrow.array(finite.astype(kind))}) for kind in (np.float16, np.float64))
    model = KOREAdditiveRegressor().fit(double, np.arctan(finite.astype(float)))
    assert (model.predict(half) == model.predict(double)).all()


def test_dates_among_texts_are_refused():
    frame = pandas.DataFrame({"day": pandas.Series([*dates(9), "soon"], dtype=object)})
    with pytest.raises(TypeError, match="Column 'day' holds dates and a value of type 'str'"):
        KOREAdditiveRegressor().fit(frame, np.arange(10.0))
