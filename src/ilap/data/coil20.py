"""COIL-20: 20 objects on a turntable, 72 views of each, 128 x 128 grey pixels (Nene, Nayar and Murase,
"Columbia Object Image Library (COIL-20)", Columbia University CUCS-005-96, 1996).

Both COIL sets lie in files objN__V.png, a view every five degrees, and are read here."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ilap.core.errors import BadData
from ilap.data import files
from ilap.data.contract import Dataset, Labelled
from ilap.data.pictures import Lazy, decode

SOURCE = files.Source(
    "http://www.cs.columbia.edu/CAVE/databases/SLAM_coil-20_coil-100/coil-20/coil-20-proc.zip"
)
NOT_IN_COIL_100 = "obj*__1.png"

VIEWS = 72
TEST_EVERY = 6
FILE = re.compile(r"obj(\d+)__(\d+)\.png")


def create() -> Dataset:
    """Read the processed pictures, which are numbered by view."""
    folder = files.find_folder(["coil-20-proc", "coil-20", "coil20"], NOT_IN_COIL_100, SOURCE)
    return files.check_counts(load("coil20", folder, objects=20, step=1), 1200, 240)


def load(name: str, folder: Path, objects: int, step: int) -> Dataset:
    """Read all pictures whose number V is ``step`` times the view. Every sixth view is for testing.

    Each object is one clip: its views lie in the order of the turntable. Undivided, it has all of them.
    """
    found = []
    for path in folder.iterdir():
        if match := FILE.fullmatch(path.name):
            thing, (view, rest) = int(match[1]), divmod(int(match[2]), step)
            if not 1 <= thing <= objects or rest or view >= VIEWS:
                raise BadData(f"{path} is not one of {objects} objects in {VIEWS} views: remove it.")
            found.append((thing, view, path))
    found.sort()
    present = sorted({thing for thing, _, _ in found})
    parts = []
    for testing in (False, True):
        part = [item for item in found if (item[1] % TEST_EVERY == 0) == testing]
        if missing := sorted(set(present) - {thing for thing, _, _ in part}):
            views = f"{'' if testing else 'not '}a multiple of {TEST_EVERY}"
            raise BadData(f"{folder} has no view of object {missing[0]} that is {views}: download it again.")
        parts.append(labelled(part, present))
    names = tuple(f"object {thing}" for thing in present)
    return Dataset(name, parts[0], parts[1], names, labelled(found, present))


def labelled(part: Sequence[tuple[int, int, Path]], present: Sequence[int]) -> Labelled:
    """The pictures with their object's place among those present, as their label and as their clip."""
    labels = np.searchsorted(present, [thing for thing, _, _ in part]).astype(np.int64)
    return Labelled(Lazy(decode, [path for _, _, path in part]), labels, labels.copy())
