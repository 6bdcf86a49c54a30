"""When pictures were taken, as far as anybody knows."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from ilap.export.content import Content
from ilap.keep.store.view import PictureRow

EXIF = "%Y:%m:%d %H:%M:%S"


@dataclass(frozen=True, order=True)
class Moment:
    """A time; ``sure`` where it is the camera's and its time zone is known."""

    time: datetime
    sure: bool

    def __str__(self) -> str:
        """To the second, with its zone.

        >>> str(Moment(datetime(2024, 5, 1, 10, tzinfo=UTC), True))
        '2024-05-01T10:00:00Z'
        """
        return self.time.isoformat(timespec="seconds").replace("+00:00", "Z")


def parsed(text: str) -> Moment | None:
    """A camera's time. One without a zone, as EXIF has it, is taken for UTC.

    >>> str(parsed("2024:05:01 10:00:00")), str(parsed("2024-05-01T10:00:00+02:00")), parsed("noon")
    ('2024-05-01T10:00:00Z', '2024-05-01T10:00:00+02:00', None)
    """
    for read in (datetime.fromisoformat, lambda text: datetime.strptime(text, EXIF)):
        try:
            time = read(text)
        except ValueError:
            continue
        return Moment(time, True) if time.tzinfo else Moment(time.replace(tzinfo=UTC), False)
    return None


def taken(row: PictureRow, content: Content) -> Moment:
    """When a picture was taken; else when its file was last changed; else when it was learned."""
    if row.taken and (moment := parsed(row.taken)):
        return moment
    modified = content.modified.get((row.exposure.number, row.place))
    if modified is not None:
        return Moment(datetime.fromtimestamp(modified / 1e9, UTC), False)
    return Moment(datetime.fromisoformat(row.exposure.time), False)
