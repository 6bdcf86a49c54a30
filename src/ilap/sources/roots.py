"""Which folders may be learned from where somebody else names them: those below a root, wherever links lead."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from ilap.core.frames import file_of
from ilap.sources.bursts import Burst
from ilap.sources.tree import Complain, told

OUTSIDE = "link to elsewhere"


def is_below(folder: Path, roots: Iterable[Path]) -> bool:
    """Whether a folder is one of these or below one, once all links are followed.

    >>> is_below(Path("/a/b/../c"), [Path("/a")]), is_below(Path("/a/../b"), [Path("/a")])
    (True, False)
    """
    try:
        real = Path(os.path.realpath(folder))
    except (OSError, ValueError):  # no file system has such a name
        return False
    return any(real.is_relative_to(os.path.realpath(root)) for root in roots)


def topmost(folders: Iterable[Path]) -> list[Path]:
    """Folders without those that are below another.

    >>> [str(path) for path in topmost([Path("/a/b"), Path("/c"), Path("/a")])]
    ['/a', '/c']
    """
    found: list[Path] = []
    for folder in sorted(set(folders)):
        if not any(folder.is_relative_to(other) for other in found):
            found.append(folder)
    return found


def only_below(bursts: Sequence[Burst], roots: Sequence[Path], complain: Complain) -> list[Burst]:
    """Bursts without the files that are links to what is below none of the roots."""
    of_folder = cache(lambda folder: is_below(folder, roots))

    def inside(path: Path) -> bool:
        file = Path(file_of(str(path)))
        return is_below(file, roots) if file.is_symlink() else of_folder(file.parent)

    kept, left_out = [], 0
    for burst in bursts:
        own = tuple(path for path in burst.paths if inside(path))
        left_out += len(burst.paths) - len(own)
        if own:
            kept.append(burst if len(own) == len(burst.paths) else replace(burst, paths=own))
    if left_out:
        complain(f"{told(OUTSIDE, left_out)} passed over: allow its folder by --root")
    return kept
