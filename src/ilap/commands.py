"""The command that does what a page advises, word for word as a shell takes it.

Numbers and ids are the shortest words, but a folder may be called 3 and a class too, and on the command line a
name goes first (cli/names.py). So a number is used only where nothing else is called so.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence

from ilap.kept import KeptLearner
from ilap.store.view import ExposureRow

NEW = "new"


class Commands:
    """Commands for one learner's file, which is named in full: they work in any folder."""

    def __init__(self, learner: KeptLearner, exposures: Sequence[ExposureRow]) -> None:
        self.path = learner.path
        self.rows = {row.number: row for row in exposures}
        self.names = learner.names
        self.classes = called((name, class_id) for class_id, name in learner.names.items())
        named = ((name, row.number) for row in exposures for name in (row.name, row.folder) if name)
        self.exposures = called(named)

    def merge(self, class_id: int, other: int) -> str:
        """Two classes are one."""
        return self._join("merge", self._class(class_id), self._class(other))

    def split(self, exposures: Iterable[int]) -> str:
        """Exposures are a class of their own."""
        return self._join("split", *map(self._exposure, exposures))

    def move(self, exposure: int, class_id: int) -> str:
        """An exposure belongs to a class."""
        return self._join("move", self._exposure(exposure), self._class(class_id))

    def found(self, exposure: int) -> str | None:
        """An exposure is a new class; None where a class is called new, which then would be meant."""
        return None if NEW in self.classes else self._join("move", self._exposure(exposure), NEW)

    def discard(self, exposure: int) -> str:
        """An exposure is of no use."""
        return self._join("discard", self._exposure(exposure))

    def _join(self, *words: str) -> str:
        return shlex.join(["ilap", words[0], self.path, *words[1:]])

    def _class(self, class_id: int) -> str:
        name = self.names.get(class_id)
        return word(class_id, [str(class_id), f"class {class_id}", name], self.classes)

    def _exposure(self, number: int) -> str:
        row = self.rows[number]
        return word(number, [str(number), row.name, row.folder], self.exposures)


def called(pairs: Iterable[tuple[str, int]]) -> dict[str, set[int]]:
    """All that is called by a name."""
    found: dict[str, set[int]] = {}
    for name, number in pairs:
        found.setdefault(name, set()).add(number)
    return found


def word(number: int, words: Sequence[str | None], called: Mapping[str, set[int]]) -> str:
    """The first word that means this and nothing else.

    >>> word(1, ["1", "heron"], {"1": {0}, "heron": {1}})
    'heron'
    """
    free = [text for text in words if text and called.get(text, {number}) == {number}]
    return free[0] if free else str(number)
