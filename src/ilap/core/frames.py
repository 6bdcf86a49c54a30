"""A frame of a video as a path: the video's, and the second at which it is shown, as in ``clip.mp4#t=12.0``.

That is how the web names a moment of a video (W3C, Media Fragments). So a frame is kept, listed and exported
wherever a picture's path is, and read back by the one function that reads pictures (sources/read.py).
"""

from __future__ import annotations

import os
import re
from pathlib import Path

VIDEO = frozenset({".avi", ".m4v", ".mkv", ".mov", ".mp4", ".mpeg", ".mpg", ".webm", ".wmv"})
"""Endings of videos."""
_FRAME = re.compile(r"(.*)#t=([0-9]+(?:\.[0-9]+)?)", re.DOTALL)


def frame_of(path: str | Path) -> tuple[str, float] | None:
    """The video and the second that a path means; None where it is no frame's.

    >>> frame_of("a/clip.mp4#t=12.0"), frame_of("a/clip.mp4"), frame_of("a/b.png#t=1.0")
    (('a/clip.mp4', 12.0), None, None)
    """
    found = _FRAME.fullmatch(str(path))
    if not found or os.path.splitext(found[1])[1].lower() not in VIDEO:
        return None
    return found[1], float(found[2])


def frame_path(video: str | Path, second: float) -> Path:
    """The path of a frame."""
    return Path(f"{video}#t={round(second, 3)}")


def file_of(path: str) -> str:
    """The file in which a picture is: its own, or the video that it is a frame of.

    >>> file_of("a/clip.mp4#t=12.0"), file_of("a/b.png")
    ('a/clip.mp4', 'a/b.png')
    """
    found = frame_of(path)
    return found[0] if found else path
