"""Names that nothing else has, and names that a file can have."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Callable, Iterable

LONGEST = 120  # bytes of a file's name; 255 are allowed, and a number may follow
FORBIDDEN = re.compile(r'[\x00-\x1f\x7f/\\:*?"<>|]')
DEVICES = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)


def numbered(name: str, key: int) -> str:
    """A name with a number after it."""
    return f"{name} ({key})"


def numbered_file(name: str, key: int) -> str:
    """The same, before the ending.

    >>> numbered_file("a.tar.jpg", 3)
    'a.tar (3).jpg'
    """
    stem, ending = os.path.splitext(name)
    return f"{stem} ({key}){ending}"


def unique(
    named: Iterable[tuple[int, str]],
    taken: Iterable[str] = (),
    distinguish: Callable[[str, int], str] = numbered,
) -> dict[int, str]:
    """To every key its name; where that is taken already, with the key. Names that some file systems do not
    tell apart (Fox and fox) count as one.

    >>> unique([(0, "fox"), (1, "hare"), (7, "Fox")])
    {0: 'fox', 1: 'hare', 7: 'Fox (7)'}
    """
    used = {folded(name) for name in taken}
    names = {}
    for key, wanted in named:
        name = wanted
        while folded(name) in used:
            name = distinguish(name, key)
        used.add(folded(name))
        names[key] = name
    return names


def folded(name: str) -> str:
    """A name as file systems compare it that know neither case nor ways to write an accent."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def safe(name: str) -> str:
    r"""A name as a file can have it, everywhere, in whatever script it is.

    >>> [safe(name) for name in ("Fuchs/2\n", "狐 #1", "..", "NUL", "")]
    ['Fuchs_2_', '狐 #1', '_', '_NUL', '_']
    """
    plain = FORBIDDEN.sub("_", unicodedata.normalize("NFC", name))
    plain = plain.encode("utf-8", "replace")[:LONGEST].decode("utf-8", "ignore")
    plain = plain.lstrip(". ").rstrip(". ")
    return f"_{plain}" if not plain or DEVICES.fullmatch(plain) else plain
