"""What is fitted on: streams of many kinds, drawn at random from the families."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fitting.synthetic import KINDS, clips
from ilap.backbones import prior
from ilap.bench import data
from ilap.core.exposure import Samples, validation_mask
from ilap.core.settings import resolve

FAMILIES = {
    "digits": ("digits", "mnist"),
    "fashion": ("fashion_mnist",),
    "svhn": ("svhn",),
    "cifar": ("cifar10", "cifar100"),
    "coil": ("coil20",),
    "imagenette": ("imagenette",),
    "signs": ("bursts/signs",),
    "chimpanzees": ("bursts/chimpanzees",),
    "cattle": ("bursts/cattle",),
    "turning": ("bursts/turning",),
    "tiny": ("tiny_imagenet",),
}
NEVER_SCORED = "tiny"  # the prior was made of it
SYNTHETIC = {
    "digits": "mnist",
    "fashion": "fashion_mnist",
    "svhn": "svhn",
    "cifar": "cifar100",
    "coil": "coil20",
    "imagenette": "imagenette",
    "tiny": "tiny_imagenet",
}
"""Of which set of a family sessions are made (synthetic.py)."""
PER_CLASS = 450  # pictures of a class that are drawn from
LARGEST = 200  # pictures in an exposure
LONGEST = 140  # exposures in a stream
MOST = 100  # things in a stream
REPEATS = (2, 3, 5, 8, 12, 20)
GAP = 4  # pictures between two arcs of a turntable, at most
AT_ONCE = 500  # pictures that go through the backbone together

Material = tuple[NDArray[np.float32], NDArray[np.int64], NDArray[np.int64] | None]
"""Features in the prior's coordinates, labels, and clips where there are any."""


@dataclass(frozen=True)
class Stream:
    """Exposures in the order in which they come, what each shows, and whether they are sessions."""

    family: str
    seed: int
    exposures: tuple[Samples, ...]
    truths: tuple[int, ...]


@lru_cache(maxsize=2)
def material(name: str, kind: str, kept: Path) -> Material:
    """Of a data set as it is, or of sessions made of it; kept in a file, as this takes long."""
    path = kept / f"material-{name.replace('/', '-')}-{kind or 'real'}.npz"
    if not path.exists():
        rows, labels, own_clips = looked_at(name, kind)
        none = np.empty(0, np.int64)
        np.savez(
            path.with_suffix(".part.npz"),
            rows=rows,
            labels=labels,
            clips=none if own_clips is None else own_clips,
        )
        path.with_suffix(".part.npz").replace(path)
    with np.load(path, allow_pickle=False) as found:
        return found["rows"], found["labels"], found["clips"] if len(found["clips"]) else None


def looked_at(name: str, kind: str) -> Material:
    """The same, by the backbone."""
    dataset = data.dataset(name)
    part = dataset.train if dataset.whole is None else dataset.whole
    if kind:
        pictures, things, own = clips(part, kind, sum(map(ord, name + kind)))
        return features(pictures), np.array(things), np.array(own)
    rng = np.random.default_rng(0)
    chosen = np.arange(len(part.labels))
    in_clips = part.clips is not None and name != "coil20"
    if not in_clips:
        every = [np.flatnonzero(part.labels == k) for k in np.unique(part.labels)]
        chosen = np.sort(np.concatenate([rng.permutation(places)[:PER_CLASS] for places in every]))
    found = None if part.clips is None or not in_clips else np.asarray(part.clips)[chosen]
    return features([part.pictures[int(i)] for i in chosen]), np.asarray(part.labels)[chosen], found


def features(pictures: list[NDArray[np.uint8]]) -> NDArray[np.float32]:
    """Of pictures, in the prior's coordinates."""
    backbone = data.frozen(resolve("fast", {}))
    known = prior.load(backbone.key, backbone.dim)
    parts = [pictures[at : at + AT_ONCE] for at in range(0, len(pictures), AT_ONCE)]
    return np.concatenate([known.features(backbone, part) for part in parts])


def streams(family: str, count: int, kept: Path) -> Iterator[Stream]:
    """So many streams of a family, and where sessions can be made of it as many of those; few of them are too
    short to tell anything and are left out."""
    names, kinds = FAMILIES[family], list(KINDS)
    for seed in range(count):
        drawn = [stream(family, names[seed % len(names)], "", seed, kept)]
        if family in SYNTHETIC:
            drawn.append(stream(family, SYNTHETIC[family], kinds[seed % len(kinds)], seed, kept))
        yield from (one for one in drawn if len(one.exposures) > 4 and len(set(one.truths)) > 1)


def stream(family: str, name: str, kind: str, seed: int, kept: Path) -> Stream:
    """One: some classes, each some times; bursts whole or cut short; pictures that are shuffled, or follow each
    other; with and without an order, which shuffled pictures may be said to have, too."""
    rows, labels, own_clips = material(name, kind, kept)
    rng = np.random.default_rng([seed, sum(map(ord, name + kind))])
    known = np.unique(labels)
    count = min(int(np.exp(rng.uniform(np.log(2), np.log(min(len(known), MOST) + 1)))), len(known))
    chosen = rng.choice(known, max(count, 2), replace=False)
    evenly = np.full(len(chosen), int(rng.choice(REPEATS)))
    repeats = (
        np.round(np.exp(rng.uniform(0, np.log(20), len(chosen)))).astype(int) if rng.random() < 0.5 else evenly
    )
    arcs = name == "coil20" and not kind and rng.random() < 0.5
    pieces: list[tuple[NDArray[np.intp], int]] = []
    if own_clips is not None:
        short = rng.choice(["whole", "cut", "few"], p=[0.5, 0.3, 0.2])
        for label, times in zip(chosen, repeats, strict=True):
            own = np.flatnonzero(labels == label)
            for clip in rng.permutation(np.unique(own_clips[own]))[: max(int(times), 2)]:
                pieces.append((cut(own[own_clips[own] == clip], short, rng), int(label)))
    else:
        largest = 18 if arcs else LARGEST
        size = int(np.exp(rng.uniform(0, np.log(largest + 1)))) if rng.random() < 0.7 else None
        most = np.exp(rng.uniform(np.log(2), np.log(largest + 1)))
        for label, times in zip(chosen, repeats, strict=True):
            own = np.flatnonzero(labels == label)
            own = np.roll(own, int(rng.integers(len(own)))) if arcs else rng.permutation(own)
            start = 0
            for _ in range(int(times)):
                length = size or int(np.exp(rng.uniform(0, np.log(most + 1))))
                if start + length > len(own):
                    break
                pieces.append((own[start : start + length], int(label)))
                start += length + (int(rng.integers(GAP)) if arcs else 0)
    ordered = rng.random() < (0.7 if own_clips is not None or arcs else 0.5)
    order = rng.permutation(len(pieces))[:LONGEST]
    exposures = tuple(
        Samples(number, rows[pieces[i][0]], validation_mask(len(pieces[i][0])), (), bool(ordered))
        for number, i in enumerate(order)
    )
    return Stream(family, seed, exposures, tuple(pieces[i][1] for i in order))


def cut(frames: NDArray[np.intp], how: str, rng: np.random.Generator) -> NDArray[np.intp]:
    """A clip, a piece of it, or one to three frames."""
    if how == "whole":
        return frames
    length = min(int(rng.integers(1, 4 if how == "few" else len(frames) + 1)), len(frames))
    start = int(rng.integers(len(frames) - length + 1))
    return frames[start : start + length]
