"""Boxes around animals, as MegaDetector writes them (its JSON of a batch), so that the animal and not the
forest is looked at.

Every picture is cut to its box; one without a box is left out. Where all pictures of a burst have one box each,
these are one exposure. Where a burst has several animals, it is parted only if that is clear: the pictures are
in the order of capture, all have the same number of boxes, and each box overlaps just one of the picture before
and is overlapped by just one. Else nobody can say which box is whose, and the burst is left out.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import isfinite
from pathlib import Path
from typing import Any

from ilap.core.crop import Box
from ilap.core.errors import BadData, MissingFile
from ilap.core.plural import counted
from ilap.sources.bursts import Burst
from ilap.sources.tree import Complain

THRESHOLD = 0.2
ANIMAL = "animal"
SAME = 0.3  # intersection over union from which boxes of neighbouring pictures may be one animal


@dataclass(frozen=True)
class Boxes:
    """The boxes of animals by file, as the detector named it, with / between folders; None where it failed."""

    by_file: Mapping[str, tuple[Box, ...] | None]

    def of(self, path: Path) -> tuple[Box, ...] | None:
        """The boxes of a picture: of the file whose name is the longest end of its path. None where there is
        none."""
        parts = path.as_posix().split("/")
        ends = ("/".join(parts[i:]) for i in range(len(parts)))
        return next((self.by_file[end] for end in ends if end in self.by_file), None)


@dataclass(frozen=True)
class Cropped:
    """Bursts of crops, and what was left out: pictures without an animal, pictures that the detector has not
    seen, and pictures of bursts in which it is not clear which box is whose."""

    bursts: list[Burst]
    empty: int = 0
    unseen: int = 0
    unclear: int = 0
    unclear_bursts: tuple[str, ...] = ()


def read_boxes(path: Path, threshold: float = THRESHOLD) -> Boxes:
    """The boxes of animals that the detector is at least so sure of."""
    if not path.is_file():
        raise MissingFile(f"There is no file {path}: give the JSON file that MegaDetector has written.")
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
        names = told.get("detection_categories") or {"1": ANIMAL}
        animals = {str(key) for key, name in names.items() if str(name).lower() == ANIMAL}
        found = {named(image["file"]): boxes_of(image, animals, threshold) for image in told["images"]}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadData(
            f"{path} is no JSON of MegaDetector's batches ({type(error).__name__}: {error}): it needs images, "
            f"each with a file and detections of category, conf and bbox."
        ) from None
    return Boxes(found)


def named(file: str) -> str:
    r"""A file's name with / between folders.

    >>> named("./cam 1\\a.jpg")
    'cam 1/a.jpg'
    """
    return file.replace("\\", "/").removeprefix("./")


def boxes_of(image: Mapping[str, Any], animals: set[str], threshold: float) -> tuple[Box, ...] | None:
    """The boxes of an image, the surest first; None where the detector could not read it."""
    detections = image.get("detections")
    if detections is None:
        return None
    sure = [one for one in detections if str(one["category"]) in animals and float(one["conf"]) >= threshold]
    boxes = (box_of(one["bbox"]) for one in sorted(sure, key=lambda one: -float(one["conf"])))
    return tuple(box for box in boxes if box)


def box_of(numbers: Sequence[Any]) -> Box | None:
    """A box as far as it lies in the picture; None where nothing of it does."""
    x, y, width, height = map(float, numbers)
    if not all(map(isfinite, (x, y, width, height))):
        return None
    left, top, right, bottom = (min(max(end, 0.0), 1.0) for end in (x, y, x + width, y + height))
    made = Box(left, top, right - left, bottom - top)
    return made if made.width > 1e-4 and made.height > 1e-4 else None


def cropped(bursts: Sequence[Burst], boxes: Boxes) -> Cropped:
    """Bursts cut to their boxes."""
    made, empty, unseen, unclear = list[Burst](), 0, 0, dict[str, int]()
    for burst in bursts:
        found = {path: boxes.of(path) for path in burst.paths}
        unseen += sum(own is None for own in found.values())
        empty += sum(own == () for own in found.values())
        frames = {path: own for path, own in found.items() if own}
        if not frames:
            continue
        tracks = parted(list(frames.values()), burst.ordered)
        if tracks is None:
            unclear[burst.name] = len(frames)
        elif len(tracks) == 1:
            made.append(replace(burst, paths=crops(frames, tracks[0])))
        else:
            made += [
                Burst(f"{burst.name}, animal {number}", None, crops(frames, own), burst.ordered)
                for number, own in enumerate(tracks, 1)
            ]
    return Cropped(made, empty, unseen, sum(unclear.values()), tuple(unclear))


def crops(frames: Mapping[Path, Sequence[Box]], track: Sequence[Box]) -> tuple[Path, ...]:
    """The pictures of one animal."""
    return tuple(path.with_name(path.name + box.fragment) for path, box in zip(frames, track, strict=True))


def parted(frames: Sequence[Sequence[Box]], ordered: bool) -> list[list[Box]] | None:
    """The boxes of every animal, picture by picture; None where it is not clear which box is whose.

    >>> left, right = Box(0, 0, 0.4, 1), Box(0.6, 0, 0.4, 1)
    >>> parted([[left, right], [right, left]], ordered=True) == [[left, left], [right, right]]
    True
    >>> parted([[left, right], [left]], ordered=True), parted([[left], [right]], ordered=False)
    (None, [[Box(x=0, y=0, width=0.4, height=1), Box(x=0.6, y=0, width=0.4, height=1)]])
    """
    count = len(frames[0])
    if any(len(own) != count for own in frames) or (count > 1 and not ordered and len(frames) > 1):
        return None
    tracks = [[box] for box in frames[0]]
    for own in frames[1:]:
        if count == 1:
            tracks[0].append(own[0])
            continue
        near = [[box for box in own if track[-1].overlap(box) >= SAME] for track in tracks]
        if any(len(boxes) != 1 for boxes in near) or len({id(boxes[0]) for boxes in near}) != count:
            return None
        for track, boxes in zip(tracks, near, strict=True):
            track.append(boxes[0])
    return tracks


def tell(found: Cropped, complain: Complain) -> None:
    """Say what was left out."""
    if found.empty:
        complain(f"left out: {counted(found.empty, 'picture')} without an animal")
    if found.unseen:
        complain(f"left out: {counted(found.unseen, 'picture')} that the detector has not seen")
    if names := found.unclear_bursts:
        some = ", ".join(names[:3]) + (", ..." if len(names) > 3 else "")
        complain(
            f"left out: {counted(found.unclear, 'picture')} of {counted(len(names), 'burst')} with several "
            f"animals, as it is not clear which box is whose: {some}"
        )
