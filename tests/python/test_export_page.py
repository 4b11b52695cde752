"""What docs/export.md shows does what it says: its blocks of code are run, in a folder with a model of cars."""

import asyncio
import functools
import http.server
import json
import os
import re
import shlex
import shutil
import stat
import subprocess
import sys
import threading

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest
from conftest import BUILD
from export_homes import ROOT

import duckdb

PAGE = (ROOT / "docs" / "export.md").read_text(encoding="utf-8")
ONE_CAR = {"weight": 2300.0, "origin": "Japan"}


def block(language, holding):
    """The one block of code in this language that holds a text."""
    blocks = re.findall(r"^```(\w+)\n(.*?)^```$", PAGE, re.M | re.S)
    found = [text for word, text in blocks if word == language and holding in text]
    assert len(found) == 1, f"{len(found)} blocks of {language} have {holding!r}"
    return found[0]


@pytest.fixture(scope="module")
def folder(command, tmp_path_factory):
    """Cars of two columns as the page has them, the model, a database, and what the page says to copy."""
    folder = tmp_path_factory.mktemp("page")
    random = np.random.default_rng(4)
    n = 250
    weight = random.uniform(1600, 5100, n)
    origin = random.choice(["USA", "Europe", "Japan"], n)
    mpg = 46 - 0.0075 * weight + 2 * (origin == "Japan") + random.normal(0, 1, n)
    table = pa.table({"id": np.arange(n), "weight": weight, "origin": origin, "mpg": mpg})
    pa.parquet.write_table(table, folder / "cars.parquet")
    command("fit", "cars.parquet", "--target", "mpg", "--drop", "id", "-q", "-o", "cars.kore", folder=folder)
    with duckdb.connect(str(folder / "cars.db")) as connection:
        connection.execute(f"CREATE TABLE cars AS FROM '{folder / 'cars.parquet'}'")
    for name in ("kore_model.py", "kore-model.mjs"):
        shutil.copy(ROOT / "examples" / "export" / name, folder)
    return folder


@pytest.fixture(scope="module")
def expected(command, folder):
    """Predictions of all cars, and of the one that the page asks about."""
    pa.parquet.write_table(pa.table({name: [value] for name, value in ONE_CAR.items()}), folder / "one.parquet")
    found = []
    for rows in ("cars.parquet", "one.parquet"):
        command("predict", "cars.kore", rows, "-q", "-o", "predicted.parquet", folder=folder)
        found.append(pa.parquet.read_table(folder / "predicted.parquet")["prediction"].to_numpy())
    return found[0], float(found[1][0])


def shell(folder, text):
    """Runs lines of a shell that finds the command, and in the place of DuckDB's program one that uses its library."""
    programs = folder / "programs"
    programs.mkdir(exist_ok=True)
    script = programs / "database.py"
    script.write_text(
        "import sys, duckdb\n"
        "for row in duckdb.connect(sys.argv[1]).execute(sys.stdin.read()).fetchall(): print(*row, sep=',')\n"
    )
    # The first line of a script cannot name an interpreter in a folder with spaces.
    shim = programs / "duckdb"
    shim.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} {shlex.quote(str(script))} "$@"\n')
    shim.chmod(shim.stat().st_mode | stat.S_IXUSR)
    path = f"{programs}:{BUILD}:{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path}
    return subprocess.run(
        ["bash", "-e", "-c", text], cwd=folder, env=environment, check=True, capture_output=True, text=True
    ).stdout


def test_duckdb(folder, expected):
    lines = shell(folder, block("sh", "duckdb cars.db")).split()
    found = {int(line.split(",")[0]): float(line.split(",")[1]) for line in lines}
    np.testing.assert_allclose([found[i] for i in range(len(found))], expected[0], rtol=1e-9)


@pytest.mark.xdist_group("export")
def test_spark(folder, expected):
    sql = pytest.importorskip("pyspark.sql")
    shell(folder, "kore export cars.kore --to sql --dialect spark --table cars --keep id -o cars_spark.sql")
    session = (
        sql.SparkSession.builder.master("local[1]")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.sql.session.timeZone", "UTC")
        .getOrCreate()
    )
    try:
        names = {"spark": session, "rows": session.createDataFrame(pa.parquet.read_table(folder / "cars.parquet"))}
        run_python(folder, block("python", "createOrReplaceTempView"), names)
        found = {row["id"]: row["prediction"] for row in names["predictions"].collect()}
    finally:
        session.stop()
    np.testing.assert_allclose([found[i] for i in range(len(found))], expected[0], rtol=1e-9)


def run_python(folder, text, names):
    before = os.getcwd()
    os.chdir(folder)
    try:
        exec(compile(text, "docs/export.md", "exec"), names)
    finally:
        os.chdir(before)


def test_c(folder, expected):
    shell(folder, block("sh", "-shared"))
    (folder / "expected.c").write_text(
        block("c", "expected_mpg")
        + '#include <stdio.h>\nint main(void)\n{\n  printf("%.17g\\n", expected_mpg(2300, "Japan"));\n  return 0;\n}\n'
    )
    flags = "-std=c99 -Wall -Wextra -Werror -pedantic-errors"
    out = shell(folder, f"gcc {flags} -o expected expected.c -L. -lcars -Wl,-rpath,. && ./expected")
    assert float(out) == pytest.approx(expected[1], rel=1e-12)


def test_c_for_a_device_needs_nothing_that_a_device_may_lack(folder):
    """No library, no allocation, nothing that is written to, and what it says of the stack is true."""
    text = shell(
        folder,
        "kore export cars.kore --to c --name cars -o cars.c\n"
        "gcc -std=c99 -ffreestanding -fno-builtin -Os -fstack-usage -c -o device.o cars.c\n"
        "nm -u device.o; echo --; size -A device.o; echo --; cat *.su",
    )
    undefined, sizes, stack = text.split("--\n")
    assert undefined.split() in ([], ["U", "_GLOBAL_OFFSET_TABLE_"])
    written = [words.split()[1] for words in sizes.splitlines() if words.startswith((".data ", ".bss "))]
    assert written == ["0", "0"]
    promised = int(re.search(r"about (\d+) bytes of the stack", (folder / "cars.c").read_text()).group(1))
    assert sum(int(line.split("\t")[1]) for line in stack.splitlines()) < 2 * promised + 256


def test_onnx(folder, expected):
    pytest.importorskip("onnxruntime")
    shell(folder, block("sh", "--to onnx"))
    names = {}
    run_python(folder, block("python", "onnxruntime"), names)
    assert names["predicted"][0, 0] == pytest.approx(expected[1], rel=1e-12)


@pytest.fixture(scope="module")
def json_model(folder):
    shell(folder, "kore export cars.kore --to json -o cars.json")
    return folder


def test_service(json_model, expected):
    pytest.importorskip("fastapi")
    names = {}
    run_python(json_model, block("python", "FastAPI"), names)
    status, answer = posted(names["app"], "/predict", ONE_CAR)
    assert status == 200
    assert answer["prediction"] == pytest.approx(expected[1], rel=1e-12)
    assert posted(names["app"], "/predict", {"weight": None})[1]["prediction"] > 0
    assert posted(names["app"], "/predict", [1])[0] == 422


def posted(app, path, body):
    """What a server tells an application of a request, and what that answers."""
    scope = {"type": "http", "method": "POST", "path": path, "query_string": b"", "http_version": "1.1", "asgi": {}}
    scope["headers"] = [(b"content-type", b"application/json")]
    said = []

    async def receive():
        return {"type": "http.request", "body": json.dumps(body).encode()}

    async def send(message):
        said.append(message)

    asyncio.run(app(scope, receive, send))
    return said[0]["status"], json.loads(b"".join(message.get("body", b"") for message in said[1:]))


def test_page_in_a_browser(json_model, expected):
    browser = shutil.which("chromium") or shutil.which("chromium-browser")
    if browser is None:
        pytest.skip("there is no chromium")
    (json_model / "index.html").write_text("<!doctype html><body>" + block("html", "koreModel") + "</body>")
    handler = functools.partial(Quiet, directory=json_model)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}/index.html"
        options = ["--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=20000", "--dump-dom"]
        program = [browser, *options, f"--user-data-dir={json_model / 'profile'}", address]
        page = subprocess.run(program, check=True, capture_output=True, text=True, timeout=120).stdout
        server.shutdown()
    found = re.search(r"</script>\s*([0-9.]+)\s*</body>", page)
    assert found, page
    assert float(found.group(1)) == pytest.approx(expected[1], rel=1e-12)


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Modules need their type, and the log of a test nothing of this."""

    def guess_type(self, path):
        return "text/javascript" if str(path).endswith(".mjs") else super().guess_type(path)

    def log_message(self, *_):
        pass


def test_package_of_npm(json_model, expected):
    if shutil.which("npm") is None:
        pytest.skip("there is no npm")
    command = (
        re.search(r"`(npm pack [^`]+)`", PAGE)
        .group(1)
        .replace("examples/export", shlex.quote(f"{ROOT}/examples/export"))
    )
    used = re.search(r"`(import \{koreModel\} from 'kore-model')`", PAGE).group(1)
    project = json_model / "project"
    project.mkdir()
    (project / "package.json").write_text('{"name": "user", "version": "1.0.0", "type": "module"}')
    (project / "main.js").write_text(
        f"{used};\nimport fs from 'node:fs';\n"
        "const predict = koreModel(JSON.parse(fs.readFileSync('../cars.json', 'utf8')));\n"
        f"console.log(JSON.stringify([predict({json.dumps(ONE_CAR)}), predict({{}}) > 0]));\n"
    )
    install = "npm install --offline --silent --no-audit --no-fund ./kore-model-*.tgz"
    out = shell(project, f"{command} --silent\n{install}\nnode main.js")
    predicted, of_nothing = json.loads(out.splitlines()[-1])
    assert predicted == pytest.approx(expected[1], rel=1e-12)
    assert of_nothing
