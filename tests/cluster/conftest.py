"""The tests of clusters in full. What they share with the short form is in tests/python."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "python"))

from clusters import make_table, start_session


@pytest.fixture(scope="session")
def session():
    """Two executors, each a process of its own."""
    session = start_session("local-cluster[2,1,2048]")
    yield session
    session.stop()


@pytest.fixture(scope="session")
def table():
    return make_table(1500)
