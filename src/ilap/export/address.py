"""Pictures as addresses, for programs that ask for them by URL."""

from __future__ import annotations

from pathlib import PurePath
from urllib.parse import quote


def address(path: str, prefix: str = "") -> str:
    r"""A picture's address: its file's, or where ``prefix`` serves pictures, its path after that. It holds no
    two dots in a row, which some take for a step out of a folder.

    >>> address("/a b/c..d\n.jpg")
    'file:///a%20b/c%2E%2Ed%0A.jpg'
    >>> address("/a b/c.jpg", "/data/local-files/?d=")
    '/data/local-files/?d=a%20b/c.jpg'
    """
    plain = PurePath(path).as_posix().lstrip("/")
    made = prefix + quote(plain) if prefix else f"file:///{quote(plain, safe='/:')}"
    return made.replace("..", "%2E%2E")
