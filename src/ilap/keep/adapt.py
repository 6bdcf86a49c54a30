"""``ilap adapt``: the pictures of a learner's classes, read again, and what came of adapting, in words."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ilap.core.errors import BadPicture
from ilap.core.exposure import Picture
from ilap.core.plural import counted
from ilap.exact.exact import Exact
from ilap.keep.store import view
from ilap.learner.adapted import Adapted
from ilap.learner.adapting import Adaptation
from ilap.sources.read import read

THREADS = 4  # that read pictures
STALE = 0.1  # share of the exposures that came after the network, from which on adapting again would pay


@dataclass(frozen=True)
class NetworkView:
    """The adapted network: how many held-out pictures were named right with it and before, of how many, and the
    classes and sure exposures that it was not trained on. ``pays`` says that adapting again would pay."""

    held_out: int
    right: int
    right_before: int
    new_classes: tuple[int, ...]
    new_exposures: int
    pays: bool

    @property
    def said(self) -> str:
        """In a sentence."""
        known = (
            f"Pictures are named with an adapted network: {self.right} of "
            f"{counted(self.held_out, 'held-out picture')} right, {self.right_before} without it."
        )
        if not self.new_exposures:
            return known
        some = counted(self.new_exposures, "exposure")
        classes = f", {counted(len(self.new_classes), 'class')} of them new to it," if self.new_classes else ""
        return f"{known} {some}{classes} came after it{': adapting again would pay' if self.pays else ''}."


def network_view(network: Adapted, exact: Exact) -> NetworkView:
    """What there is to tell of a learner's network."""
    exposures = exact.model.exposures
    new = sum(number not in network.outputs for number in exposures)
    inside = network.inside(exact)
    classes = tuple(k for k, known in zip(exact.classes, inside, strict=True) if not known)
    about = network.about
    return NetworkView(
        about["held_out"],
        about["adapted_right"],
        about["frozen_right"],
        classes,
        new,
        bool(classes) or new > STALE * len(exposures),
    )


def said(found: Adaptation, event: int) -> list[str]:
    """What came of adapting, in sentences."""
    before, after = found.frozen_right, found.adapted_right
    judged = f"of {counted(found.held_out, 'held-out picture')} {after} are named right, {before} before"
    steps = f"{counted(found.steps, 'step')} on {counted(found.pictures, 'picture')}, {found.seconds:.0f} s"
    told = (
        f"adapted to {counted(found.classes, 'class')} ({steps}): {judged} (event {event})"
        if found.kept
        else f"not kept ({steps}): {judged}; nothing was changed"
    )
    if not found.missing:
        return [told]
    some = counted(found.missing, "picture")
    return [told, f"{some} could not be read again, or changed since they were learned, and were left out"]


def pictures_of(connection: sqlite3.Connection, exposure: int) -> dict[int, Picture]:
    """The pictures of an exposure by their places, read again from their files; those that are not there, or
    are others by now, are left out."""
    rows = view.contents_of(connection, exposure)
    with ThreadPoolExecutor(THREADS) as pool:
        found = pool.map(lambda row: unchanged(row[1], row[2]), rows)
        return {row[0]: picture for row, picture in zip(rows, found, strict=True) if picture is not None}


def unchanged(path: str | None, sha256: str) -> Picture | None:
    """A picture, if it is still the one that was learned."""
    if path is None:
        return None
    try:
        picture, origin = read(Path(path))
    except (BadPicture, OSError):
        return None
    return picture if origin.sha256 == sha256 else None


def plain(learner: str, found: Adaptation, event: int | None) -> Mapping[str, Any]:
    """What came of it, as JSON takes it."""
    return {"learner": learner, **found.plain(), "event": event}
