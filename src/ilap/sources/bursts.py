"""Which pictures make up an exposure: those of a folder, those taken shortly after each other, or those whose
names agree."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from ilap.core.errors import BadPicture, BadSetting, MissingFile
from ilap.core.names import readable
from ilap.core.pictures import natural
from ilap.core.plural import counted
from ilap.sources import video
from ilap.sources.capture import in_order, time_of
from ilap.sources.tree import DAMAGED, LOOSE, UNMATCHED, Complain, Found, walk

__all__ = ["Burst", "Cutting", "by_folder", "by_name", "by_time", "count", "cut", "seconds", "walk"]
UNITS = {"": 1.0, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0, "d": 86400.0}
FPS = 1.0  # frames a second of a video that are looked at
EXAMPLES = 3  # of many that are named


@dataclass(frozen=True)
class Burst:
    """The files of an exposure. ``folder`` is theirs where the exposure is all of it; ``video`` is the file
    whose frames they are."""

    name: str
    folder: Path | None
    paths: tuple[Path, ...]
    ordered: bool
    video: Path | None = None


@dataclass(frozen=True)
class Cutting:
    """How a folder is cut into bursts: at gaps in time, or by a pattern of names, else by its folders; a video
    has so many frames a second."""

    by_time: timedelta | None = None
    by_name: str | None = None
    fps: float = FPS

    def __post_init__(self) -> None:
        if self.by_time is not None and self.by_name is not None:
            raise BadSetting("Bursts are cut by time or by name: take --by-time or --by-name, not both.")


def cut(root: Path, how: Cutting, complain: Complain, found: Found | None = None) -> list[Burst]:
    """The bursts of a folder."""
    if how.by_time is not None:
        return by_time(root, how.by_time, complain, found, how.fps)
    if how.by_name is not None:
        return by_name(root, how.by_name, complain, found, how.fps)
    return by_folder(root, complain, found, how.fps)


def source(path: Path) -> Path:
    """The folder of pictures, or an error that says what to give."""
    if not path.is_dir():
        raise MissingFile(f"There is no folder {path}: give the folder that holds your pictures.")
    return Path(os.path.abspath(path))


def of_videos(root: Path, found: Found, fps: float, complain: Complain) -> list[Burst]:
    """Every video is an exposure, of so many frames a second."""
    bursts = []
    for path in found.videos:
        try:
            frames = video.frames(path, fps)
        except BadPicture as error:
            complain(str(error))
            found.passed[DAMAGED] += 1
            continue
        name = readable(path.relative_to(root).as_posix())
        bursts.append(Burst(name, None, frames, len(frames) > 1, path))
    return bursts


def by_folder(root: Path, complain: Complain, found: Found | None = None, fps: float = FPS) -> list[Burst]:
    """Every folder in ``root`` that holds pictures is an exposure, and every video."""
    root, found = source(root), found or Found()
    folders = list(walk(root, complain, found))
    bursts = []
    for folder, paths in folders:
        if folder == root:
            sentence = (
                f"{root} itself holds {counted(len(paths), 'picture')} in no folder of their own: cut it "
                f"into exposures with --by-time 60s or --by-name REGEX"
            )
            if len(folders) == 1 and not found.videos:
                raise BadSetting(f"{sentence}.")
            complain(sentence)
            found.passed[LOOSE] += len(paths)
            continue
        pictures, ordered = in_order(paths)
        bursts.append(Burst(readable(folder.relative_to(root).as_posix()), folder, tuple(pictures), ordered))
    return bursts + of_videos(root, found, fps, complain)


def by_time(
    root: Path, gap: timedelta, complain: Complain, found: Found | None = None, fps: float = FPS
) -> list[Burst]:
    """Pictures of one folder, cut where more than ``gap`` lies between two. A video is by itself."""
    root, found = source(root), found or Found()
    bursts = []
    for folder, paths in walk(root, complain, found):
        timed = sorted((time_of(path)[0], natural(path), path) for path in paths)
        starts = [i for i, (time, _, _) in enumerate(timed) if i == 0 or time - timed[i - 1][0] > gap]
        for start, stop in zip(starts, [*starts[1:], len(timed)], strict=True):
            moment = timed[start][0].isoformat(sep=" ", timespec="seconds")
            name = moment if folder == root else f"{folder.relative_to(root).as_posix()}/{moment}"
            bursts.append(Burst(readable(name), None, tuple(path for _, _, path in timed[start:stop]), True))
    return bursts + of_videos(root, found, fps, complain)


def by_name(
    root: Path, pattern: str, complain: Complain, found: Found | None = None, fps: float = FPS
) -> list[Burst]:
    """Pictures of one folder whose names have the same match of a pattern: of its groups, or of all of it. A
    video is by itself."""
    try:
        expression = re.compile(pattern)
    except re.error as error:
        raise BadSetting(f"{pattern!r} is not a regular expression ({error}): see --help.") from None
    root, found = source(root), found or Found()
    groups: dict[tuple[str, str], list[Path]] = {}
    without: list[Path] = []
    for folder, paths in walk(root, complain, found):
        for path in paths:
            if matched := expression.search(path.name):
                key = "-".join(matched.groups("")) or matched[0]
                groups.setdefault((folder.relative_to(root).as_posix(), key), []).append(path)
            else:
                without.append(path)
    found.passed[UNMATCHED] += len(without)
    if without:
        some = ", ".join([*(path.name for path in without[:EXAMPLES]), *["..."] * (len(without) > EXAMPLES)])
        complain(f"{counted(len(without), 'picture')} passed over, of a name without {pattern!r}: {some}")
    bursts = []
    for (folder_name, key), own in groups.items():
        pictures, ordered = in_order(own)
        name = key if folder_name == "." else f"{folder_name}/{key}"
        bursts.append(Burst(readable(name), None, tuple(pictures), ordered))
    return bursts + of_videos(root, found, fps, complain)


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
    except (OverflowError, ValueError):
        raise BadSetting(f"{text!r} is no span of time: write 60s, 5m or 2h.") from None


def count(bursts: Sequence[Burst]) -> int:
    """How many pictures there are."""
    return sum(len(burst.paths) for burst in bursts)
