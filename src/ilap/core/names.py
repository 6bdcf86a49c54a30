r"""Names of files that are not text: a file system allows bytes that are no UTF-8.

Python reads such a byte as a lone surrogate (``os.fsdecode``), and every function of the system takes such a
name. Neither SQLite nor UTF-8 takes a lone surrogate, so there are two more forms of a name: ``stored``,
which loses nothing, for the learner's file, and ``readable``, for people and other programs.
"""

from __future__ import annotations

import codecs
import re
from typing import Any

READABLE = "readable-names"
"""How streams and files that are written as text deal with what they cannot encode (``errors=``)."""
ESCAPE = "\ufdd0"  # a noncharacter: text never holds it
_TO_STORE = re.compile(f"[\ud800-\udfff{ESCAPE}]")
_STORED = re.compile(f"{ESCAPE}([0-9a-f]{{4}})")
_LONE = re.compile("[\ud800-\udfff]")


def stored(name: str) -> str:
    r"""A name as text without loss. One that is text already is as it was.

    >>> stored("fox.jpg"), restored(stored("\udcff.jpg")) == "\udcff.jpg"
    ('fox.jpg', True)
    """
    return name if name.isascii() else _TO_STORE.sub(lambda found: f"{ESCAPE}{ord(found[0]):04x}", name)


def restored(text: str) -> str:
    """The name that was stored."""
    return _STORED.sub(lambda found: chr(int(found[1], 16)), text) if ESCAPE in text else text


def readable(name: str) -> str:
    r"""A name as people and other programs see it: a byte that is no text is written as a number.

    >>> print(readable("caf\udce9.jpg"), readable("café.jpg"))
    caf\xe9.jpg café.jpg
    """
    return name if name.isascii() else _LONE.sub(lambda found: _number(found[0]), name)


def all_readable(value: Any) -> Any:
    """Plain data, as JSON takes it, with every text in it readable."""
    if isinstance(value, str):
        return readable(value)
    if isinstance(value, dict):
        return {all_readable(key): all_readable(own) for key, own in value.items()}
    return [all_readable(own) for own in value] if isinstance(value, list | tuple) else value


def _number(character: str) -> str:
    """A character as its number: of a byte that was no text, the byte."""
    code = ord(character)
    return f"\\x{code - 0xDC00:02x}" if 0xDC80 <= code <= 0xDCFF else ascii(character)[1:-1]


def _encode(error: UnicodeError) -> tuple[str, int]:
    """What is written for characters that cannot be encoded."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(_number, error.object[error.start : error.end])), error.end


codecs.register_error(READABLE, _encode)
