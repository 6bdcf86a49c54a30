"""Pictures that somebody made to do harm: fuzzed headers of every format that is read, bombs, files of two
formats at once, and pictures of no or of absurd size. A number and a seed give the same file everywhere."""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from PIL import Image

from films import film
from ilap.core.extras import installed
from ilap.core.pictures import heic
from raw_files import dng, jpeg

HEADER = 300  # bytes that are fuzzed most
Made = tuple[str, bytes]
"""A file's ending and its content."""


@cache
def honest() -> tuple[Made, ...]:
    """A whole file of every format that is read here."""
    noise = np.random.default_rng(0).integers(0, 256, (40, 60, 3), np.uint8)
    image = Image.fromarray(noise)
    found = []
    for ending in ("avif", "bmp", "gif", "jp2", "jpg", "pgm", "png", "ppm", "tif", "webp"):
        buffer = io.BytesIO()
        (image.convert("L") if ending == "pgm" else image).save(
            buffer, Image.registered_extensions()[f".{ending}"]
        )
        found.append((ending, buffer.getvalue()))
    for mode, ending in (("1", "png"), ("P", "png"), ("LA", "png"), ("I;16", "tif"), ("CMYK", "jpg")):
        buffer = io.BytesIO()
        wide = Image.fromarray(noise[..., 0].astype(np.uint16) * 257) if mode == "I;16" else image.convert(mode)
        wide.save(buffer, {"png": "PNG", "tif": "TIFF", "jpg": "JPEG"}[ending])
        found.append((ending, buffer.getvalue()))
    if heic():
        buffer = io.BytesIO()
        image.resize((120, 80)).save(buffer, "HEIF")
        found.append(("heic", buffer.getvalue()))
    if installed("rawpy"):
        found.append(("dng", dng(jpeg())))
    if installed("av"):
        with TemporaryDirectory() as folder:
            for ending in ("mp4", "mkv", "avi"):
                path = film(Path(folder) / f"a.{ending}", [noise[:32, :48], 255 - noise[:32, :48]])
                found.append((ending, path.read_bytes()))
    return tuple(found)


def fuzzed(rng: np.random.Generator) -> Made:
    """A whole file with some bytes changed, cut, or put in, most of them in its header."""
    ending, data = honest()[rng.integers(len(honest()))]
    changed = bytearray(data)
    reach = min(len(changed), HEADER) if rng.random() < 0.8 else len(changed)
    for _ in range(rng.integers(1, 20)):
        at = int(rng.integers(reach))
        what = rng.integers(5)
        if what == 0:
            changed[at : at + 4] = struct.pack(">I", int(rng.choice([0, 1, 0x7FFFFFFF, 0xFFFFFFFF, 65535])))
        elif what == 1:
            changed[at : at + 4] = struct.pack("<I", int(rng.choice([0, 1, 0x7FFFFFFF, 0xFFFFFFFF, 65535])))
        elif what == 2 and rng.random() < 0.1:
            del changed[at:]
            break
        elif what == 3 and rng.random() < 0.2:
            changed[at:at] = rng.bytes(int(rng.integers(1, 50)))
        else:
            changed[at] = int(rng.integers(256))
        reach = max(1, min(reach, len(changed)))
    return ending, bytes(changed)


def png(width: int, height: int, depth: int, colour: int, palette: bytes = b"", text: bytes = b"") -> bytes:
    """A black PNG of any size, however large, written without making it."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    channels = {0: 1, 2: 3, 3: 1, 6: 4}[colour]
    row = bytes(min(1 + (width * depth * channels + 7) // 8, 1 << 20))
    packer = zlib.compressobj(1)
    packed = b"".join(packer.compress(row) for _ in range(min(height, 100_000)))
    head = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, 0)
    chunks = chunk(b"IHDR", head) + (chunk(b"PLTE", palette) + chunk(b"tRNS", b"\0") if palette else b"")
    return b"\x89PNG\r\n\x1a\n" + chunks + text + chunk(b"IDAT", packed + packer.flush()) + chunk(b"IEND", b"")


def text_bomb() -> bytes:
    """A chunk of text that is 50 MB when it is unpacked."""
    data = b"a\0\0" + zlib.compress(bytes(50_000_000))
    return struct.pack(">I", len(data)) + b"zTXt" + data + struct.pack(">I", zlib.crc32(b"zTXt" + data))


def tiff(width: int, height: int) -> bytes:
    """A TIFF that claims a size and holds a few bytes."""
    entries = [(256, 4, width), (257, 4, height), (258, 3, 8), (259, 3, 1), (262, 3, 1), (273, 4, 8),
               (277, 3, 1), (278, 4, height), (279, 4, 100)]  # fmt: skip
    rows = b"".join(struct.pack("<HHII", tag, kind, 1, value) for tag, kind, value in entries)
    return b"II*\0" + struct.pack("<I", 108) + bytes(100) + struct.pack("<H", len(entries)) + rows + bytes(4)


def bmp(width: int, height: int) -> bytes:
    """A BMP that claims a size and holds a few bytes."""
    return (
        b"BM"
        + struct.pack("<IIIIiiHHIIiiII", 200, 0, 54, 40, width, height, 1, 24, 0, 0, 0, 0, 0, 0)
        + bytes(99)
    )


SMALL: tuple[Callable[[], Made], ...] = (
    lambda: ("png", png(0, 0, 8, 2)),
    lambda: ("png", png(2**31 - 1, 1, 8, 6)),
    lambda: ("png", png(4, 4, 8, 2, text=text_bomb())),
    lambda: ("png", png(1, 100_000, 8, 0)),
    lambda: ("png", png(200_000, 1, 8, 2)),
    lambda: ("gif", b"GIF89a" + struct.pack("<HH", 65535, 65535) + b"\x80\0\0\0\0\0\xff\xff\xff,"),
    lambda: ("gif", b"GIF89a" + struct.pack("<HH", 0, 0) + b"\0\0\0;"),
    lambda: ("bmp", bmp(0, 0)),
    lambda: ("bmp", bmp(100_000, 100_000)),
    lambda: ("bmp", bmp(-5, -(2**31))),
    lambda: ("tif", tiff(0, 0)),
    lambda: ("tif", tiff(13_000, 13_000)),
    lambda: ("tif", tiff(2**32 - 1, 2**32 - 1)),
    lambda: ("pgm", b"P5 0 0 255\n"),
    lambda: ("pgm", b"P5 99999999999999999999 1 255\n"),
    lambda: ("ppm", b"P6 13000 13000 255\n" + bytes(50)),
    lambda: ("jpg", jpeg()[:160] + b"\xff\xc0\0\x11\x08\xff\xff\xff\xff\x03" + jpeg()[180:]),
    lambda: ("jpg", b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n(/etc/passwd) run showpage\n"),
    lambda: ("png", b'<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>'),
    lambda: ("jpg", jpeg() + b"PK\x03\x04" + bytes(80)),
    lambda: ("gif", b"GIF89a/*" + bytes(20) + b"*/=1;alert(1)"),
    lambda: ("png", b"\x89PNG\r\n\x1a\n" + jpeg()),
    lambda: ("jpg", b"%PDF-1.4\n" + jpeg()),
    lambda: ("avi", b"#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n"),
    lambda: ("jpg", b""),
)
"""Small files that claim much, or that are two things at once."""
LARGE: tuple[Callable[[], Made], ...] = (
    lambda: ("png", png(13_300, 13_300, 1, 0)),
    lambda: ("png", png(13_300, 13_300, 8, 3, palette=bytes(768))),
    lambda: ("png", png(13_300, 13_300, 8, 6)),
    lambda: ("png", png(13_300, 13_300, 16, 0)),
    lambda: ("png", png(20_000, 20_000, 8, 2)),
)
"""Pictures that unpack to hundreds of megabytes, most of them just small enough to be read."""


def hostile(count: int, seed: int, large: bool) -> Iterator[Made]:
    """So many of them."""
    rng = np.random.default_rng(seed)
    made = [*SMALL, *(LARGE if large else LARGE[:1])][:count]
    yield from (make() for make in made)
    for _ in range(count - len(made)):
        yield fuzzed(rng)
