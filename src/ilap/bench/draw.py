"""How the pictures of each class are cut into exposures, and in which order the exposures come."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ilap.core.errors import BadStream
from ilap.data.contract import Dataset

Places = NDArray[np.intp]
"""Places of pictures in a data set."""

EARLY = 0.8
"""Where repeats come early, the chance that one comes instead of a class not shown yet."""


def shuffle(dataset: Dataset, label: int, rng: np.random.Generator) -> Places:
    """A class's pictures in random order."""
    return rng.permutation(np.flatnonzero(dataset.train.labels == label))


def disjoint(
    dataset: Dataset, shuffled: dict[int, Places], repeats: dict[int, int], size: int
) -> dict[int, list[Places]]:
    """Shuffled pictures, none of them twice."""
    return {
        label: enough(dataset, label, np.split(own, range(size, len(own), size)), repeats[label], size)
        for label, own in shuffled.items()
    }


def of_many_sizes(
    shuffled: dict[int, Places], repeats: dict[int, int], sizes: tuple[int, int], rng: np.random.Generator
) -> dict[int, list[Places]]:
    """The same with a size for every exposure: k with the probability ln((k + 1) / k) / ln((high + 1) / low),
    which is even in the logarithm. The last one of a class takes what is left."""
    low, high = sizes
    exposures = {}
    for label, own in shuffled.items():
        drawn = np.exp(rng.uniform(np.log(low), np.log(high + 1), repeats[label])).astype(int)
        ends = np.cumsum(drawn.clip(low, high))
        exposures[label] = [piece for piece in np.split(own, ends)[: repeats[label]] if len(piece)]
    return exposures


def replaced(
    shuffled: dict[int, Places], repeats: dict[int, int], size: int, rng: np.random.Generator
) -> dict[int, list[Places]]:
    """Every picture drawn from all of the class, so that it may come again at any time."""
    return {label: [rng.choice(own, size) for _ in range(repeats[label])] for label, own in shuffled.items()}


def neighbours(
    dataset: Dataset,
    shuffled: dict[int, Places],
    repeats: dict[int, int],
    size: int,
    rng: np.random.Generator,
) -> dict[int, list[Places]]:
    """Adjacent pictures in capture order, from a random start in every clip; a class without clips is one."""
    exposures = {}
    for label, own in shuffled.items():
        own = np.sort(own)
        clips = np.zeros(len(own), int) if dataset.train.clips is None else dataset.train.clips[own]
        pieces: list[Places] = []
        for clip in np.unique(clips):
            frames = own[clips == clip]
            start = int(rng.integers(len(frames) % size + 1))
            pieces += [frames[at : at + size] for at in range(start, len(frames), size)]
        pieces = [pieces[i] for i in rng.permutation(len(pieces))]
        exposures[label] = enough(dataset, label, pieces, repeats[label], size)
    return exposures


def clips(
    dataset: Dataset, shuffled: dict[int, Places], at_most: dict[int, int] | None, rng: np.random.Generator
) -> dict[int, list[Places]]:
    """Every clip whole and in capture order; of each class all clips, or so many at random."""
    if dataset.train.clips is None:
        raise BadStream(
            f"{dataset.name} has no clips to draw: take another draw, or a folder with a folder for each thing "
            f"and in it a folder for each clip."
        )
    exposures = {}
    for label, own in shuffled.items():
        own = np.sort(own)
        numbers = dataset.train.clips[own]
        pieces = [own[numbers == clip] for clip in np.unique(numbers)]
        pieces = [pieces[i] for i in rng.permutation(len(pieces))]
        exposures[label] = pieces if at_most is None else pieces[: at_most[label]]
    return exposures


def enough(dataset: Dataset, label: int, pieces: list[Places], count: int, size: int) -> list[Places]:
    """So many whole pieces, or an error that says how many pictures there are."""
    whole = [piece for piece in pieces if len(piece) == size]
    if len(whole) < count:
        raise BadStream(
            f"Class {dataset.names[label]} of {dataset.name} has {int((dataset.train.labels == label).sum())} "
            f"pictures, enough for {len(whole)} exposures of {size}, but {count} need {count * size}: "
            f"take smaller or fewer exposures."
        )
    return whole[:count]


def mixed(
    exposures: dict[int, list[Places]], strangers: int, rng: np.random.Generator
) -> dict[int, list[Places]]:
    """In every exposure some pictures, at random places, exchanged for those of one other class, so that every
    picture still comes once. Classes exchange in a ring that is drawn again for every repeat."""
    exchanged = {label: [piece.copy() for piece in pieces] for label, pieces in exposures.items()}
    for repeat in range(max(map(len, exposures.values()))):
        ring = [int(k) for k in rng.permutation([k for k, own in exposures.items() if repeat < len(own)])]
        if len(ring) < 2:
            continue
        places = {label: rng.permutation(len(exposures[label][repeat]))[:strangers] for label in ring}
        for label, other in zip(ring, [*ring[1:], ring[0]], strict=True):
            exchanged[label][repeat][places[label]] = exposures[other][repeat][places[other]]
    return exchanged


def anyhow(repeats: dict[int, int], rng: np.random.Generator) -> list[tuple[int, int]]:
    """All exposures, each as (class, repeat), in random order."""
    flat = [(label, repeat) for label in repeats for repeat in range(repeats[label])]
    return [flat[i] for i in rng.permutation(len(flat))]


def early(repeats: dict[int, int], rng: np.random.Generator) -> list[tuple[int, int]]:
    """The same with repeats early: where one is left of a class shown before, it mostly comes first."""
    unseen = [int(label) for label in rng.permutation(list(repeats))]
    shown: dict[int, int] = {}
    places = []
    for _ in range(sum(repeats.values())):
        again = [label for label, times in shown.items() if times < repeats[label]]
        repeat = bool(again) and (not unseen or rng.random() < EARLY)
        label = again[int(rng.integers(len(again)))] if repeat else unseen.pop()
        places.append((label, shown.get(label, 0)))
        shown[label] = shown.get(label, 0) + 1
    return places
