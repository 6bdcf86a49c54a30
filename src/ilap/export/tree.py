"""What ilap has put into a folder tree, so that it can take away just that."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from ilap.core.errors import BadOutput
from ilap.core.files import beside

LIST = ".ilap-links.json"
LONG = "\\\\?\\"  # what Windows puts before the target of a link


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
            f"No link can be made at {path} ({getattr(error, 'strerror', None) or error}): take another place, "
            f"or use --copy to copy the pictures."
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
