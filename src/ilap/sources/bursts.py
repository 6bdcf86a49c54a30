"""Which pictures make up an exposure: those of a folder, those taken shortly after each other, or those whose
names agree."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from ilap.core import pictures as pictures_in_files
from ilap.core.errors import BadSetting, MissingFile
from ilap.core.names import readable
from ilap.core.pictures import OTHERS, natural, passed_over, shown
from ilap.sources.capture import in_order, time_of

UNITS = {"": 1.0, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0, "d": 86400.0}

Complain = Callable[[str], None]


@dataclass(frozen=True)
class Burst:
    """The files of an exposure. ``folder`` is theirs where the exposure is all of it."""

    name: str
    folder: Path | None
    paths: tuple[Path, ...]
    ordered: bool


def walk(root: Path, complain: Complain) -> Iterable[tuple[Path, list[Path]]]:
    """Every folder with pictures in it, and these; what cannot be read is told and passed over. Only regular
    files are opened: a pipe would never end. Links to folders are not followed, so none is seen twice."""
    endings, others = pictures_in_files.readable(), Counter[str]()
    for folder, inner, names in os.walk(root, onerror=lambda error: complain(unreadable(error))):
        inner[:] = sorted((name for name in inner if not name.startswith(".")), key=lambda n: natural(Path(n)))
        paths = [Path(folder, name) for name in names]
        pictures = [path for path in paths if path.suffix.lower() in endings and shown(path)]
        others.update(
            kind for path in set(paths) - set(pictures) if (kind := passed_over(path)) and shown(path)
        )
        for path in [path for path in pictures if not path.is_file()]:
            why = "a pipe, a socket or a device, not a file" if path.exists() else "a link to nothing"
            complain(f"{path} is {why}")
        if pictures := sorted((path for path in pictures if path.is_file()), key=natural):
            yield Path(folder), pictures
    for kind, count in sorted(others.items()):
        complain(f"{count} {kind} were passed over: {OTHERS[kind][1]}")


def unreadable(error: OSError) -> str:
    """What is wrong with a folder."""
    return f"{error.filename} cannot be read ({error.strerror})"


def source(path: Path) -> Path:
    """The folder of pictures, or an error that says what to give."""
    if not path.is_dir():
        raise MissingFile(f"There is no folder {path}: give the folder that holds your pictures.")
    return Path(os.path.abspath(path))


def by_folder(root: Path, complain: Complain) -> list[Burst]:
    """Every folder in ``root`` that holds pictures is an exposure."""
    root = source(root)
    found = list(walk(root, complain))
    bursts = []
    for folder, paths in found:
        if folder == root:
            sentence = (
                f"{len(paths)} pictures lie in {root} itself, in no folder of their own: cut them "
                f"into exposures with --by-time 60s or --by-name REGEX"
            )
            if len(found) == 1:
                raise BadSetting(f"{sentence}.")
            complain(sentence)
            continue
        pictures, ordered = in_order(paths)
        bursts.append(Burst(readable(folder.relative_to(root).as_posix()), folder, tuple(pictures), ordered))
    return bursts


def by_time(root: Path, gap: timedelta, complain: Complain) -> list[Burst]:
    """Pictures of one folder, cut where more than ``gap`` lies between two."""
    root = source(root)
    bursts = []
    for folder, paths in walk(root, complain):
        timed = sorted((time_of(path)[0], natural(path), path) for path in paths)
        starts = [i for i, (time, _, _) in enumerate(timed) if i == 0 or time - timed[i - 1][0] > gap]
        for start, stop in zip(starts, [*starts[1:], len(timed)], strict=True):
            moment = timed[start][0].isoformat(sep=" ", timespec="seconds")
            name = moment if folder == root else f"{folder.relative_to(root).as_posix()}/{moment}"
            bursts.append(Burst(readable(name), None, tuple(path for _, _, path in timed[start:stop]), True))
    return bursts


def by_name(root: Path, pattern: str, complain: Complain) -> list[Burst]:
    """Pictures of one folder whose names have the same match of a pattern: of its groups, or of all of it."""
    try:
        expression = re.compile(pattern)
    except re.error as error:
        raise BadSetting(f"{pattern!r} is not a regular expression ({error}): see --help.") from None
    root = source(root)
    groups: dict[tuple[str, str], list[Path]] = {}
    without: list[Path] = []
    for folder, paths in walk(root, complain):
        for path in paths:
            if found := expression.search(path.name):
                key = "-".join(found.groups("")) or found[0]
                groups.setdefault((folder.relative_to(root).as_posix(), key), []).append(path)
            else:
                without.append(path)
    if without:
        complain(
            f"{len(without)} pictures have a name without {pattern!r} and were passed over: {without[0]}, ..."
        )
    bursts = []
    for (folder_name, key), own in groups.items():
        pictures, ordered = in_order(own)
        name = key if folder_name == "." else f"{folder_name}/{key}"
        bursts.append(Burst(readable(name), None, tuple(pictures), ordered))
    return bursts


def seconds(text: str) -> timedelta:
    """A span of time such as 60s, 5m, 2h.

    >>> seconds("90"), seconds("1.5m")
    (datetime.timedelta(seconds=90), datetime.timedelta(seconds=90))
    """
    found = re.fullmatch(r"([0-9.]+)\s*([a-z]*)", text.strip().lower())
    try:
        if not found or found[2] not in UNITS:
            raise ValueError
        return timedelta(seconds=float(found[1]) * UNITS[found[2]])
    except ValueError:
        raise BadSetting(f"{text!r} is no span of time: write 60s, 5m or 2h.") from None


def count(bursts: Sequence[Burst]) -> int:
    """How many pictures there are."""
    return sum(len(burst.paths) for burst in bursts)
