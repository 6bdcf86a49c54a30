"""What could be done about a learner, as commands that a shell takes word for word."""

from __future__ import annotations

import shlex
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass

from ilap.keep.words import Words


@dataclass(frozen=True)
class Commands:
    """Commands for one learner's file. ``path`` is how it is named in them."""

    path: str
    words: Words

    def merge(self, class_id: int, other: int) -> str:
        """Two classes are one."""
        return self.join("merge", self.words.for_class(class_id), self.words.for_class(other))

    def confirm(self, group: int) -> str:
        """A tentative group is a class."""
        return self.join("confirm", self.words.for_class(group))

    def split(self, exposures: Iterable[int]) -> str:
        """Exposures are a class of their own."""
        return self.join("split", *map(self.words.for_exposure, exposures))

    def move(self, exposure: int, class_id: int) -> str:
        """An exposure belongs to a class."""
        return self.join("move", self.words.for_exposure(exposure), self.words.for_class(class_id))

    def found(self, exposure: int) -> str | None:
        """An exposure is a new class; None where there is no word for that."""
        new = self.words.for_new()
        return None if new is None else self.join("move", self.words.for_exposure(exposure), new)

    def discard(self, exposure: int) -> str:
        """An exposure is of no use."""
        return self.join("discard", self.words.for_exposure(exposure))

    def join(self, verb: str, *words: str) -> str:
        """A command as a shell takes it.

        >>> from ilap.keep.words import words_of
        >>> Commands("a b.ilap", words_of({}, [])).join("merge", "the fox", "3")
        "ilap merge 'a b.ilap' 'the fox' 3"
        """
        command = ["ilap", verb, self.path, *words]
        return subprocess.list2cmdline(command) if sys.platform == "win32" else shlex.join(command)
