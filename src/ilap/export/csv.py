"""A table with a row a picture, as CSV (RFC 4180, UTF-8): names may hold commas, quotes and line ends. Text
that a spreadsheet would take for a formula has an apostrophe before it (core/cells.py).

Every picture has its row, those of unsure, discarded and undone exposures too; cells of a class are then empty.
``place_id`` and ``place_name`` say where an exposure most likely belongs, and ``certainty`` whether that is
*sure* (they are then the class's) or *tentative* (a class, or a tentative group). ``error`` is how likely the
answer is wrong that ilap gave, empty where a person decided. ``box`` is the part of the picture that was looked
at, as ``xywh=percent:10,20,30,40``, where that is not all of it.
"""

from __future__ import annotations

import csv
import sqlite3
from collections.abc import Iterable
from io import StringIO
from typing import Any, TextIO

from ilap.core.cells import as_text
from ilap.core.errors import MissingFile
from ilap.export.content import Content, absolute, read, text, where
from ilap.export.contract import Order, Written, whole
from ilap.keep.store import view
from ilap.keep.store.view import PictureRow

COLUMNS = {
    "picture": str,
    "exposure": str,
    "class_id": int,
    "class_name": str,
    "decision": str,
    "decided_by": str,
    "score": float,
    "exposure_number": int,
    "exposure_name": str,
    "place": int,
    "included": bool,
    "taken": str,
    "width": int,
    "height": int,
    "sha256": str,
    "certainty": str,
    "place_id": int,
    "place_name": str,
    "error": float,
    "box": str,
}
"""The columns, in order, and what is in them."""
MARK = b"picture,exposure,class_id,class_name,decision,decided_by,score,"


def record(row: PictureRow) -> dict[str, Any]:
    """A picture's row; None is an empty cell."""
    exposure = row.exposure
    return {
        "picture": text(absolute(row)),
        "exposure": where(exposure),
        "class_id": exposure.class_id,
        "class_name": text(exposure.class_name),
        "decision": exposure.kind,
        "decided_by": exposure.decided_by,
        "score": exposure.score,
        "exposure_number": exposure.number,
        "exposure_name": text(exposure.name),
        "place": row.place,
        "included": row.included,
        "taken": row.taken,
        "width": row.width,
        "height": row.height,
        "sha256": row.sha256,
        "certainty": exposure.certainty,
        "place_id": exposure.place,
        "place_name": text(exposure.place_name),
        "error": exposure.error,
        "box": row.box.fragment.removeprefix("#") if row.box else None,
    }


def written(kind: str, order: Order, content: Content) -> Written:
    """What there is to say of a table."""
    return Written(kind, str(order.out), len(content.pictures), len(content.class_names))


def fill(file: TextIO, rows: Iterable[PictureRow]) -> None:
    """Write a table of pictures to a file."""
    table = csv.DictWriter(file, list(COLUMNS))
    table.writeheader()
    for row in rows:
        cells = record(row)
        cells["included"] = "true" if row.included else "false"
        table.writerow({column: as_text(cell) for column, cell in cells.items()})


def of_place(connection: sqlite3.Connection, place: int) -> str:
    """The table of one class or tentative group."""
    rows = [row for row in view.pictures(connection) if row.exposure.place == place]
    if not rows:
        raise MissingFile(f"There is no class {place}: ilap show lists those there are.")
    fill(file := StringIO(newline=""), rows)
    return file.getvalue()


def write(order: Order) -> Written:
    """Write the table."""
    content = read(order.learner)
    files = [row.path for row in content.pictures if row.path]
    with whole(order, MARK, files) as draft, draft.open("w", encoding="utf-8", newline="") as file:
        fill(file, content.pictures)
    return written("csv", order, content)
