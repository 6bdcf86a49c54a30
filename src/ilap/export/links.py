"""A folder tree of symbolic links: class / exposure / picture, each to the picture's absolute path.

Pictures stay where they are; the tree can be moved, they cannot. Unsure exposures are in a folder
``tentative``, under the class or tentative group that each most likely belongs to; pictures that show something
else than their exposure are in ``strangers``; discarded ones are left out. A hidden file in the tree lists what
ilap has put there: made again, the tree changes only where the learner does, and all else in it stays.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from ilap.core.errors import BadOutput
from ilap.core.files import beside, named_errors
from ilap.export.content import Content, absolute, read
from ilap.export.contract import Order, Written
from ilap.export.names import numbered_file, safe, unique
from ilap.export.safely import is_free, settle
from ilap.export.tree import LIST, Tree, clear, put, remember, remembered, remove_empty
from ilap.keep.store.view import PictureRow

TENTATIVE, STRANGERS = "tentative", "strangers"


@dataclass(frozen=True)
class Parameters:
    """What it can be told."""

    copy: bool = False  # copy the pictures instead of linking to them


def planned(content: Content) -> dict[str, str]:
    """Every place in the tree, with / between its parts, and the picture that belongs there."""
    safe_names = ((place, safe(name)) for place, name in content.place_names.items())
    places = unique(safe_names, (TENTATIVE, STRANGERS))
    exposures = unique((number, safe(name)) for number, name in content.exposure_names.items())

    def folder(row: PictureRow) -> tuple[str, str]:
        place = row.exposure.place
        if place is None or not row.included:
            return STRANGERS, exposures[row.exposure.number]
        within = f"{TENTATIVE}/" if row.exposure.certainty == "tentative" else ""
        return f"{within}{places[place]}", exposures[row.exposure.number]

    return {
        f"{top}/{exposure}/{name}": source
        for (top, exposure), rows in groupby(sorted(content.usable(), key=folder), folder)
        for name, source in files(rows)
    }


def files(rows: Iterator[PictureRow]) -> Iterator[tuple[str, str]]:
    """The pictures of a folder by names of their own."""
    sources = {row.place: absolute(row) or "" for row in rows}
    names = ((place, os.path.basename(source)) for place, source in sources.items())
    for place, name in unique(names, distinguish=numbered_file).items():
        yield name, sources[place]


def write(order: Order) -> Written:
    """Make the tree, or bring it up to date."""
    content = read(order.learner)
    plan = planned(content)
    out = order.out
    fresh = is_free(out)
    if not (fresh or (out / LIST).is_file() or (order.force and out.is_dir())):
        raise BadOutput(f"{out} is there and no tree of links by ilap: name a new folder, or use --force.")
    with named_errors(out):
        out.parent.mkdir(parents=True, exist_ok=True)
        root = beside(out) if fresh else out
        try:
            missing, kept = bring_up_to_date(root, plan, order.parameters.copy)
            if fresh:
                settle(root, out, LIST)
        finally:
            if fresh and root.exists():
                clear(root)
    notes = [f"pictures that are no longer where they were: {missing}"] if missing else []
    notes += [f"files of yours that were left where a link belongs: {kept}"] if kept else []
    count = len(plan) - kept - (missing if order.parameters.copy else 0)
    left_out = len(content.pictures) - count
    return Written("links", str(out), count, len(content.class_names), left_out, "; ".join(notes))


def bring_up_to_date(root: Path, plan: dict[str, str], copy: bool) -> tuple[int, int]:
    """Make a tree what the plan says; gives how many pictures are missing and how many places are somebody
    else's. What is going to be ours is written down first, so that it can be interrupted and made again."""
    root.mkdir(exist_ok=True)
    old = remembered(root)
    new = Tree.planned(plan, copy)
    remember(root, old.joined(new))
    old.without(new).remove(root)
    missing = sum(not os.path.exists(source) for source in plan.values())
    kept = sum(not put(root, place, source, new) for place, source in plan.items())
    remove_empty(root, old)
    remember(root, new)
    return missing, kept
