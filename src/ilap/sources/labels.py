"""Labels that somebody has already: a table of pictures or exposures, or a folder tree whose top folders are
the labels."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ilap.core.cells import as_read
from ilap.core.errors import BadData, MissingFile
from ilap.sources.bursts import walk

LABEL = ("label", "class_name")
PICTURE = ("picture", "path", "file")
EXPOSURE = ("exposure", "folder", "exposure_name")
"""The columns of a table, the first that is there counts. ``ilap export --to csv`` writes such a table."""
DISCARDED = "discarded"
LINKS = ".ilap-links.json"  # in a tree that ilap export --to links has made, where these are no labels:
NO_LABELS = ("tentative", "strangers")


@dataclass(frozen=True)
class Labelled:
    """What somebody says of a picture, or of an exposure by its folder or name; ``where`` is the line or file
    that says so. An empty label says nothing, unless it is ``discarded``. ``class_id`` and ``sha256`` are there
    in tables of ilap's own."""

    where: str
    label: str
    picture: str = ""
    exposure: str = ""
    sha256: str = ""
    class_id: int | None = None
    discarded: bool = False


def read_labels(path: Path) -> list[Labelled]:
    """The labels of a table or of a tree."""
    if path.is_dir():
        return list(of_tree(Path(os.path.abspath(path))))
    if not path.is_file():
        raise MissingFile(f"There is no file or folder {path}: give a CSV table or a folder of label folders.")
    return list(of_table(path))


def of_table(path: Path) -> Iterator[Labelled]:
    """A row a label. Columns are found by their names; commas, semicolons or tabs lie between them."""
    try:
        with path.open(encoding="utf-8-sig", errors="surrogateescape", newline="") as file:
            head = file.readline()
            between = max(",;\t", key=head.count)
            file.seek(0)
            rows = csv.DictReader(file, delimiter=between, restval="")
            known = set(rows.fieldnames or ())
            label = first(LABEL, known)
            picture, exposure = first(PICTURE, known), first(EXPOSURE, known)
            if label is None or (picture is None and exposure is None):
                raise BadData(
                    f"{path} is no table of labels: its first line has to name a column picture or exposure "
                    f"(a folder or a burst's name), and a column label."
                )
            for row in rows:
                number = row.get("class_id") or ""
                yield Labelled(
                    f"line {rows.line_num}",
                    as_read(row[label]).strip(),
                    as_read(row[picture]) if picture else "",
                    as_read(row[exposure]) if exposure else "",
                    row.get("sha256") or "",
                    int(number) if number.isdecimal() else None,
                    row.get("decision") == DISCARDED,
                )
    except csv.Error as error:
        raise BadData(f"{path} cannot be read as a table ({error}): save it as CSV again.") from None


def first(names: tuple[str, ...], known: set[str]) -> str | None:
    """The first of some columns that is there."""
    return next((name for name in names if name in known), None)


def of_tree(root: Path) -> Iterator[Labelled]:
    """A picture a label: that of the folder in ``root`` in which it lies, however deep. A folder without
    anything in it stands for the exposure of its name."""
    passed = NO_LABELS if (root / LINKS).is_file() else ()
    for folder, pictures in walk(root, lambda sentence: None):
        parts = folder.relative_to(root).parts
        if parts and parts[0] not in passed:
            for path in pictures:
                yield Labelled(str(path), parts[0], picture=str(path))
    for empty, inner, names in os.walk(root):
        parts = Path(empty).relative_to(root).parts
        if len(parts) > 1 and parts[0] not in passed and not inner and not names:
            yield Labelled(empty, parts[0], exposure="/".join(parts[1:]))
