"""The study's data sets: the registry, the loader that verifies files, the fetcher against a server of stand-ins."""

import csv
import gzip
import hashlib
import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import numpy as np
import pytest
from kore.study import __main__ as study
from kore.study import arff
from kore.study.fetch import fetch
from kore.study.registry import DATA_SETS, DataSet, data_set
from kore.study.tables import DataProblem, load

SHARED = Path(__file__).resolve().parents[3] / "shared"
TINY = DataSet("tiny", "openml:7", 4, 2, 1, 5, "price", "made up", "nobody", ("colour",))
UNNAMED = DataSet("tiny", "openml:7", 4, 2, 1, 5, "price", "made up", "nobody", None)
PLANT = DataSet("plant", "uci:9", 3, 2, 0, 2, "PE", "made up", "nobody")

ARFF = """% a stand-in
@RELATION tiny
@attribute id numeric
@ATTRIBUTE 'size, net' REAL
@attribute price numeric
@attribute colour {red, 'dark blue', "it's"}
@attribute height integer
@data
1, 1.5, 10, red, 4
2, ?, 20, 'dark blue', 5

3, 2.5, 30, 'it\\'s', 7
4, 3.5, 40, red, ?
"""


def write(folder, text, name="tiny.csv"):
    (folder / name).write_text(text)


GOOD = "size,height,colour,price\n1.5,4,red,10\n,5,dark blue,20\n2.5,7,it's,30\n3.5,,red,40\n"


def test_registry_has_the_published_list():
    assert len(DATA_SETS) == 36
    assert len({entry.source for entry in DATA_SETS}) == 36
    for entry in DATA_SETS:
        assert entry.categories is None or len(entry.categories) == entry.categorical
        assert entry.features >= entry.numeric + entry.categorical
        assert entry.target and entry.licence and entry.citation
    listed = SHARED / "reference/results/dataset_metadata.csv"
    if not listed.exists():
        pytest.skip("the published list is not on this machine")
    with listed.open() as file:
        published = [tuple(row.values()) for row in csv.DictReader(file)]
    ours = [tuple(map(str, (e.name, e.rows, e.numeric, e.categorical, e.features))) for e in DATA_SETS]
    assert ours == published


def test_names_that_are_no_data_set_are_refused():
    with pytest.raises(ValueError, match="no data set 'iris'; there are abalone"):
        data_set("iris")


def test_numbers_come_first_with_medians_for_gaps_then_a_dummy_per_level(tmp_path):
    write(tmp_path, GOOD)
    table = load(tmp_path, TINY)
    assert table.names == ["size", "height", "colour=dark blue", "colour=it's", "colour=red"]
    np.testing.assert_array_equal(table.x[:, 0], [1.5, 2.5, 2.5, 3.5])
    np.testing.assert_array_equal(table.x[:, 1], [4, 5, 7, 5])
    np.testing.assert_array_equal(table.x[:, 2:].sum(axis=1), [1, 1, 1, 1])
    np.testing.assert_array_equal(table.y, [10, 20, 30, 40])


def test_rows_without_a_target_and_columns_of_gaps_are_dropped(tmp_path):
    write(tmp_path, "size,height,colour,price\n1,,red,10\n2,,blue,20\n3,,green,\n4,,grey,5\n")
    entry = DataSet("tiny", "openml:7", 4, 2, 1, 4, "price", "", "", ("colour",))
    table = load(tmp_path, entry)
    assert table.names == ["size", "colour=blue", "colour=grey", "colour=red"]
    np.testing.assert_array_equal(table.y, [10, 20, 5])


def test_gzip_and_parquet_hold_the_same_table(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    write(tmp_path, GOOD)
    plain = load(tmp_path, TINY)
    (tmp_path / "tiny.csv").unlink()
    (tmp_path / "tiny.csv.gz").write_bytes(gzip.compress(GOOD.encode()))
    np.testing.assert_array_equal(load(tmp_path, TINY).x, plain.x)
    (tmp_path / "tiny.csv.gz").unlink()
    columns = {
        "size": [1.5, None, 2.5, 3.5],
        "height": [4, 5, 7, None],
        "colour": ["red", "dark blue", "it's", "red"],
        "price": [10.0, 20.0, 30.0, 40.0],
    }
    parquet.write_table(pyarrow.table(columns), tmp_path / "tiny.parquet")
    np.testing.assert_array_equal(load(tmp_path, TINY).x, plain.x)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (GOOD + "1,2,red,3\n", "tiny.csv has 5 rows; the study's has 4"),
        (GOOD.replace("price", "cost"), "the last column is 'cost'; it must be the target 'price'"),
        (GOOD.replace("colour", "color"), "no column 'colour'"),
        (GOOD.replace("it's", "red"), "4 columns after dummies; the study's has 5"),
        (GOOD.replace("1.5", "wide"), "the column 'size' should hold numbers"),
        (GOOD.replace("2.5,7", "2.5"), "line 4: 3 fields where the header has 4"),
        ("", "tiny.csv is empty"),
        (
            "size,colour,price\n1,red,2\n1,blue,2\n1,it's,2\n1,red,2\n",
            "1 numeric and 1 categorical columns; the study's has 2 and 1",
        ),
    ],
)
def test_files_of_another_shape_are_refused_in_a_sentence(tmp_path, text, sentence):
    write(tmp_path, text)
    with pytest.raises(DataProblem, match=sentence):
        load(tmp_path, TINY)


def test_a_damaged_file_is_refused_in_a_sentence(tmp_path):
    (tmp_path / "tiny.csv.gz").write_bytes(gzip.compress(GOOD.encode())[:-20])
    with pytest.raises(DataProblem, match=r"tiny\.csv\.gz cannot be read"):
        load(tmp_path, TINY)


def test_check_tells_what_is_missing(tmp_path, capsys):
    assert study.main(["check", "--data", str(tmp_path)]) == 1
    out = capsys.readouterr().out
    assert "abalone is missing: no abalone.csv, .csv.gz or .parquet" in out
    assert "0 of 36 data sets are there" in out


def test_shared_files_are_those_of_the_study():
    folder = SHARED / "data"
    if not folder.exists():
        pytest.skip("the real data sets are not on this machine")
    names = ["abalone", "solar_flare", "socmob", "fifa", "combined_cycle_power_plant"]
    for name in names:
        assert load(folder, data_set(name)).x.shape[0] == data_set(name).rows


def test_arff_reads_quotes_gaps_and_comments():
    table = arff.parse(ARFF, "tiny")
    assert table.names == ["id", "size, net", "price", "colour", "height"]
    assert table.nominal == ["colour"]
    assert table.rows[1] == ["2", "", "20", "dark blue", "5"]
    assert table.rows[2][3] == "it's"
    assert len(table.rows) == 4


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("@attribute a real\n", "no @data"),
        ("@attribute a real\n@data\n1,2\n", "line 3: 2 values for 1 attributes"),
        ("@attribute a real\n@data\n{0 1}\n", "sparse"),
    ],
)
def test_arff_refuses_what_it_cannot_read(text, sentence):
    with pytest.raises(ValueError, match=sentence):
        arff.parse(text, "made up")


class StandIn(HTTPServer):
    """A server of small stand-ins: answers by path, and the paths that were asked for."""

    def __init__(self):
        self.answers = {}
        self.asked = []
        super().__init__(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server_port}"

    def serve_tiny(self, text=ARFF, md5=None, **description):
        md5 = md5 or hashlib.md5(text.encode()).hexdigest()
        described = {"file_id": "70", "md5_checksum": md5, "row_id_attribute": "id", **description}
        self.answers["/api/v1/json/data/7"] = json.dumps({"data_set_description": described})
        self.answers["/data/v1/download/70"] = text


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        self.server.asked.append(self.path)
        answer = self.server.answers.get(self.path)
        self.send_response(404 if answer is None else 200)
        self.end_headers()
        self.wfile.write((answer or "").encode())

    def log_message(self, *arguments):
        pass


@pytest.fixture
def server():
    server = StandIn()
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_fetched_set_is_the_one_that_is_loaded(server, tmp_path):
    server.serve_tiny()
    path = fetch(TINY, tmp_path, openml=server.address)
    assert path == tmp_path / "tiny.csv.gz"
    assert gzip.decompress(path.read_bytes()).decode().splitlines()[0] == '"size, net",colour,height,price'
    table = load(tmp_path, TINY)
    np.testing.assert_array_equal(table.y, [10, 20, 30, 40])
    assert server.asked == ["/api/v1/json/data/7", "/data/v1/download/70"]


def test_categories_that_only_the_source_names_are_noted(server, tmp_path):
    server.serve_tiny()
    fetch(UNNAMED, tmp_path, openml=server.address)
    assert json.loads((tmp_path / "categorical_columns.json").read_text()) == {"tiny": ["colour"]}
    assert load(tmp_path, UNNAMED).categories == ("colour",)


def test_attributes_to_ignore_are_left_out(server, tmp_path):
    server.serve_tiny(ignore_attribute=["height"])
    with pytest.raises(DataProblem, match="1 numeric and 1 categorical columns"):
        fetch(TINY, tmp_path, openml=server.address)


def test_what_does_not_fit_is_not_kept(server, tmp_path):
    server.serve_tiny(text=ARFF + "5, 1, 2, red, 3\n")
    with pytest.raises(DataProblem, match="has 5 rows; the study's has 4"):
        fetch(TINY, tmp_path, openml=server.address)
    server.serve_tiny(md5="0" * 32)
    with pytest.raises(DataProblem, match="checksum"):
        fetch(TINY, tmp_path, openml=server.address)
    server.answers["/api/v1/json/data/7"] = "<html>"
    with pytest.raises(DataProblem, match="did not answer in JSON"):
        fetch(TINY, tmp_path, openml=server.address)
    assert list(tmp_path.iterdir()) == []


def test_uci_says_where_its_table_is(server, tmp_path):
    server.answers["/api/dataset?id=9"] = json.dumps({"data": {"data_url": server.address + "/plant.csv"}})
    server.answers["/plant.csv"] = "AT,PE,V\n1,2,3\n4,5,6\n7,8,9\n"
    fetch(PLANT, tmp_path, uci=server.address)
    np.testing.assert_array_equal(load(tmp_path, PLANT).y, [2, 5, 8])


def test_the_command_goes_on_after_a_failure_and_exits_with_one(server, tmp_path, capsys):
    arguments = ["fetch", "abalone", "cars", "--data", str(tmp_path), "--openml", server.address]
    assert study.main(arguments) == 1
    err = capsys.readouterr().err
    assert "abalone: " in err and "cars: " in err and "404" in err
    assert server.asked == ["/api/v1/json/data/44956", "/api/v1/json/data/44994"]
