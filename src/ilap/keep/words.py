"""Which class or exposure is meant by a word, and commands as a shell takes them.

People say *the old fox*, *class 3*, *3*, a burst's name, its folder or its number. A number is always an id,
also where something is called so, which is then meant by ``name:3``. So commands that are suggested name
things by their numbers.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import warnings
from collections.abc import Iterable
from dataclasses import dataclass

from ilap.core.errors import BadCorrection
from ilap.core.terminal import moves
from ilap.keep.learner import LearnerInFile
from ilap.keep.store import exposures
from ilap.learner.names import QUOTE, folded, number_in

NEW = "new"


def class_of(learner: LearnerInFile, word: str) -> int:
    """The class or tentative group that is meant: by its id, or by its name."""
    known = {*learner.state.members, *learner.groups}
    name, number = folded(word.removeprefix(QUOTE)), number_in(word)
    named = [k for k, own in learner.names.items() if folded(own) == name and k in known]
    if number is not None:
        return by_number(number, word, named, number in known, "class")
    if len(named) > 1:
        raise BadCorrection(f"Several classes are called {name}: use their ids, {named}.")
    if not named:
        raise BadCorrection(f"There is no class {name!r}: ilap show lists those there are.")
    return named[0]


def by_number(number: int, word: str, named: Iterable[int], there: bool, what: str) -> int:
    """What has this number. That others are called so is told, since they could have been meant."""
    others = [other for other in named if other != number]
    if not there:
        called = f"{what} {others[0]} is called so and is meant by {QUOTE}{word}" if others else ""
        hint = called or "ilap show lists those there are"
        raise BadCorrection(f"There is no {what} {number}: {hint}.")
    if others:
        also = f"{what} {others[0]} is called {word} too and is meant by {QUOTE}{word}"
        warnings.warn(f"{word} is {what} {number}; {also}", stacklevel=3)
    return number


def class_or_new(learner: LearnerInFile, word: str) -> int | None:
    """The same; None where a new class is meant."""
    return None if word.strip().casefold() == NEW else class_of(learner, word)


def exposure_of(learner: LearnerInFile, word: str) -> int:
    """The exposure that is meant: by its number, its name or its folder."""
    name = word.removeprefix(QUOTE)
    found = exposures.called(learner.file.connection, name)
    if word.isdecimal():
        return by_number(int(word), word, found, int(word) < learner.state.seen, "exposure")
    if len(found) > 1:
        raise BadCorrection(f"Several exposures are called {name}: use their numbers, {found}.")
    if not found:
        raise BadCorrection(f"There is no exposure {name!r}: ilap show lists those there are.")
    return found[0]


@dataclass(frozen=True)
class Commands:
    """What could be done about a learner, as commands that a shell takes word for word. ``path`` is how its
    file is named in them."""

    path: str

    def merge(self, class_id: int, other: int) -> str:
        """Two classes are one."""
        return command(self.path, "merge", str(class_id), str(other))

    def confirm(self, group: int) -> str:
        """A tentative group is a class."""
        return command(self.path, "confirm", str(group))

    def split(self, exposures: Iterable[int]) -> str:
        """Exposures are a class of their own."""
        return command(self.path, "split", *map(str, exposures))

    def move(self, exposure: int, class_id: int) -> str:
        """An exposure belongs to a class."""
        return command(self.path, "move", str(exposure), str(class_id))

    def found(self, exposure: int) -> str:
        """An exposure is a new class."""
        return command(self.path, "move", str(exposure), NEW)

    def discard(self, exposure: int) -> str:
        """An exposure is of no use."""
        return command(self.path, "discard", str(exposure))


def command(path: str, verb: str, *words: str) -> str:
    """A command as a shell takes it.

    >>> command("a b.ilap", "merge", "the fox", "3")
    "ilap merge 'a b.ilap' 'the fox' 3"
    """
    typed = ["ilap", verb, path, *words]
    return subprocess.list2cmdline(typed) if sys.platform == "win32" else " ".join(map(quoted, typed))


def quoted(word: str) -> str:
    r"""A word for a shell; one with control characters in the form that spells them out.

    >>> quoted("a b"), quoted("a\nb")
    ("'a b'", "$'a\\x0ab'")
    """
    if not any(map(moves, word)):
        return shlex.quote(word)
    escaped = re.sub(r"([\\'])", r"\\\1", word)
    spelled = (
        "".join(f"\\x{byte:02x}" for byte in char.encode("utf-8", "surrogateescape")) if moves(char) else char
        for char in escaped
    )
    return f"$'{''.join(spelled)}'"
