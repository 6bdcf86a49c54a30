"""What is in a file: the picture, small enough to keep many, and the content's name.

Files are read ahead of the learner by a few threads, so that decoding runs beside feature extraction.
"""

from __future__ import annotations

import hashlib
import io
import os
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from stat import S_ISREG

import numpy as np
from PIL import Image
from PIL.ExifTags import Base

from ilap.core.errors import BadPicture
from ilap.core.exposure import Origin, Picture
from ilap.core.pictures import DAMAGE, to_bytes
from ilap.sources.bursts import Burst
from ilap.sources.capture import taken

LARGEST = 512  # pixels along the longer side that are kept: four times what the backbone looks at
MOST_PIXELS = 180_000_000  # of a picture that is read at all
MOST_BYTES = 1 << 30
SIDEWAYS = {5, 6, 7, 8}  # EXIF orientations that swap width and height
AHEAD = 64  # pictures that are read before they are needed

Known = Mapping[str, tuple[int, int, str]]
"""Files that were read before, by path: size, time of change in nanoseconds, and content."""


@dataclass(frozen=True)
class Loaded:
    """The pictures of a burst that are not known yet and where they are from, the files of those that are, and
    what was wrong with others."""

    burst: Burst
    pictures: list[Picture]
    files: list[Origin]
    known: list[Origin]
    bad: list[str]


def read(path: Path, skip: Collection[str] = ()) -> tuple[Picture | None, Origin]:
    """A picture and where it is from; None where its content is one of those to skip."""
    try:
        stat = path.stat()
        if not S_ISREG(stat.st_mode):
            raise ValueError("it is not a regular file")
        if stat.st_size > MOST_BYTES:
            raise ValueError(f"it has {stat.st_size >> 20} MB")
        data = path.read_bytes()
        digest = hashlib.sha256(data).hexdigest()
        if digest in skip:
            return None, Origin(str(path), digest, stat.st_size, stat.st_mtime_ns, None, 0, 0)
        with Image.open(io.BytesIO(data)) as image:
            width, height = image.size
            if width * height > MOST_PIXELS:
                raise ValueError(f"it has {width} x {height} pixels")
            exif = image.getexif()
            if exif.get(Base.Orientation) in SIDEWAYS:
                width, height = height, width
            time = taken(exif)
            image.draft("RGB", (2 * LARGEST, 2 * LARGEST))
            picture = shrink(to_bytes(image))
    except (*DAMAGE, MemoryError) as error:
        why = getattr(error, "strerror", None) or str(error).replace(str(path), "").strip() or "it is damaged"
        raise BadPicture(
            f"{path} cannot be read as a picture ({why}): download it again, or remove it."
        ) from None
    moment = time.isoformat() if time else None
    return picture, Origin(str(path), digest, stat.st_size, stat.st_mtime_ns, moment, width, height)


def shrink(picture: Picture) -> Picture:
    """A large picture as one of LARGEST pixels; a small one as it is.

    >>> shrink(np.zeros((1024, 256), np.uint8)).shape
    (512, 128)
    """
    if max(picture.shape[:2]) <= LARGEST:
        return picture
    image = Image.fromarray(picture)
    image.thumbnail((LARGEST, LARGEST), Image.Resampling.BICUBIC)
    return np.asarray(image)


def ahead(bursts: Iterable[Burst], known: Known, contents: Collection[str]) -> Iterator[Loaded]:
    """Bursts with their pictures, in order. A file that is as it was is not read again; what is in ``contents``
    is left out, as is what comes twice."""
    with ThreadPoolExecutor(max(2, min(4, os.cpu_count() or 1))) as pool:
        queue: deque[tuple[Burst, list[Future[tuple[Picture | None, Origin] | str]]]] = deque()
        under_way = 0
        pending = iter(bursts)
        try:
            while True:
                while under_way < AHEAD and (burst := next(pending, None)):
                    queue.append((burst, [pool.submit(attempt, path, known, contents) for path in burst.paths]))
                    under_way += len(burst.paths)
                if not queue:
                    return
                burst, futures = queue.popleft()
                loaded = collect(burst, [future.result() for future in futures], contents)
                under_way -= len(futures)
                yield loaded
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def attempt(path: Path, known: Known, contents: Collection[str]) -> tuple[Picture | None, Origin] | str:
    """A picture, or a sentence on what is wrong with it."""
    try:
        stat = path.stat()
        size, modified, digest = known.get(str(path), (None, None, ""))
        if (size, modified) == (stat.st_size, stat.st_mtime_ns) and digest in contents:
            return None, Origin(str(path), digest, stat.st_size, stat.st_mtime_ns, None, 0, 0)
        return read(path, contents)
    except BadPicture as error:
        return str(error)
    except OSError as error:
        return f"{path} cannot be read ({error.strerror}): check its permissions."


def collect(
    burst: Burst, found: Iterable[tuple[Picture | None, Origin] | str], contents: Collection[str]
) -> Loaded:
    """A burst's pictures, each content once."""
    loaded = Loaded(burst, [], [], [], [])
    seen: set[str] = set()
    for one in found:
        if isinstance(one, str):
            loaded.bad.append(one)
            continue
        picture, origin = one
        if picture is None or origin.sha256 in seen or origin.sha256 in contents:
            loaded.known.append(origin)
            continue
        seen.add(origin.sha256)
        loaded.pictures.append(picture)
        loaded.files.append(origin)
    return loaded
