"""What speaks against the way in which pictures were cut into bursts, of those that were just learned."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from ilap.exact.cuts import signs
from ilap.keep.learner import LearnerInFile
from ilap.keep.store import exposures, view
from ilap.keep.summary import counted

EXAMPLES = 3


@dataclass(frozen=True)
class Mixed:
    """An exposure that looks mixed: it changes before the picture ``before``, after ``after``."""

    exposure: int
    name: str
    after: str
    before: str


@dataclass(frozen=True)
class Alike:
    """Two exposures that follow each other, and between which nothing changes."""

    exposures: tuple[int, int]
    names: tuple[str, str]


@dataclass(frozen=True)
class Cut:
    """What was found, of so many exposures; ``said`` are the sentences, none where nothing was."""

    exposures: int
    mixed: tuple[Mixed, ...]
    alike: tuple[Alike, ...]
    said: tuple[str, ...]


def judge(learner: LearnerInFile, numbers: Sequence[int]) -> Cut:
    """Look at exposures that follow each other in a source. Only those whose pictures have an order tell
    anything; that two folders of a person's own look alike is not told."""
    with learner.snapshot() as connection:
        ordered = [number for number in numbers if exposures.is_ordered(connection, number)]
        rows = [
            exposures.samples(connection, number, learner.dtype, whole=True).rows.astype(float)
            for number in ordered
        ]
        own = [exposures.has_folder(connection, number) for number in ordered]
        found = signs(rows, [not (one or other) for one, other in pairwise(own)])
        mixed = tuple(mixed_of(connection, ordered[i], place) for i, place in found.mixed)
        alike = tuple(alike_of(connection, (ordered[i], ordered[i + 1])) for i in found.alike)
    return Cut(len(ordered), mixed, alike, tuple(sentences(len(ordered), mixed, alike)))


def mixed_of(connection: sqlite3.Connection, number: int, place: int) -> Mixed:
    """One, with the pictures between which it changes."""
    paths = (view.path_of(connection, number, place - 1), view.path_of(connection, number, place))
    return Mixed(number, exposures.name_of(connection, number), *paths)


def alike_of(connection: sqlite3.Connection, numbers: tuple[int, int]) -> Alike:
    """One."""
    one, other = numbers
    return Alike(numbers, (exposures.name_of(connection, one), exposures.name_of(connection, other)))


def some(names: Sequence[str]) -> str:
    """The first few.

    >>> some("ab"), some("abcd")
    ('a, b', 'a, b, c, ...')
    """
    return ", ".join([*names[:EXAMPLES], *(["..."] if len(names) > EXAMPLES else [])])


def sentences(total: int, mixed: Sequence[Mixed], alike: Sequence[Alike]) -> list[str]:
    """What a person is told."""
    said = []
    if mixed:
        names = some([one.name for one in mixed])
        first = mixed[0]
        said.append(
            f"{len(mixed)} of {counted(total, 'burst')} look mixed ({names}): "
            f"{first.name} changes between {first.after} and {first.before}. If they show two things, recut."
        )
    if alike:
        names = some([" and ".join(one.names) for one in alike])
        said.append(
            f"At {len(alike)} of {counted(total - 1, 'cut')} the pictures on both sides look alike ({names}): "
            f"the cut may go through bursts. See ilap learn --dry-run."
        )
    return said
