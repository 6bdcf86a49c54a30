"""Videos as bursts of frames (extra ``video``: PyAV).

The file is opened by us, and only containers that hold their own frames are allowed: a list of other files or
addresses that is called a video is not followed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import lru_cache
from pathlib import Path
from typing import Any

from PIL import Image

from ilap.core.errors import BadPicture
from ilap.core.extras import needed_for
from ilap.core.frames import frame_path

CONTAINERS = "avi,mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,mpeg,mpegts,mpegvideo,asf"
MOST_FRAMES = 1000  # of a video: they are one burst, which is held in memory
MOST_PIXELS = 40_000_000  # of a frame: 8K has 33 million
SLACK = 2.0  # seconds by which a video may be shorter than it says


@contextmanager
def opened(path: str | Path) -> Iterator[tuple[Any, Any]]:
    """A video's container and its stream of pictures."""
    with needed_for("A video"):
        import av
    with Path(path).open("rb") as file:
        options = {"format_whitelist": CONTAINERS, "protocol_whitelist": "none"}
        with av.open(file, options=options) as container:
            if not container.streams.video:
                raise ValueError("it holds no pictures")
            stream = container.streams.video[0]
            if stream.width * stream.height > MOST_PIXELS:
                raise ValueError(f"its frames have {stream.width} x {stream.height} pixels")
            yield container, stream


def length_of(container: Any, stream: Any) -> float:
    """How many seconds a video has, as it says; where it does not say, as its packets do."""
    if stream.duration is not None:
        return float(stream.duration * stream.time_base)
    if container.duration is not None:
        return float(container.duration) / 1e6
    times = [packet.pts for packet in container.demux(stream) if packet.pts is not None]
    return float((max(times) - min(times)) * stream.time_base) if times else 0.0


def frames(path: Path, fps: float) -> tuple[Path, ...]:
    """The frames of a video, so many a second and at least one, as paths."""
    try:
        with opened(path) as (container, stream):
            length = length_of(container, stream)
    except Exception as error:  # whatever a damaged file makes of the library
        raise BadPicture(
            f"{path} cannot be read as a video ({why(error)}): get it again, or remove it."
        ) from None
    if length * fps > MOST_FRAMES:
        raise BadPicture(
            f"{path} has {length:.0f} seconds, which are more than {MOST_FRAMES} frames: take a smaller --fps, "
            f"or cut it."
        )
    count = max(1, int(length * fps) + (length * fps % 1 > 0))
    return tuple(frame_path(path, number / fps) for number in range(count))


def frame(path: str, second: float) -> tuple[Image.Image, str | None]:
    """The picture that a video shows at a second, and when that was, where the video says so."""
    with opened(path) as (container, stream):
        begin = float((stream.start_time or 0) * stream.time_base)
        container.seek(int((begin + second) / stream.time_base), stream=stream)
        shown = None
        for found in container.decode(stream):
            if shown is not None and found.time is not None and found.time > begin + second + 1e-3:
                break
            shown = found
        if shown is None or (shown.time is not None and shown.time < begin + second - SLACK):
            raise ValueError(f"it ends before second {second:g}")
        return shown.to_image(), moment(container.metadata.get("creation_time"), second)


def moment(created: str | None, second: float) -> str | None:
    """When a frame was taken, from when the video was begun.

    >>> moment("2024-05-01T10:00:00.000000Z", 12.5), moment("noon", 1)
    ('2024-05-01T10:00:12.500000+00:00', None)
    """
    try:
        return (datetime.fromisoformat(created or "") + timedelta(seconds=second)).isoformat()
    except (ValueError, OverflowError):
        return None


@lru_cache(maxsize=64)
def digest(path: str, size: int, modified: int) -> str:
    """The content of a video, by which its frames are known again; read once, as long as it is as it was."""
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def why(error: Exception) -> str:
    """What is wrong, in a few words."""
    return str(getattr(error, "strerror", None) or error or "it is damaged")
