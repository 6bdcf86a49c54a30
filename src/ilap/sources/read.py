"""What is in a file: the picture, small enough to keep many, and the content's name.

Files are read ahead of the learner by a few threads, so that decoding runs beside feature extraction.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections import deque
from collections.abc import Collection, Generator, Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from stat import S_ISREG

from PIL import Image, UnidentifiedImageError

from ilap.core.crop import Box, cut, parted
from ilap.core.errors import BadPicture
from ilap.core.exposure import Origin, Picture
from ilap.core.frames import file_of, frame_of
from ilap.core.pictures import kind_of, to_bytes
from ilap.sources import video
from ilap.sources.bursts import Burst
from ilap.sources.decode import LARGEST, Decoded, TooLarge, decode, shrink
from ilap.sources.tree import advice

MOST_BYTES = 1 << 30
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


def read(path: Path, skip: Collection[str] = (), largest: int = LARGEST) -> tuple[Picture | None, Origin]:
    """A picture, a frame, or the part of it that its path names (core/crop.py), of ``largest`` pixels at most
    along the longer side, and where it is from; None where its content is one of those to skip."""
    whole, box = crop_of(path)
    frame = frame_of(whole)
    file = Path(frame[0]) if frame else whole
    kind = kind_of(file)
    if kind and not kind.is_read:
        raise BadPicture(f"{path} is a {kind.name}: {advice(kind)}.")
    with named_errors(path):
        stat = file.stat()
        if not S_ISREG(stat.st_mode):
            raise ValueError("it is not a regular file")
        if frame:
            video_digest = video.digest(str(file), stat.st_size, stat.st_mtime_ns)
            digest = hashlib.sha256(f"{video_digest}#t={frame[1]}".encode()).hexdigest()
        else:
            data = content(file, stat.st_size)
            digest = hashlib.sha256(data).hexdigest()
        digest += box.fragment if box else ""
        if digest in skip:
            return None, Origin(str(path), digest, stat.st_size, stat.st_mtime_ns, None, 0, 0)
        found = of_frame(*frame, box, largest) if frame else decode(data, file.name, box, largest)
    about = (stat.st_size, stat.st_mtime_ns, found.taken, found.width, found.height)
    return found.picture, Origin(str(path), digest, *about)


def of_bytes(data: bytes, name: str) -> Picture:
    """A picture that is no file; ``name`` is how errors call it."""
    with named_errors(Path(name)):
        return decode(data, "").picture


@contextmanager
def named_errors(path: Path) -> Iterator[None]:
    """Whatever a damaged file makes of the libraries, as a sentence."""
    try:
        yield
    except (TooLarge, Image.DecompressionBombError, MemoryError) as error:
        size = str(error) if isinstance(error, TooLarge) else "more pixels than can be read"
        raise BadPicture(f"{path} is too large ({size}): scale it down, or leave it out.") from None
    except Exception as error:
        raise BadPicture(
            f"{path} cannot be read as a picture ({why(error, path)}): download it again, or remove it."
        ) from None


def crop_of(path: Path) -> tuple[Path, Box | None]:
    """The file of a picture, and the part that the path names, unless a file is called so."""
    file, box = parted(str(path))
    return (Path(file), box) if box and not path.exists() else (path, None)


def content(file: Path, size: int) -> bytes:
    """The bytes of a file."""
    if size > MOST_BYTES:
        raise TooLarge(f"{size >> 20} MB")
    return file.read_bytes()


def of_frame(path: str, second: float, box: Box | None, largest: int = LARGEST) -> Decoded:
    """A frame of a video, or a part of it."""
    image, taken = video.frame(path, second)
    return Decoded(shrink(cut(to_bytes(image), box), largest), *image.size, taken)


def why(error: Exception, path: Path) -> str:
    """What is wrong, in a few words."""
    if isinstance(error, UnidentifiedImageError):
        return "it is no picture of a kind that is read"
    first = error.args[0] if error.args else ""
    told = first.decode(errors="replace") if isinstance(first, bytes) else str(error)
    words = re.sub(r"<[^<>]* object at 0x[0-9A-Fa-f]+>", "", told.replace(str(path), ""))
    return getattr(error, "strerror", None) or words.strip(" :'\"") or "it is damaged"


def ahead(bursts: Iterable[Burst], known: Known, contents: Collection[str]) -> Generator[Loaded, None, None]:
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
        as_it_was = unchanged(path, known, contents)
        return (None, as_it_was) if as_it_was else read(path, contents)
    except BadPicture as error:
        return str(error)
    except OSError as error:
        return f"{path} cannot be read ({error.strerror}): check its permissions."


def unchanged(path: Path, known: Known, contents: Collection[str]) -> Origin | None:
    """A file that was learned and is as it was then; None where it has to be read."""
    stat = os.stat(file_of(str(path)))
    size, modified, digest = known.get(str(path), (None, None, ""))
    if (size, modified) != (stat.st_size, stat.st_mtime_ns) or digest not in contents:
        return None
    return Origin(str(path), digest, stat.st_size, stat.st_mtime_ns, None, 0, 0)


def to_read(bursts: Iterable[Burst], known: Known, contents: Collection[str]) -> list[Burst]:
    """The bursts in which a file is not as it was when it was learned, or was not learned."""

    def is_new(path: Path) -> bool:
        try:
            return unchanged(path, known, contents) is None
        except OSError:
            return True

    return [burst for burst in bursts if any(map(is_new, burst.paths))]


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
