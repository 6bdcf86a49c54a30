"""When a picture was taken: by its EXIF entry, else by its file's time."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from PIL import Image
from PIL.ExifTags import IFD, Base

from ilap.core.pictures import natural, open_picture


def taken(exif: Image.Exif) -> datetime | None:
    """The time in an EXIF entry, to the fraction of a second that the camera gives."""
    own = exif.get_ifd(IFD.Exif)
    text = str(own.get(Base.DateTimeOriginal) or exif.get(Base.DateTime) or "").strip("\0 ")
    try:
        time = datetime.strptime(text[:19], "%Y:%m:%d %H:%M:%S")
    except ValueError:
        return None
    fraction = re.match(r"\d+", str(own.get(Base.SubsecTimeOriginal, "")).strip())
    return time.replace(microsecond=int(f"{fraction[0]:0<6.6}") if fraction else 0)


def time_of(path: Path) -> tuple[datetime, bool]:
    """When the picture in a file was taken, and whether the picture says so itself. A file that cannot be read
    has its file's time; that it cannot be read is told later, when it is."""
    try:
        with open_picture(path) as image:
            if found := taken(image.getexif()):
                return found, True
    except Exception:  # whatever a damaged file makes of the library
        pass
    return datetime.fromtimestamp(path.stat().st_mtime), False


def in_order(paths: Sequence[Path]) -> tuple[list[Path], bool]:
    """Pictures in the order in which they were taken, and whether that is known: from EXIF times that differ,
    or from names that differ in numbers alone, as cameras and scripts write them."""
    if len(paths) < 2:
        return list(paths), False
    times = [time_of(path) for path in paths]
    if all(own for _, own in times) and len({time for time, _ in times}) == len(paths):
        return [path for _, path in sorted(zip((t for t, _ in times), paths, strict=True))], True
    counted = {re.sub(r"\d+", "#", path.name) for path in paths}
    ordered = len(counted) == 1 and "#" in next(iter(counted))
    return sorted(paths, key=natural), ordered
