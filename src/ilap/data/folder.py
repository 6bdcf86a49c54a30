"""Any folder of pictures: a folder in it is a class, and a folder in that is a clip.

Where it has train/ and test/ (or val/), these are the two parts. Else every fifth picture of each class is for
testing, which tears clips; where there are any, the data set offers them whole, too. Pictures are taken in the
order of their names, in which 10 comes after 9.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from ilap.core.errors import BadData, MissingFile
from ilap.core.pictures import natural, readable, shown
from ilap.data.contract import Dataset, Labelled
from ilap.data.pictures import Lazy, decode

TEST_EVERY = 5
TESTING = ("test", "val")


def from_folder(path: str | Path) -> Dataset:
    """The data set in a folder."""
    root = Path(path).expanduser()
    if not root.is_dir():
        raise MissingFile(f"There is no folder {root}: give the folder that holds a folder for each class.")
    testing = next((root / name for name in TESTING if (root / name).is_dir()), None)
    if testing is None or not (root / "train").is_dir():
        return divided(root.resolve().name, root, classes(root))
    train, test = classes(root / "train"), classes(testing)
    if odd := sorted(train.keys() ^ test.keys()):
        raise BadData(f"{odd[0]} is not both in {root / 'train'} and in {testing}: put pictures of it there.")
    both = {name: [*paths, *test[name]] for name, paths in train.items()}
    parts = labelled([root / "train"], train), labelled([testing], test)
    return Dataset(root.resolve().name, *parts, tuple(train), labelled([root / "train", testing], both))


def divided(name: str, root: Path, found: Mapping[str, Sequence[Path]]) -> Dataset:
    """The data set whose testing pictures are each class's first and every fifth after it. The only picture of
    a class can be a clip, but it cannot be divided."""
    whole = labelled([root], found)
    single = [paths[0] for paths in found.values() if len(paths) == 1]
    if single and whole.clips is None:
        raise BadData(f"{single[0]} is the only picture of its class: add one, to have one for testing.")
    train = {
        label: [p for i, p in enumerate(paths) if i % TEST_EVERY or len(paths) == 1]
        for label, paths in found.items()
    }
    test = {label: paths[::TEST_EVERY] if len(paths) > 1 else [] for label, paths in found.items()}
    return Dataset(name, labelled([root], train), labelled([root], test), tuple(found), whole)


def classes(root: Path) -> dict[str, list[Path]]:
    """The pictures of each class folder, in order."""
    folders = sorted((folder for folder in root.iterdir() if folder.is_dir() and shown(folder)), key=natural)
    if not folders:
        raise BadData(f"{root} has no folder in it: make one for each class, with its pictures.")
    found = {folder.name: pictures(folder) for folder in folders}
    if empty := [name for name, paths in found.items() if not paths]:
        raise BadData(f"{root / empty[0]} holds no picture: put some there, or remove the folder.")
    return found


def pictures(folder: Path) -> list[Path]:
    """All pictures in a folder and the folders in it; those of one folder lie together."""
    endings = readable()
    paths = [path for path in folder.rglob("*") if path.suffix.lower() in endings and path.is_file()]
    paths = [path for path in paths if all(map(shown, [path, *path.relative_to(folder).parents][:-1]))]
    return sorted(paths, key=lambda path: (natural(path.parent), natural(path)))


def labelled(roots: Sequence[Path], found: Mapping[str, Sequence[Path]]) -> Labelled:
    """The pictures of each class, below any of the roots. If a class has folders in it, every folder with
    pictures is a clip."""
    paths = [path for own in found.values() for path in own]
    labels = np.repeat(np.arange(len(found)), [len(own) for own in found.values()]).astype(np.int64)
    clips = None
    classes = {root / name for root in roots for name in found}
    if any(path.parent not in classes for path in paths):
        numbers = {folder: number for number, folder in enumerate(dict.fromkeys(path.parent for path in paths))}
        clips = np.array([numbers[path.parent] for path in paths], np.int64)
    return Labelled(Lazy(decode, paths), labels, clips)
