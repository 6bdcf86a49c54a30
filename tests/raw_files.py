"""A small raw file, made here."""

from __future__ import annotations

import io
import struct

import numpy as np
from PIL import Image
from PIL.ExifTags import Base

GREY = np.repeat(np.linspace(0, 255, 60).astype(np.uint8)[None], 40, 0)


def jpeg(turned: int | None = None) -> bytes:
    exif = Image.Exif()
    if turned:
        exif[Base.Orientation] = turned
    buffer = io.BytesIO()
    Image.fromarray(GREY).convert("RGB").save(buffer, "JPEG", quality=95, exif=exif)
    return buffer.getvalue()


def dng(preview: bytes) -> bytes:
    """A DNG of 64 x 64 raw pixels with this JPEG in it."""
    width = height = 64
    raw = np.arange(width * height, dtype="<u2").tobytes()

    def directory(entries: list[tuple[int, int, int, bytes]], at: int) -> bytes:
        """An IFD, and behind it the values that are too long for it."""
        behind, values, rows = at + 2 + 12 * len(entries) + 4, b"", b""
        for tag, kind, count, value in sorted(entries):
            if len(value) > 4:
                rows += struct.pack("<HHII", tag, kind, count, behind + len(values))
                values += value + b"\0" * (len(value) % 2)
            else:
                rows += struct.pack("<HHI", tag, kind, count) + value.ljust(4, b"\0")
        return struct.pack("<H", len(entries)) + rows + struct.pack("<I", 0) + values

    def short(*numbers: int) -> bytes:
        return struct.pack(f"<{len(numbers)}H", *numbers)

    def long(*numbers: int) -> bytes:
        return struct.pack(f"<{len(numbers)}I", *numbers)

    def made(sub: int, jpeg_at: int, raw_at: int) -> tuple[bytes, bytes]:
        matrix = struct.pack("<18i", *[v for i in range(9) for v in (int(i % 4 == 0), 1)])
        first = [
            (254, 4, 1, long(1)), (256, 4, 1, long(60)), (257, 4, 1, long(40)), (258, 3, 3, short(8, 8, 8)),
            (259, 3, 1, short(7)), (262, 3, 1, short(6)), (271, 2, 5, b"None\0"), (272, 2, 5, b"None\0"),
            (273, 4, 1, long(jpeg_at)), (277, 3, 1, short(3)), (278, 4, 1, long(40)),
            (279, 4, 1, long(len(preview))), (330, 4, 1, long(sub)), (50706, 1, 4, bytes([1, 4, 0, 0])),
            (50708, 2, 5, b"None\0"), (50721, 10, 9, matrix), (50728, 5, 3, struct.pack("<6I", *[1] * 6)),
            (50778, 3, 1, short(21)),
        ]  # fmt: skip
        second = [
            (254, 4, 1, long(0)), (256, 4, 1, long(width)), (257, 4, 1, long(height)), (258, 3, 1, short(16)),
            (259, 3, 1, short(1)), (262, 3, 1, short(32803)), (273, 4, 1, long(raw_at)), (277, 3, 1, short(1)),
            (278, 4, 1, long(height)), (279, 4, 1, long(len(raw))), (33421, 3, 2, short(2, 2)),
            (33422, 1, 4, bytes([0, 1, 1, 2])),
        ]  # fmt: skip
        return directory(first, 8), directory(second, sub)

    first, second = made(0, 0, 0)
    sub = 8 + len(first)
    jpeg_at = sub + len(second)
    first, second = made(sub, jpeg_at, jpeg_at + len(preview))
    return b"II*\0" + struct.pack("<I", 8) + first + second + preview + raw
