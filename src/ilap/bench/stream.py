"""Streams: every class R times, in random order, each time with other pictures (paper 3.1, 4)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ilap.data.contract import Dataset
from ilap.errors import BadStream
from ilap.exposure import Exposure


@dataclass(frozen=True)
class Stream:
    """Which pictures of a data set make up each exposure, and what the exposure shows."""

    dataset: Dataset
    truths: tuple[int, ...]
    pictures: tuple[tuple[int, ...], ...]

    def __len__(self) -> int:
        return len(self.truths)

    def __iter__(self) -> Iterator[tuple[Exposure, int]]:
        for number, truth in enumerate(self.truths):
            yield self.exposure(number), truth

    def exposure(self, number: int) -> Exposure:
        """One exposure's pictures, without their label."""
        return Exposure([self.dataset.train.pictures[i] for i in self.pictures[number]])


def make(dataset: Dataset, exposure_size: int, repeats: int, seed: int) -> Stream:
    """Cut each class's shuffled pictures into ``repeats`` disjoint exposures, and shuffle all exposures."""
    if exposure_size < 1 or repeats < 1:
        raise BadStream(
            f"Exposures of {exposure_size} pictures, {repeats} a class, make no stream: take 1 or more of both."
        )
    classes = np.unique(dataset.train.labels)
    if len(classes) < 2:
        raise BadStream(f"{dataset.name} has one class only: a stream needs at least two to tell apart.")
    rng = np.random.default_rng(seed)
    exposures = []
    for label in classes:
        own = rng.permutation(np.flatnonzero(dataset.train.labels == label))
        if len(own) < exposure_size * repeats:
            raise BadStream(
                f"Class {dataset.names[label]} of {dataset.name} has {len(own)} pictures, but {repeats} "
                f"exposures of {exposure_size} need {exposure_size * repeats}: take smaller or fewer exposures."
            )
        for repeat in range(repeats):
            chosen = own[repeat * exposure_size : (repeat + 1) * exposure_size]
            exposures.append((int(label), tuple(int(i) for i in chosen)))
    order = rng.permutation(len(exposures))
    return Stream(dataset, tuple(exposures[i][0] for i in order), tuple(exposures[i][1] for i in order))
