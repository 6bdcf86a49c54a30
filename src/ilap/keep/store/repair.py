"""``ilap repair``: a new file of all that can be saved of a damaged one, and the names of what is lost.

What was seen is put together from the rows that are whole (salvage.py), exposure by exposure. The log is kept
as far as it can be read (log_repair.py): for an event that is lost another stands that says so, with the moves
that are still there. Where the log does not lead to where an exposure is, one more event at the end moves it
there; and if that is lost, too, the exposure is unsure. All the rest is derived from both (derived.py).
"""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ilap.core.errors import BadOutput, DamagedLearner, MissingFile
from ilap.keep.store import checksums, events, state
from ilap.keep.store.check import problems
from ilap.keep.store.derived import derive
from ilap.keep.store.file import LearnerFile, lost_commits
from ilap.keep.store.log_repair import log_of, names_of, parsed
from ilap.keep.store.salvage import Lost, Tables, salvaged
from ilap.learner.log import NOWHERE

NEEDED = ("settings", "seed", "backbone")
NAMED_OTHERWISE = (
    *(checksums.EXPOSURES, checksums.EVENTS, checksums.CLASSES, checksums.META),
    checksums.NETWORKS,
)

Beginnings = Callable[[], Mapping[str, Any]]
"""What the file of a new learner notes of itself, for where that is lost."""


@dataclass(frozen=True)
class Repaired:
    """The new file, what it has, and what is lost."""

    learner: str
    repaired: str
    exposures: int
    pictures: int
    events: int
    lost: tuple[Lost, ...]


def repair(broken: Path, out: Path, beginnings: Beginnings) -> Repaired:
    """Save what can be saved of a file into a new one. The file itself is left as it is."""
    if not broken.is_file():
        raise MissingFile(f"There is no learner {broken}: name the file that is damaged.")
    if out.exists():
        raise BadOutput(f"{out} exists: name a file that does not, and what is saved is written there.")
    if not out.parent.is_dir():
        raise BadOutput(f"There is no folder {out.parent} to write {out.name} to: make it, or take another.")
    unread = lost_commits(str(broken))
    with tempfile.TemporaryDirectory(prefix=f".{out.name}.", dir=out.parent) as folder:
        made, tables = Path(folder) / out.name, salvaged(broken, Path(folder))
        lost = [Lost("log", "what was written last, which is in the write-ahead log")] if unread else []
        found = written(tables, made, beginnings, lost)
        made.rename(out)
    return Repaired(str(broken.absolute()), str(out.absolute()), *found, tuple(lost))


def written(tables: Tables, path: Path, beginnings: Beginnings, lost: list[Lost]) -> tuple[int, int, int]:
    """The new file; gives how many exposures, pictures and events it has. ``lost`` is added to."""
    notes = notes_of(tables, beginnings, lost)
    seen = seen_in(tables, notes["backbone"], lost)
    log = log_of(tables, {one.number: bool(one.pictures) for one in seen}, lost)
    ids = range(max([-1, *(k for k, _ in tables[checksums.CLASSES].good), *log.ids()]) + 1)
    with LearnerFile(path, create=True) as file, file.transaction() as connection:
        for key, value in notes.items():
            state.set_meta(connection, key, value)
        for one in seen:
            one.write(connection.execute)
        for number in sorted(log.events):
            time, by, kind, about = log.events[number]
            connection.execute(
                "INSERT INTO events (id, time, by, kind, about) VALUES (?, ?, ?, ?, ?)",
                (number, time, by, kind, json.dumps(about)),
            )
            for name, moves in (("changes", log.changes), ("placements", log.placements)):
                connection.executemany(
                    f"INSERT INTO {name} (event, exposure, before, after) VALUES (?, ?, ?, ?)",
                    [(number, c.exposure, c.before, c.after) for c in moves.get(number, ())],
                )
        for row in tables[checksums.NETWORKS].good:
            if log.events.get(row[0], ("", "", ""))[2] == "adapt":
                columns = ", ".join(checksums.NETWORKS.columns)
                connection.execute(
                    f"INSERT INTO networks ({columns}) VALUES ({', '.join('?' * len(row))})", row
                )
        if tables[checksums.NETWORKS].lost:
            lost.append(Lost("network", "an adapted network: run ilap adapt again"))
        names = names_of(tables, log, ids, lost)
        connection.executemany("INSERT INTO classes (id, name) VALUES (?, ?)", names.items())
        derive(connection)
        for table, rows in tables.items():
            if rows.lost and not table.derived and table not in NAMED_OTHERWISE:
                lost.append(Lost("rows", f"rows of {table.table} (at least {rows.lost})"))
        if any(rows.noted is None for rows in tables.values()):
            lost.append(Lost("rows", "the note of how many rows there were, so there may be more"))
        if wrong := next(problems(connection), None):
            raise DamagedLearner(f"It could not be repaired ({wrong}): put back a copy of it.")
        last = events.last(connection)
    return len(seen), sum(len(one.pictures) for one in seen), last


def notes_of(tables: Tables, beginnings: Beginnings, lost: list[Lost]) -> dict[str, Any]:
    """What is noted of the file as a whole; where that is lost, what a new learner would note."""
    notes = {key: value for key, text in tables[checksums.META].good if (value := parsed(text)) is not None}
    if missing := [key for key in NEEDED if key not in notes]:
        new = beginnings()
        notes.update((key, new[key]) for key in missing)
        lost += [Lost("setting", f"{key}, for which that of a new learner is taken") for key in missing]
    if tables[checksums.META].lost > len(missing):
        lost.append(Lost("setting", "notes of the file, which can be done without"))
    return notes


@dataclass
class Seen:
    """An exposure with the pictures that are left, each as its row and its features."""

    number: int
    own: tuple[Any, ...] | None
    pictures: list[tuple[tuple[Any, ...], bytes]]
    thumbnails: Mapping[int, bytes]

    def write(self, execute: Callable[..., Any]) -> None:
        """Its rows."""
        paths = [str(row[3]) for row, _ in self.pictures if row[3]]
        folder = str(Path(paths[0]).parent) if paths else None
        name, told, ordered, continues, decision, traits = (
            f"exposure {self.number}",
            folder,
            0,
            None,
            "{}",
            None,
        )
        if self.own:
            _, name, told, ordered, continues, _, _, decision, traits = self.own
        elif folder:
            name = Path(folder).name
        digest = hashlib.sha256(b"".join(row for _, row in self.pictures)).hexdigest()
        execute(
            "INSERT INTO exposures (number, name, folder, ordered, continues, size, checksum, place, since,"
            " decided_by, decision, traits) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, '', ?, ?)",
            (
                *(self.number, name, told, ordered, continues, len(self.pictures), digest, NOWHERE),
                *(decision, traits),
            ),
        )
        included = any(row[10] for row, _ in self.pictures)
        for place, ((number, exposure, _, *about, learned), features) in enumerate(self.pictures):
            kept = learned if included else 1
            execute(
                f"INSERT INTO pictures VALUES ({', '.join('?' * 11)}, NULL)",
                (number, exposure, place, *about, kept),
            )
            execute("INSERT INTO features (picture, row) VALUES (?, ?)", (number, features))
            if number in self.thumbnails:
                jpeg = self.thumbnails[number]
                execute("INSERT INTO thumbnails (picture, jpeg) VALUES (?, ?)", (number, jpeg))


def seen_in(tables: Tables, backbone: Mapping[str, Any], lost: list[Lost]) -> list[Seen]:
    """All exposures, those that are lost without a picture, so that numbers stay what they were."""
    length = np.dtype(backbone["dtype"]).itemsize * int(backbone["dim"])
    features = {number: row for number, row in tables[checksums.FEATURES].good if len(row) == length}
    if tables[checksums.FEATURES].good and not features:
        raise DamagedLearner("It cannot be told what made its features: put back a copy of the file.")
    thumbnails = dict(tables[checksums.THUMBNAILS].good)
    own = {row[0]: row for row in tables[checksums.EXPOSURES].good}
    pictures: dict[int, dict[int, tuple[Any, ...]]] = {}
    for row in tables[checksums.PICTURES].good:
        pictures.setdefault(row[1], {})[row[2]] = row
    moved = (row[1] for row in tables[checksums.CHANGES].good)
    placed = (row[0] for row in tables[checksums.PLACES].good)
    found = []
    for number in range(max([-1, *own, *pictures, *moved, *placed]) + 1):
        there = pictures.get(number, {})
        left = [(row, features[row[0]]) for _, row in sorted(there.items()) if row[0] in features]
        size = own[number][5] if number in own else max(there, default=-1) + 1
        paths = [str(row[3]) for row in there.values() if row[3]]
        folder = own[number][2] if number in own else str(Path(paths[0]).parent) if paths else None
        where = f" of {folder}" if folder else ""
        if not left:
            lost.append(Lost("exposure", f"exposure {number}{where}: learn its pictures again", number))
        elif len(left) < size:
            gone = size - len(left)
            lost.append(Lost("picture", f"{gone} of {size} pictures of exposure {number}{where}", number))
        if left and number not in own:
            lost.append(Lost("exposure", f"the name of exposure {number}{where}", number))
        found.append(Seen(number, own.get(number), left, thumbnails))
    return found
