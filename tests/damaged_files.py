"""A small learner, and copies of its file that are damaged in many ways."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from ilap import Exposure
from ilap.checks.digits import Pixels
from ilap.core.exposure import Picture
from ilap.data.contract import Dataset
from ilap.keep.learner import LearnerInFile
from ilap.keep.store import state
from ilap.keep.store.check import compact

PAGE = 8192


@dataclass(frozen=True)
class Whole:
    """A learner's file as bytes, with the write-ahead log beside it, and pictures that it has not seen."""

    file: bytes
    log: bytes
    pictures: tuple[Picture, ...]

    def put(self, folder: Path) -> Path:
        """The file in an empty folder."""
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        path = folder / "small.ilap"
        path.write_bytes(self.file)
        if self.log:
            Path(f"{path}-wal").write_bytes(self.log)
        return path


def made(folder: Path, digits: Dataset) -> list[Whole]:
    """A learner with decisions by ilap and by a person, a name, an answer and an undo: as it is when it is
    closed, and as it is when the process is killed."""
    rng = np.random.default_rng(0)
    rows = {label: rng.permutation(np.flatnonzero(digits.train.labels == label)) for label in range(5)}

    def exposure(label: int, part: int) -> Exposure:
        own = rows[label][part * 6 : part * 6 + 6]
        return Exposure([digits.train.pictures[int(i)] for i in own], name=f"burst {label}{part}")

    path, killed = folder / "small.ilap", folder / "killed.ilap"
    patch = pytest.MonkeyPatch()
    patch.setattr(state, "CHECKPOINT_EVERY", 5)
    with LearnerInFile(path, backbone=Pixels(), risk=0.9, caution=0) as learner:
        for part in range(2):
            for label in range(3):
                learner.observe(exposure(label, part))
    with LearnerInFile(path, backbone=Pixels(), risk=1e-6) as learner:
        learner.observe(exposure(3, 0))
        learner.observe(exposure(4, 0))
        fox = learner.teach(exposure(3, 1)).class_id
        assert fox is not None
        learner.rename(fox, "the old fox")
        learner.split([0])
        learner.undo()
        for question in learner.ask(1):
            learner.answer(question, "1" if question.kind == "which" else "same")
        compact(learner.file)
    file = path.read_bytes()
    with LearnerInFile(path, backbone=Pixels()) as learner:
        learner.observe(exposure(1, 2))
        learner.teach(exposure(2, 3))
        shutil.copy(path, killed)
        log = Path(f"{path}-wal").read_bytes()
    patch.undo()
    pictures = tuple(exposure(4, 1).pictures)
    return [Whole(file, b"", pictures), Whole(killed.read_bytes(), log, pictures)]


def damaged(whole: Whole, rng: random.Random) -> tuple[str, Whole]:
    """A copy that is damaged in one of many ways, and in which."""
    kind = rng.choice([*WAYS] if whole.log else [name for name in WAYS if not name.startswith("log")])
    file, log = bytearray(whole.file), bytearray(whole.log)
    WAYS[kind](log if kind.startswith("log") else file, rng)
    return kind, Whole(bytes(file), bytes(log), whole.pictures)


def flip(data: bytearray, rng: random.Random, among: Callable[[], int] | None = None) -> None:
    """One bit."""
    data[among() if among else rng.randrange(len(data))] ^= 1 << rng.randrange(8)


def overwrite(data: bytearray, rng: random.Random) -> None:
    """A few bytes."""
    count = rng.randint(1, 8)
    at = rng.randrange(len(data) - count)
    data[at : at + count] = rng.randbytes(count)


def page_of(data: bytearray, rng: random.Random) -> int:
    return rng.randrange(len(data) // PAGE) * PAGE


def zero_page(data: bytearray, rng: random.Random) -> None:
    at = page_of(data, rng)
    data[at : at + PAGE] = bytes(PAGE)


def zero_sector(data: bytearray, rng: random.Random) -> None:
    at = rng.randrange(len(data) // 512) * 512
    data[at : at + 512] = bytes(512)


def noise_sector(data: bytearray, rng: random.Random) -> None:
    at = rng.randrange(len(data) // 512) * 512
    data[at : at + 512] = rng.randbytes(512)


def cut(data: bytearray, rng: random.Random) -> None:
    del data[rng.randrange(len(data)) :]


def cut_pages(data: bytearray, rng: random.Random) -> None:
    del data[page_of(data, rng) :]


def swap_pages(data: bytearray, rng: random.Random) -> None:
    first, second = page_of(data, rng), page_of(data, rng)
    data[first : first + PAGE], data[second : second + PAGE] = (
        data[second : second + PAGE],
        data[first : first + PAGE],
    )


def copy_page(data: bytearray, rng: random.Random) -> None:
    first, second = page_of(data, rng), page_of(data, rng)
    data[first : first + PAGE] = data[second : second + PAGE]


def cut_log(data: bytearray, rng: random.Random) -> None:
    """Anywhere but after a whole frame, which is what a log looks like that is shorter."""
    at = rng.randrange(1, len(data))
    del data[at + ((at - 32) % (PAGE + 24) == 0) :]


WAYS: dict[str, Callable[[bytearray, random.Random], None]] = {
    "bit": flip,
    "bytes": overwrite,
    "header": lambda data, rng: flip(data, rng, lambda: rng.randrange(100)),
    "first page": lambda data, rng: flip(data, rng, lambda: rng.randrange(PAGE)),
    "head of a page": lambda data, rng: flip(data, rng, lambda: page_of(data, rng) + rng.randrange(40)),
    "zeroed page": zero_page,
    "zeroed sector": zero_sector,
    "noise": noise_sector,
    "cut": cut,
    "cut at a page": cut_pages,
    "swapped pages": swap_pages,
    "copied page": copy_page,
    "log: bit": flip,
    "log: bytes": overwrite,
    "log: head": lambda data, rng: flip(data, rng, lambda: rng.randrange(32)),
    "log: zeroed sector": zero_sector,
    "log: cut": cut_log,
}
