"""Which names a class may have, so that a word of a command always means one thing.

A number is the id of a class. So a class may be called 4, but is then meant by ``name:4`` alone.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping

from ilap.core.errors import BadCorrection

QUOTE = "name:"
RESERVED = frozenset({"new", "unsure", "discarded", "undone", "same", "different", "cannot"})
"""Words that commands take for something else."""
BY_ID = re.compile(r"(?:class\s+|group\s+)?(\d+)", re.IGNORECASE)


def number_in(word: str) -> int | None:
    """The id that a word says.

    >>> number_in("3"), number_in("class 3"), number_in("group 3"), number_in("name:3"), number_in("3b")
    (3, 3, 3, None, None)
    """
    found = BY_ID.fullmatch(word.strip())
    return int(found[1]) if found else None


def folded(name: str) -> str:
    """A name as it is compared: however its accents are written, and without the white space around it."""
    return unicodedata.normalize("NFC", name).strip()


def checked(name: str, class_id: int | None, others: Mapping[int, str]) -> str:
    """The name as it is kept, if a class may have it; None is a class that is yet to be founded. ``others``
    are the names of all classes and tentative groups there are.

    >>> checked(" fox ", 3, {3: "cub", 4: "hare"})
    'fox'
    """
    plain = name.strip()
    if all(unicodedata.category(char)[0] in "CZ" for char in plain):
        raise BadCorrection("A name needs at least one letter, digit or sign that can be seen: give another.")
    if any(unicodedata.category(char) == "Cs" for char in plain):
        raise BadCorrection("This name is not valid UTF-8: give another.")
    reserved = plain.casefold() in RESERVED or (number_in(plain) is not None and not plain.isdecimal())
    if reserved or plain.casefold().startswith(QUOTE):
        raise BadCorrection(f"A class cannot be called {plain!r}, which commands take for something else.")
    for other, taken in others.items():
        if other != class_id and folded(taken) == folded(plain):
            hint = "" if class_id is None else f" If they are one, use ilap merge {other} {class_id}."
            raise BadCorrection(f"Class {other} is called {plain!r} already: give another name.{hint}")
    return plain
