"""Folders of digits as somebody's bursts, and a learner of them, by the command line."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from commands import ilap
from ilap.data.contract import Dataset


def burst(folder: Path, digits: Dataset, label: int, first: int, count: int) -> None:
    """Some pictures of a digit as files of a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    order = np.random.default_rng(label).permutation(np.flatnonzero(digits.train.labels == label))
    for place, row in enumerate(order[first : first + count]):
        Image.fromarray(digits.train.pictures[int(row)]).save(folder / f"{first + place:03}.png")


def bursts(root: Path, digits: Dataset, labels: Sequence[int], size: int = 20, first: int = 0) -> Path:
    """A folder a burst, ``burst 0`` and so on, no picture twice."""
    for number, label in enumerate(labels):
        burst(root / f"burst {number}", digits, label, first + size * labels[:number].count(label), size)
    return root


def told(*words: object) -> Any:
    """What a command reports."""
    done = ilap(*map(str, words), "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def printed(*words: object) -> str:
    """What a command prints."""
    done = ilap(*map(str, words))
    assert done.returncode == 0, done.stderr
    return done.stdout
