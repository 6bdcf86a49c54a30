"""Backbones that look at no picture twice: ``Cached`` keeps features in memory, ``Stored`` keeps them on disk.

On disk there is one folder a backbone and its settings, and in it two files that only grow: ``rows.f16``, a row
of half-precision numbers a picture, and ``digests``, the sha256 of each picture's pixels, in the same order.
Rows are written first: what has no digest yet does not count, so a run that is killed loses what it was writing
and nothing else. Rows are read through a memory map, so that any number of processes share them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from filelock import FileLock
from numpy.typing import NDArray

from ilap.backbones.contract import Backbone
from ilap.core import files
from ilap.core.exposure import Picture, digest

DIGEST = 32  # bytes of a sha256
CHUNK = 256  # pictures that are computed and written at a time


class Stored:
    """The features of ``backbone``, from ``folder`` where they are there, to half precision."""

    def __init__(self, backbone: Backbone, folder: Path | None = None) -> None:
        self._backbone = backbone
        self.key, self.dim = backbone.key, backbone.dim
        folder = (folder or files.cache_folder("features")) / f"{files.file_name(self.key)}-{self.dim}"
        folder.mkdir(parents=True, exist_ok=True)
        self._rows_file, self._digests_file = folder / "rows.f16", folder / "digests"
        self._lock = FileLock(folder / "lock")
        self._index: dict[bytes, int] = {}
        self._rows: NDArray[np.float16] = np.empty((0, self.dim), np.float16)
        self._read()

    def __len__(self) -> int:
        return len(self._index)

    def features(self, pictures: Sequence[Picture]) -> NDArray[np.float32]:
        """One row a picture; what is not there yet is computed and kept."""
        digests = [bytes.fromhex(digest(picture)) for picture in pictures]
        if any(d not in self._index for d in digests):
            self._add(pictures, digests)
        rows = np.empty((len(digests), self.dim), np.float32)
        for place, d in enumerate(digests):
            rows[place] = self._rows[self._index[d]]
        return rows

    def prepare(self, pictures: Sequence[Picture], advance: Callable[[int], None] = lambda count: None) -> None:
        """Compute what is missing, a chunk at a time, so that it can be interrupted and go on later."""
        for start in range(0, len(pictures), CHUNK):
            chunk = [pictures[i] for i in range(start, min(start + CHUNK, len(pictures)))]
            digests = [bytes.fromhex(digest(picture)) for picture in chunk]
            if any(d not in self._index for d in digests):
                self._add(chunk, digests)
            advance(len(chunk))

    def _add(self, pictures: Sequence[Picture], digests: Sequence[bytes]) -> None:
        """Compute the missing rows and append them; another process may have added some meanwhile."""
        self._read()
        fresh = {d: p for d, p in zip(digests, pictures, strict=True) if d not in self._index}
        if not fresh:
            return
        rows = self._backbone.features(list(fresh.values())).astype(np.float16)
        with self._lock:
            self._read()
            new = [place for place, d in enumerate(fresh) if d not in self._index]
            size = len(self._index) * self.dim * 2
            put(self._rows_file, size, rows[new].tobytes())
            put(self._digests_file, len(self._index) * DIGEST, b"".join(list(fresh)[i] for i in new), last=True)
            self._read()

    def _read(self) -> None:
        """See what there is: as many rows as have a digest."""
        raw = self._digests_file.read_bytes() if self._digests_file.exists() else b""
        count = len(raw) // DIGEST
        held = self._rows_file.stat().st_size // (2 * self.dim) if self._rows_file.exists() else 0
        count = min(count, held)
        if count == len(self._index):
            return
        self._index = {raw[i * DIGEST : (i + 1) * DIGEST]: i for i in range(count)}
        self._rows = np.memmap(self._rows_file, np.float16, "r", shape=(count, self.dim))


def put(path: Path, size: int, data: bytes, last: bool = False) -> None:
    """Write data after the first ``size`` bytes, and wait until it is on the disk. What a killed process left
    behind them is written over, and cut off where the file has to end there (``last``): a file that is mapped
    into memory cannot be cut everywhere."""
    with path.open("r+b" if path.exists() else "w+b") as file:
        if last:
            file.truncate(size)
        file.seek(size)
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


class Cached:
    """The same features as ``backbone``, at the cost of memory (8 KB a picture with ``lite0``)."""

    def __init__(self, backbone: Backbone) -> None:
        self._backbone = backbone
        self._rows: dict[str, NDArray[np.float32]] = {}
        self.key = backbone.key
        self.dim = backbone.dim

    def features(self, pictures: Sequence[Picture]) -> NDArray[np.float32]:
        """One row a picture."""
        digests = [digest(picture) for picture in pictures]
        fresh = {d: p for d, p in zip(digests, pictures, strict=True) if d not in self._rows}
        self._rows.update(zip(fresh, self._backbone.features(list(fresh.values())), strict=True))
        return np.stack([self._rows[d] for d in digests]) if digests else np.empty((0, self.dim), np.float32)
