"""The write-ahead log that SQLite keeps beside a file (sqlite.org/fileformat2.html): is all of it whole?

SQLite reads it up to the first frame whose checksum does not fit, and says nothing of those that follow: after
a kill they are what was never committed. In a damaged log they are what was learned.
"""

from __future__ import annotations

import struct
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

HEADER, FRAME = 32, 24
MAGIC = (0x377F0682, 0x377F0683)  # words of checksums are little- or big-endian

Pair = tuple[int, int]


def lost_commits(path: str) -> int:
    """How many transactions a file's write-ahead log holds that SQLite will not read, as far as can be told:
    one may be the last, which was never finished; more were lost by damage."""
    try:
        log = Path(f"{path}-wal").read_bytes()
    except FileNotFoundError:
        return 0
    if len(log) <= HEADER:
        return 0
    magic, _, page, _, *salts, first, second = struct.unpack(">8I", log[:HEADER])
    words = ">u4" if magic & 1 else "<u4"
    if magic not in MAGIC or summed((0, 0), log[:24], words) != (first, second):
        return 2  # nothing of it will be read
    running, whole, unfinished, unread = (first, second), True, False, 0
    for start in range(HEADER, len(log), FRAME + page):
        frame = log[start : start + FRAME + page]
        if len(frame) < FRAME:
            return max(unread, 1)
        _, commit, *own, first, second = struct.unpack(">6I", frame[:FRAME])
        if whole and own == salts and len(frame) == FRAME + page:
            running = summed(summed(running, frame[:8], words), frame[FRAME:], words)
            whole = running == (first, second)
        else:
            whole = False
        if own == salts:  # others are of a time before
            unfinished = not commit
            unread += not whole and commit != 0
    return max(unread, int(unfinished))


def summed(before: Pair, data: bytes, words: str) -> Pair:
    """SQLite's checksum of some bytes, going on from the one before."""
    pairs = np.frombuffer(data, words).astype(np.uint32).reshape(-1, 2)
    steps = powers(len(pairs))
    added = pairs @ np.array([[1, 1], [0, 1]], np.uint32)
    first, second = steps[-1] @ np.array(before, np.uint32) + np.einsum("nij,nj->i", steps[-2::-1], added)
    return int(first), int(second)


@cache
def powers(count: int) -> NDArray[np.uint32]:
    """What the checksum is multiplied by in 0 to ``count`` steps."""
    found = np.empty((count + 1, 2, 2), np.uint32)
    found[0] = np.eye(2, dtype=np.uint32)
    for i in range(count):
        found[i + 1] = np.array([[1, 1], [1, 2]], np.uint32) @ found[i]
    return found
