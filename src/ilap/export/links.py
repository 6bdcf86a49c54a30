"""A folder tree of symbolic links: class / exposure / picture, each to the picture's absolute path.

Pictures stay where they are; the tree can be moved, they cannot. A video is linked whole. Unsure exposures are
in ``tentative``, under the class or group that each most likely belongs to; pictures that show something else
than their exposure are in ``strangers``; discarded ones are left out. A hidden file in the tree lists what ilap
has put there: made again, the tree changes only where the learner does, and all else in it stays.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path, PurePosixPath
from typing import Any

from ilap.core.errors import BadOutput
from ilap.core.files import beside, named_errors
from ilap.core.frames import file_of
from ilap.export.content import Content, absolute, numbered_file, read, safe, unique
from ilap.export.contract import Order, Written, is_free, settle
from ilap.keep.store.view import PictureRow

TENTATIVE, STRANGERS = "tentative", "strangers"
LIST = ".ilap-links.json"
LONG = "\\\\?\\"  # what Windows puts before the target of a link


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
    """The files of a folder by names of their own. All frames of a video are one file."""
    places: dict[str, int] = {}
    for row in rows:
        places.setdefault(file_of(absolute(row) or ""), row.place)
    sources = {place: source for source, place in places.items()}
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
    several = len(content.usable()) - len(plan)  # frames of videos that are linked once
    count = len(plan) + several - kept - (missing if order.parameters.copy else 0)
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


@dataclass(frozen=True)
class Tree:
    """Places in a tree, with / between their parts: links by what they point to, copies by size and time of
    change in nanoseconds. What is no longer so has become somebody else's."""

    links: Mapping[str, str] = field(default_factory=dict)
    copies: Mapping[str, tuple[int, int]] = field(default_factory=dict)

    @staticmethod
    def planned(plan: Mapping[str, str], copy: bool) -> Tree:
        """What a plan will have made. Pictures that are not there cannot be copied."""
        if not copy:
            return Tree(links=dict(plan))
        return Tree(copies={place: state(source) for place, source in plan.items() if os.path.isfile(source)})

    def joined(self, other: Tree) -> Tree:
        """Either's; where both have a place, the other's."""
        return Tree({**self.links, **other.links}, {**self.copies, **other.copies})

    def without(self, other: Tree) -> Tree:
        """What the other does not have, or has otherwise."""
        return Tree(
            {place: target for place, target in self.links.items() if other.links.get(place) != target},
            {place: kept for place, kept in self.copies.items() if other.copies.get(place) != kept},
        )

    def has(self, root: Path, place: str) -> bool:
        """Whether what is at a place is as it was made."""
        path = root / place
        if path.is_symlink():
            return self.links.get(place) == os.readlink(path).removeprefix(LONG)
        return place in self.copies and path.is_file() and state(path) == self.copies[place]

    def remove(self, root: Path) -> None:
        """Take it away, as far as it is as it was made."""
        for place in {**self.links, **self.copies}:
            if is_inside(root, place) and self.has(root, place):
                (root / place).unlink()


def state(path: str | Path) -> tuple[int, int]:
    """By what a copy is known again."""
    about = os.stat(path)
    return about.st_size, about.st_mtime_ns


def is_inside(root: Path, place: str) -> bool:
    """Whether a place is in the tree, whatever a list says, and not behind a link out of it."""
    parts = PurePosixPath(place)
    if parts.is_absolute() or ".." in parts.parts:
        return False
    return (root / place).parent.resolve().is_relative_to(root.resolve())


def put(root: Path, place: str, source: str, tree: Tree) -> bool:
    """Put a link or a copy at its place; False where somebody else's file is there."""
    path = root / place
    if os.path.lexists(path):
        return tree.has(root, place)
    if place not in tree.links and place not in tree.copies:
        return True
    if not is_inside(root, place):
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    if place in tree.copies:
        draft = beside(path)
        try:
            shutil.copy2(source, draft)
            os.replace(draft, path)
        finally:
            draft.unlink(missing_ok=True)
        return True
    try:
        os.symlink(tree.links[place], path)
    except (OSError, NotImplementedError) as error:
        raise BadOutput(
            f"No link can be made at {path} ({getattr(error, 'strerror', None) or error}): choose "
            f"another location, or use --copy to copy the pictures."
        ) from error
    return True


def remembered(root: Path) -> Tree:
    """What the list in a tree says. Where it cannot be read, nothing there is ours."""
    try:
        found: dict[str, Any] = json.loads((root / LIST).read_text(encoding="utf-8"))
        copies = {place: (int(size), int(time)) for place, (size, time) in found["copies"].items()}
        return Tree({str(place): str(target) for place, target in found["links"].items()}, copies)
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return Tree()


def remember(root: Path, tree: Tree) -> None:
    """Write the list."""
    draft = beside(root / LIST)
    text = json.dumps({"made_by": "ilap", "links": dict(tree.links), "copies": dict(tree.copies)}, indent=1)
    try:
        draft.write_text(text, encoding="utf-8")
        os.replace(draft, root / LIST)
    finally:
        draft.unlink(missing_ok=True)


def remove_empty(root: Path, tree: Tree) -> None:
    """Take away folders that a tree made and that hold nothing any more."""
    parents = {parent for place in {**tree.links, **tree.copies} for parent in PurePosixPath(place).parents}
    for parent in sorted(parents, key=lambda parent: -len(parent.parts)):
        folder = root / parent
        if parent.parts and is_inside(root, str(parent)) and not folder.is_symlink():
            try:
                folder.rmdir()
            except OSError:  # it is not empty, or not there
                continue


def clear(root: Path) -> None:
    """Take away a draft of a tree; links are not followed."""
    shutil.rmtree(root, ignore_errors=True)
