"""The same table as Parquet, with types: what may be empty is null, ids stay whole numbers."""

from __future__ import annotations

from ilap.core.extras import needed_for
from ilap.core.version import __version__
from ilap.export.content import read
from ilap.export.contract import Order, Written, whole
from ilap.export.csv import COLUMNS, record, written

MARK = b"made_by_ilap"


def write(order: Order) -> Written:
    """Write the table."""
    with needed_for("Parquet"):
        import pyarrow
        from pyarrow import parquet

    types = {str: pyarrow.string(), int: pyarrow.int64(), float: pyarrow.float64(), bool: pyarrow.bool_()}
    schema = pyarrow.schema(
        [(name, types[kind]) for name, kind in COLUMNS.items()], metadata={MARK: __version__.encode()}
    )
    content = read(order.learner)
    table = pyarrow.Table.from_pylist([record(row) for row in content.pictures], schema)
    files = [row.path for row in content.pictures if row.path]
    with whole(order, MARK, files) as draft, draft.open("wb") as file:  # pyarrow takes a path that is text
        parquet.write_table(table, file)
    return written("parquet", order, content)
