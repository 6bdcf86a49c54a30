"""Every file of a folder tree: a picture, a video, or passed over for a reason, which is counted."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from ilap.core.extras import EXTRA_OF
from ilap.core.pictures import KINDS, Kind, kind_of, natural, shown

Complain = Callable[[str], None]

OTHER, HIDDEN = "file of another kind", "hidden file"
PIPE, NOWHERE = "pipe, socket or device", "link to nothing"
LOOSE, UNMATCHED = "picture in no folder of its own", "picture whose name does not match"
DAMAGED = "file that cannot be read"


@dataclass
class Found:
    """What a tree holds beside the pictures of its folders: videos, and how many files were passed over, by the
    reason."""

    videos: list[Path] = field(default_factory=list)
    passed: Counter[str] = field(default_factory=Counter)


def walk(root: Path, complain: Complain, found: Found | None = None) -> Iterator[tuple[Path, list[Path]]]:
    """Every folder with pictures in it, and these; what cannot be read is told and passed over. Only regular
    files are opened: a pipe would never end. Links to folders are not followed, so none is seen twice."""
    found = found or Found()
    for folder, inner, names in os.walk(root, onerror=lambda error: complain(unreadable(error))):
        for hidden in [name for name in inner if name.startswith(".")]:
            found.passed[HIDDEN] += sum(len(own) for _, _, own in os.walk(Path(folder, hidden)))
        inner[:] = sorted((name for name in inner if not name.startswith(".")), key=lambda n: natural(Path(n)))
        pictures = []
        for path in sorted((Path(folder, name) for name in names), key=natural):
            if reason := passed_over(path):
                found.passed[reason] += 1
                if reason in (PIPE, NOWHERE):
                    complain(f"{path} is a {reason}, not a file")
            elif (kind := kind_of(path)) and kind.name == "video":
                found.videos.append(path)
            else:
                pictures.append(path)
        if pictures:
            yield Path(folder), pictures
    for name, sentence in not_read(found.passed).items():
        complain(f"{told(name, found.passed[name])} passed over: {sentence}")


def passed_over(path: Path) -> str | None:
    """Why a file is not read; None where it is."""
    kind = kind_of(path)
    if not shown(path):
        return HIDDEN
    if kind is None:
        return OTHER
    if not path.is_file():
        return PIPE if path.exists() else NOWHERE
    return None if kind.is_read else kind.name


def not_read(passed: Counter[str]) -> dict[str, str]:
    """Of the kinds that another package would read, what to do, by their names."""
    return {kind.name: advice(kind, passed[kind.name]) for kind in KINDS if passed[kind.name]}


def advice(kind: Kind, count: int = 1) -> str:
    """How a kind is read.

    >>> advice(Kind("raw picture", (), "rawpy"), 2)
    "pip install 'ilap[raw]' to read them"
    """
    return f"pip install 'ilap[{EXTRA_OF[kind.package]}]' to read {'it' if count == 1 else 'them'}"


def told(thing: str, count: int) -> str:
    """How many there were.

    >>> told("video", 1), told("file of another kind", 3)
    ('1 video was', '3 files of another kind were')
    """
    return f"{several(thing, count)} {'was' if count == 1 else 'were'}"


def several(thing: str, count: int) -> str:
    """A number of things; the first noun has the plural.

    >>> several("file of another kind", 2), several("raw picture", 2), several("pipe, socket or device", 3)
    ('2 files of another kind', '2 raw pictures', '3 pipes, sockets or devices')
    """
    if count == 1:
        return f"1 {thing}"
    if thing == PIPE:
        return f"{count} pipes, sockets or devices"
    for noun in ("file", "picture", "link", "video"):
        if noun in thing:
            return f"{count} {thing.replace(noun, f'{noun}s', 1)}"
    return f"{count} {thing}s"


def unreadable(error: OSError) -> str:
    """What is wrong with a folder."""
    return f"{error.filename} cannot be read ({error.strerror})"
