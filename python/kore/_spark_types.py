"""Spark's column types and the engine's types that they become, without running a job."""

from __future__ import annotations

from collections.abc import Iterable

import pyarrow as pa
from pyspark.sql import types as spark

from ._engine import Frame

# Numbers of every width become doubles.
ARROW_OF_SPARK: list[tuple[type[spark.DataType], pa.DataType]] = [
    (spark.NumericType, pa.float64()),
    (spark.NullType, pa.float64()),
    (spark.BooleanType, pa.bool_()),
    (spark.StringType, pa.string()),
    (spark.CharType, pa.string()),
    (spark.VarcharType, pa.string()),
    (spark.DateType, pa.date32()),
    (spark.TimestampType, pa.timestamp("us", "UTC")),
    (spark.TimestampNTZType, pa.timestamp("us")),
]


def is_number(kind: spark.DataType) -> bool:
    return isinstance(kind, spark.NumericType | spark.BooleanType)


def example_of(fields: Iterable[spark.StructField]) -> Frame:
    """A table with these columns and without rows."""
    return Frame.from_stream(pa.schema([(field.name, _arrow_of(field)) for field in fields]).empty_table())


def _arrow_of(field: spark.StructField) -> pa.DataType:
    for kind, arrow in ARROW_OF_SPARK:
        if isinstance(field.dataType, kind):
            return arrow
    raise ValueError(
        f"Column '{field.name}' is of Spark's type {field.dataType.simpleString()}, which holds neither numbers, "
        "times nor texts. Leave it out, or convert it."
    )
