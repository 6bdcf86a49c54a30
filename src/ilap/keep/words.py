"""Which class or exposure is meant by a word, which word means just one of them, and commands of such words.

People say *the old fox*, *class 3*, *3*, a burst's name, its folder or its number. A name goes first: a class
may be called 3, and a folder too. So a number means a class or an exposure only where nothing is called so.
"""

from __future__ import annotations

import shlex
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ilap.core.errors import BadCorrection
from ilap.core.names import readable
from ilap.keep.learner import LearnerInFile
from ilap.keep.store import exposures, view
from ilap.keep.store.view import ExposureRow

NEW = "new"


def class_of(learner: LearnerInFile, word: str) -> int:
    """The class or tentative group that is meant: by its name, or by its id."""
    known = {*learner.state.members, *learner.groups}
    named = [k for k, name in learner.names.items() if name == word and k in known]
    if len(named) > 1:
        raise BadCorrection(f"Several classes are called {word}: use their ids, {named}.")
    if named:
        return named[0]
    number = word.removeprefix("class ").removeprefix("group ").strip()
    if number.isdecimal() and int(number) in known:
        return int(number)
    raise BadCorrection(f"There is no class {word!r}: ilap show lists those there are.")


def class_or_new(learner: LearnerInFile, word: str) -> int | None:
    """The same; None where a new class is meant."""
    return None if word == NEW and NEW not in learner.names.values() else class_of(learner, word)


def exposure_of(learner: LearnerInFile, word: str) -> int:
    """The exposure that is meant: by its name, its folder or its number."""
    found = exposures.called(learner.file.connection, word)
    if len(found) == 1:
        return found[0]
    if word.isdecimal():
        learner.place_of(int(word))
        return int(word)
    if found:
        raise BadCorrection(f"Several exposures are called {word}: use their numbers, {found}.")
    raise BadCorrection(f"There is no exposure {word!r}: ilap show lists those there are.")


@dataclass(frozen=True)
class Words:
    """The shortest word that means a class or an exposure of a learner and nothing else."""

    names: Mapping[int, str]
    rows: Mapping[int, ExposureRow]
    classes_called: Mapping[str, set[int]]
    exposures_called: Mapping[str, set[int]]

    def for_class(self, class_id: int) -> str:
        """A word for a class."""
        words = [str(class_id), f"class {class_id}", f"group {class_id}", self.names.get(class_id)]
        return unambiguous(class_id, words, self.classes_called)

    def for_exposure(self, number: int) -> str:
        """A word for an exposure."""
        row = self.rows[number]
        return unambiguous(number, [str(number), row.name, row.folder], self.exposures_called)

    def for_new(self) -> str | None:
        """The word for a new class; None where a class is called so, which then would be meant."""
        return None if NEW in self.classes_called else NEW


def words_of(names: Mapping[int, str], rows: Sequence[ExposureRow]) -> Words:
    """The words for what a learner knows."""
    return Words(
        names,
        {row.number: row for row in rows},
        grouped((name, class_id) for class_id, name in names.items()),
        grouped((name, row.number) for row in rows for name in (row.name, row.folder) if name),
    )


def grouped(pairs: Iterable[tuple[str, int]]) -> dict[str, set[int]]:
    """All that is called by a name."""
    found: dict[str, set[int]] = {}
    for name, number in pairs:
        found.setdefault(name, set()).add(number)
    return found


def unambiguous(number: int, words: Sequence[str | None], called: Mapping[str, set[int]]) -> str:
    """The first word that means this and nothing else.

    >>> unambiguous(1, ["1", "heron"], {"1": {0}, "heron": {1}})
    'heron'
    """
    free = [word for word in words if word and called.get(word, {number}) == {number}]
    return free[0] if free else str(number)


@dataclass(frozen=True)
class Commands:
    """What could be done about a learner, as commands that a shell takes word for word. ``path`` is how its
    file is named in them."""

    path: str
    words: Words

    def merge(self, class_id: int, other: int) -> str:
        """Two classes are one."""
        return command(self.path, "merge", self.words.for_class(class_id), self.words.for_class(other))

    def confirm(self, group: int) -> str:
        """A tentative group is a class."""
        return command(self.path, "confirm", self.words.for_class(group))

    def split(self, exposures: Iterable[int]) -> str:
        """Exposures are a class of their own."""
        return command(self.path, "split", *map(self.words.for_exposure, exposures))

    def move(self, exposure: int, class_id: int) -> str:
        """An exposure belongs to a class."""
        return command(self.path, "move", self.words.for_exposure(exposure), self.words.for_class(class_id))

    def found(self, exposure: int) -> str | None:
        """An exposure is a new class; None where there is no word for that."""
        new = self.words.for_new()
        return None if new is None else command(self.path, "move", self.words.for_exposure(exposure), new)

    def discard(self, exposure: int) -> str:
        """An exposure is of no use."""
        return command(self.path, "discard", self.words.for_exposure(exposure))


def command(path: str, verb: str, *words: str) -> str:
    """A command as a shell takes it.

    >>> command("a b.ilap", "merge", "the fox", "3")
    "ilap merge 'a b.ilap' 'the fox' 3"
    """
    typed = ["ilap", verb, path, *words]
    return subprocess.list2cmdline(typed) if sys.platform == "win32" else " ".join(map(quoted, typed))


def quoted(word: str) -> str:
    r"""A word as a shell takes it, also where it is a name that is not text.

    >>> print(quoted("the fox"), quoted("caf\udce9 1"))
    'the fox' $'caf\xe9 1'
    """
    if readable(word) == word:
        return shlex.quote(word)
    escaped = word.replace("\\", "\\\\").replace("'", "\\'")
    return f"$'{readable(escaped)}'"


def commands(learner: LearnerInFile, rows: Sequence[ExposureRow] | None = None) -> Commands:
    """Commands for a learner, in words that mean what they say. ``rows`` are its exposures, where they were
    read already."""
    rows = view.exposures(learner.file.connection) if rows is None else rows
    return Commands(learner.path, words_of(learner.names, rows))
