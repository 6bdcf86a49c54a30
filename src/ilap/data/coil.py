"""The COIL sets: objects on a turntable, a picture every five degrees, in files objN__V.png."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ilap.core.errors import BadData
from ilap.data.contract import Dataset, Labelled
from ilap.data.pictures import Lazy, decode

VIEWS = 72
TEST_EVERY = 6
FILE = re.compile(r"obj(\d+)__(\d+)\.png")


def load(name: str, folder: Path, objects: int, step: int) -> Dataset:
    """Read all pictures whose number V is ``step`` times the view. Every sixth view is for testing.

    Each object is one clip: its views lie in the order of the turntable. Undivided, it has all of them.
    """
    found = []
    for path in folder.iterdir():
        if match := FILE.fullmatch(path.name):
            thing, (view, rest) = int(match[1]), divmod(int(match[2]), step)
            if not 1 <= thing <= objects or rest or view >= VIEWS:
                raise BadData(f"{path} is not one of {objects} objects in {VIEWS} views: take it away.")
            found.append((thing, view, path))
    found.sort()
    present = sorted({thing for thing, _, _ in found})
    parts = []
    for testing in (False, True):
        part = [item for item in found if (item[1] % TEST_EVERY == 0) == testing]
        if missing := sorted(set(present) - {thing for thing, _, _ in part}):
            views = f"{'' if testing else 'not '}a multiple of {TEST_EVERY}"
            raise BadData(f"{folder} has no view of object {missing[0]} that is {views}: get it again.")
        parts.append(labelled(part, present))
    names = tuple(f"object {thing}" for thing in present)
    return Dataset(name, parts[0], parts[1], names, labelled(found, present))


def labelled(part: Sequence[tuple[int, int, Path]], present: Sequence[int]) -> Labelled:
    """The pictures with their object's place among those present, as their label and as their clip."""
    labels = np.searchsorted(present, [thing for thing, _, _ in part]).astype(np.int64)
    return Labelled(Lazy(decode, [path for _, _, path in part]), labels, labels.copy())
