"""``ilap prior``: a prior for any backbone (prior.py), from any folder of class folders.

The pictures should be like those that the backbone was trained on: what they tell is how pictures of one class
differ for it, and how classes do. A hundred classes of fifty pictures are enough.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import numpy as np

from ilap.backbones import prior
from ilap.backbones.contract import Backbone
from ilap.backbones.prior import Prior
from ilap.core import files
from ilap.core.errors import BadData
from ilap.data.load import load

CHUNK = 64
FEWEST = 10  # classes that can tell how classes differ


def fit(backbone: Backbone, folder: Path, dim: int, advance: Callable[[int, int], None]) -> Prior:
    """The prior of a backbone; ``advance`` hears how many pictures are done, of how many."""
    data = load(f"folder:{folder}")
    pictures = [(part, place) for part in (data.train, data.test) for place in range(len(part))]
    labels = np.concatenate([data.train.labels, data.test.labels])
    smallest = int(np.bincount(labels).min())
    if len(data.names) < FEWEST or smallest < 2:
        raise BadData(
            f"{folder} has {len(data.names)} classes, the smallest of {smallest} pictures: a prior needs "
            f"{FEWEST} classes or more, of two pictures or more."
        )
    rows = []
    for start in range(0, len(pictures), CHUNK):
        chunk = [part.pictures[place] for part, place in pictures[start : start + CHUNK]]
        rows.append(backbone.features(chunk))
        advance(min(start + CHUNK, len(pictures)), len(pictures))
    return prior.make(np.concatenate(rows), labels, min(dim, backbone.dim))


def save(made: Prior, path: Path) -> None:
    """Write a prior whole or not at all."""
    buffer = io.BytesIO()
    np.savez(
        buffer,
        mean=made.mean.astype(np.float16),
        projection=made.projection.astype(np.float16),
        separation=np.float64(made.separation),
        between=made.between,
    )
    files.write(path, buffer.getvalue())
