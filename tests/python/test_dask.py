"""Dask, in small: the same model from partitions. `make test-cluster` has workers that are processes."""

import pandas
import pyarrow as pa
import pytest
from clusters import check_families, check_groups_and_precisions, check_same, claims_table, cut, known_rows, make_table

pytest.importorskip("dask.dataframe")
import dask
import dask.dataframe
import kore.dask

FEATURES = ["city", "area", "age", "garden", "sold"]


@pytest.fixture(scope="module")
def table():
    return make_table(600)


def fit(parts):
    return kore.dask.fit(parts, target="price", weight="count", features=FEATURES, pairs="none")


def test_delayed_partitions_give_the_model_of_the_whole(table):
    model = fit([dask.delayed(part) for part in cut(table)])
    check_same(model, known_rows(table), FEATURES, "count", pairs="none")
    assert model.dropped_rows_ == table.num_rows - known_rows(table).num_rows


def test_groups_and_precisions_are_those_of_one_machine(table):
    check_groups_and_precisions(kore.dask.fit, [dask.delayed(part) for part in cut(table)], table)


def test_families_are_those_of_one_machine():
    table = claims_table()
    check_families(kore.dask, dask.dataframe.from_pandas(table.to_pandas(), npartitions=3), table)


def test_a_dask_dataframe_gives_the_model_of_the_whole_and_its_predictions(table):
    ddf = dask.dataframe.from_pandas(table.to_pandas(), npartitions=5)
    model = fit(ddf)
    check_same(model, known_rows(table), FEATURES, "count", pairs="none")
    found = model.transform(ddf, interval=0.9).compute()
    expected, lower, upper = model.predict(table, return_interval=0.9)
    assert (found["prediction"] == expected).all()
    assert (found["prediction_lower"] == lower).all()
    assert (found["prediction_upper"] == upper).all()
    pandas.testing.assert_frame_equal(found[["area", "age"]], table.to_pandas()[["area", "age"]])


def test_texts_of_digits_stay_texts(table):
    texts = table.append_column("block", pa.array([f"{row * 7 % 30:02d}" for row in range(table.num_rows)]))
    model = kore.dask.fit(
        [dask.delayed(part) for part in cut(texts)], target="price", features=["area", "block"], pairs="none"
    )
    check_same(model, known_rows(texts), ["area", "block"], pairs="none")


def test_an_index_is_no_column(table):
    ddf = dask.dataframe.from_pandas(table.to_pandas().set_index("age"), npartitions=2, sort=False)
    assert list(kore.dask.fit(ddf, target="price", pairs="none").feature_names_in_) == [
        name for name in table.column_names if name not in ("age", "price")
    ]


def test_errors_of_partitions_come_through(table):
    @dask.delayed
    def read():
        raise OSError("the disk is gone")

    with pytest.raises(OSError, match="the disk is gone"):
        fit([dask.delayed(table), read()])
    with pytest.raises(ValueError, match="no partitions"):
        fit([])


def test_texts_of_the_type_object_are_categories(table):
    with dask.config.set({"dataframe.convert-string": False}):
        frame = table.to_pandas()
        frame["city"] = frame["city"].astype(object)
        check_same(
            fit(dask.dataframe.from_pandas(frame, npartitions=5)), known_rows(table), FEATURES, "count", pairs="none"
        )


def test_what_reads_local_tables_refuses_those_of_dask(table):
    ddf = dask.dataframe.from_pandas(table.to_pandas(), npartitions=2)
    with pytest.raises(TypeError, match=r"X is a DataFrame of Dask.*kore.dask.transform predicts.*df.compute\(\)"):
        fit(ddf).predict(ddf)


def test_tables_without_rows_or_targets_are_refused(table):
    with pytest.raises(ValueError, match="There are no rows in the table"):
        fit([table.slice(0, 0), table.slice(0, 0)])
    gone = table.slice(0, 50).set_column(5, "price", pa.nulls(50, pa.float64()))
    with pytest.raises(ValueError, match="The target 'price' has no value in any row"):
        fit([gone, table.slice(0, 0)])


def test_a_fit_that_fails_leaves_the_estimator_as_it_was(table):
    model = fit([table])
    expected = model.predict(table)
    with pytest.raises(ValueError, match="no value in some rows"):
        model.fit([table], target="age", weight="price", features=["count"])
    assert (model.predict(table) == expected).all()
    assert list(model.feature_names_in_) == FEATURES
    assert len(model.passes_) > 1


def in_dask(table, parts=3):
    return dask.dataframe.from_pandas(table.to_pandas(), npartitions=parts)


def test_arguments_of_a_fit_are_checked(table):
    for local in (table.to_pandas(), table):
        with pytest.raises(TypeError, match=r"takes DataFrames of Dask or delayed tables, got (pandas|pyarrow)"):
            fit(local)
    numbered = table.to_pandas()[["area", "age"]].set_axis([0, 1], axis=1)
    with pytest.raises(ValueError, match=r"must be texts, got 0: rename them by df.rename\(columns=str\)"):
        kore.dask.fit(dask.dataframe.from_pandas(numbered, npartitions=2), target=1)
    with pytest.raises(ValueError, match="no column 'age' in one of the partitions"):
        fit([table, table.drop_columns(["age"])])
    mixed = pandas.DataFrame({"q": pandas.Series([1, "a"], dtype=object), "price": [1.0, 2.0]})
    with pytest.raises(ValueError, match=r"Values of a partition do not go together: .* column q"):
        kore.dask.fit(dask.delayed(mixed), target="price")
    for target in ("city", "sold"):
        with pytest.raises(ValueError, match=rf"Column '{target}' is of type .* target and weight must be numbers"):
            kore.dask.fit(in_dask(table), target=target, features=["age"])


def test_one_delayed_table_is_a_partition(table):
    model = fit(dask.delayed(table))
    assert {record["partitions"] for record in model.passes_} == {1}
    assert (model.predict(table) == fit([table]).predict(table)).all()


def test_arguments_of_transform_are_checked_at_the_call(table):
    ddf = in_dask(table)
    model = fit(ddf)
    with pytest.raises(TypeError, match="works on DataFrames of Dask, got pandas"):
        model.transform(table.to_pandas())
    with pytest.raises(ValueError, match="no column 'city', which the model was fitted with"):
        model.transform(ddf.drop(columns="city"))
    with pytest.raises(ValueError, match="column 'price' already"):
        model.transform(ddf, "price")
    with pytest.raises(ValueError, match="Column 'area' holds dates or times"):
        model.transform(ddf.assign(area=ddf["sold"]))


def test_predictions_that_a_family_does_not_have_are_refused_at_the_call():
    table = claims_table(300)
    ddf = in_dask(table)
    shares = kore.dask.KOREClassifier(structure="additive").fit(ddf, "label", features=["age"])
    with pytest.raises(ValueError, match="A target that is yes or no has no interval"):
        shares.transform(ddf, interval=0.9)
    with pytest.raises(ValueError, match="fitted without exposures, so predictions have none either"):
        shares.transform(ddf, exposure="years")
    cities = kore.dask.KOREClassifier(structure="additive").fit(ddf, "city", features=["age"])
    with pytest.raises(ValueError, match="A classifier of 3 classes has as many models: give one of its estimators_"):
        cities.transform(ddf)
    second = cities.estimators_[1].transform(ddf).compute()["prediction"]
    assert ((second > 0) & (second < 1)).all()
    rates = kore.dask.KOREAdditiveRegressor(family="poisson").fit(ddf, "claims", features=["age"], exposure="years")
    with pytest.raises(ValueError, match="Intervals of a model of rates need the exposures"):
        rates.transform(ddf, interval=0.9)
    with pytest.raises(ValueError, match="no column 'days', which is to be the exposure"):
        rates.transform(ddf, exposure="days")
    with pytest.raises(ValueError, match="exposure must be above 0 in every row"):
        rates.transform(ddf.assign(years=0.0), exposure="years").compute()


def test_a_model_of_labels_from_a_file_predicts_on_dask(tmp_path):
    table = claims_table(300)
    model = kore.dask.KOREClassifier(structure="additive").fit(in_dask(table), "label", features=["age"])
    model.save(tmp_path / "model.kore")
    loaded = kore.dask.load(tmp_path / "model.kore")
    assert type(loaded) is kore.dask.KOREClassifier
    assert loaded.classes_.tolist() == ["no", "yes"]
    assert (loaded.transform(in_dask(table)).compute()["prediction"] == model.predict_proba(table)[:, 1]).all()


def test_a_model_from_a_file_predicts_on_dask(table, tmp_path):
    model = kore.dask.KOREAdditiveRegressor().fit(in_dask(table), "price", features=["area", "age"])
    model.save(tmp_path / "model.kore")
    loaded = kore.dask.load(tmp_path / "model.kore")
    assert type(loaded) is kore.dask.KOREAdditiveRegressor
    assert (loaded.transform(in_dask(table)).compute()["prediction"] == model.predict(table)).all()
