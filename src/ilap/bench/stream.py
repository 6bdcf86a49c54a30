"""Streams: every class R times, in random order, each time with other pictures (paper 3.1, 4)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ilap.bench import draw
from ilap.core.errors import BadStream
from ilap.core.exposure import Exposure
from ilap.data.contract import Dataset

Draw = Literal["disjoint", "replacement", "contiguous", "clips"]
Order = Literal["shuffled", "early"]


@dataclass(frozen=True)
class Plan:
    """What a stream is made of.

    ``exposure_size`` is how many pictures an exposure has, or the smallest and the largest number, drawn for
    every exposure evenly in its logarithm; then a class ends when its pictures are used up. ``repeats`` is how
    often each class comes, or the lowest and the highest number, drawn for every class.

    ``draw``: *disjoint* pictures, shuffled; *replacement*: drawn again for every exposure, so that pictures
    come again (IOLfCV); *contiguous*: neighbours in capture order, never across two clips; *clips*: each clip
    is an exposure, whole, so that nothing is left to test with. These have the size that they have, and all of
    them come unless ``repeats`` bounds them. ``order``: all exposures *shuffled*, or repeats *early*, soon
    after a class was first shown (paper 5.2). ``impurity`` is the share of every exposure that shows another
    class. ``classes`` is how many of the data set's classes come, at random.
    """

    exposure_size: int | tuple[int, int] | None = None
    repeats: int | tuple[int, int] | None = None
    draw: Draw = "disjoint"
    order: Order = "shuffled"
    impurity: float = 0.0
    classes: int | None = None

    def __post_init__(self) -> None:
        if self.draw == "clips" and self.exposure_size is not None:
            raise BadStream("A clip is an exposure of the size that it has: leave the exposure size out.")
        if self.draw != "clips" and (self.exposure_size is None or self.repeats is None):
            raise BadStream("Say how many pictures an exposure has, and how many exposures a class.")
        if any(low < 1 or high < low for low, high in (span(self.exposure_size), span(self.repeats))):
            raise BadStream(
                f"Exposures of {self.exposure_size} pictures, {self.repeats} a class, make no stream: "
                f"take 1 or more of both, and the lower number of two first."
            )
        if isinstance(self.exposure_size, tuple) and (self.draw != "disjoint" or self.impurity):
            raise BadStream("Exposures of many sizes are made of disjoint pictures, all of one class.")
        if not 0 <= self.impurity < 0.5:
            raise BadStream(f"An impurity of {self.impurity} leaves no majority: take 0 to below 0.5.")
        if self.impurity and self.draw != "disjoint":
            raise BadStream("Impure exposures are made of disjoint pictures: leave the draw as it is.")

    @property
    def strangers(self) -> int:
        """How many pictures of an exposure show another class; those of many sizes are pure."""
        return round(self.impurity * span(self.exposure_size)[0])


def span(number: int | tuple[int, int] | None) -> tuple[int, int]:
    """The lowest and the highest of what may be one number; 1 where nothing is said.

    >>> span(5), span((2, 8))
    ((5, 5), (2, 8))
    """
    if number is None:
        return 1, 1
    return number if isinstance(number, tuple) else (number, number)


@dataclass(frozen=True)
class Stream:
    """Which pictures of a data set make up each exposure, and what the exposure shows."""

    dataset: Dataset
    truths: tuple[int, ...]
    pictures: tuple[tuple[int, ...], ...]
    ordered: bool = False

    def __len__(self) -> int:
        return len(self.truths)

    def __iter__(self) -> Iterator[tuple[Exposure, int]]:
        for number, truth in enumerate(self.truths):
            yield self.exposure(number), truth

    def exposure(self, number: int) -> Exposure:
        """One exposure's pictures, without their label."""
        return Exposure([self.dataset.train.pictures[i] for i in self.pictures[number]], self.ordered)


def make(dataset: Dataset, exposure_size: int, repeats: int, seed: int) -> Stream:
    """The plain stream: disjoint pictures, all exposures shuffled."""
    return plan(dataset, Plan(exposure_size, repeats), seed, seed)


def plan(dataset: Dataset, wanted: Plan, order_seed: int, picture_seed: int) -> Stream:
    """A stream by plan: one seed for which class comes when, one for which pictures make up its exposures."""
    if wanted.draw == "clips":
        dataset = dataset.undivided()
    order, pictures = np.random.default_rng(order_seed), np.random.default_rng(picture_seed)
    labels = chosen_classes(dataset, wanted.classes, order)
    shuffled = {label: draw.shuffle(dataset, label, pictures) for label in labels}
    for label in labels:
        draw.shuffle(dataset, label, order)  # so that one seed for both still gives each its own numbers
    low, high = span(wanted.repeats)
    repeats = {label: int(order.integers(low, high + 1)) if high > low else low for label in labels}
    exposures = drawn(dataset, wanted, shuffled, repeats, pictures)
    if wanted.strangers:
        exposures = draw.mixed(exposures, wanted.strangers, pictures)
    times = {label: len(own) for label, own in exposures.items()}
    places = (draw.early if wanted.order == "early" else draw.anyhow)(times, order)
    return Stream(
        dataset,
        tuple(label for label, _ in places),
        tuple(tuple(map(int, exposures[label][repeat])) for label, repeat in places),
        wanted.draw in ("contiguous", "clips"),
    )


def drawn(
    dataset: Dataset,
    wanted: Plan,
    shuffled: dict[int, draw.Places],
    repeats: dict[int, int],
    rng: np.random.Generator,
) -> dict[int, list[draw.Places]]:
    """The exposures of every class, as the plan draws them."""
    size = wanted.exposure_size
    if size is None:
        return draw.clips(dataset, shuffled, None if wanted.repeats is None else repeats, rng)
    if isinstance(size, tuple):
        return draw.of_many_sizes(shuffled, repeats, size, rng)
    if wanted.draw == "replacement":
        return draw.replaced(shuffled, repeats, size, rng)
    if wanted.draw == "contiguous":
        return draw.neighbours(dataset, shuffled, repeats, size, rng)
    return draw.disjoint(dataset, shuffled, repeats, size)


def chosen_classes(dataset: Dataset, count: int | None, rng: np.random.Generator) -> list[int]:
    """The labels of the classes that come, ascending: all, or some at random."""
    labels = np.unique(dataset.train.labels)
    if len(labels) < 2:
        raise BadStream(f"{dataset.name} has one class only: a stream needs at least two to tell apart.")
    if count is None:
        return [int(label) for label in labels]
    if not 2 <= count <= len(labels):
        raise BadStream(f"{dataset.name} has {len(labels)} classes, not {count}: take 2 to {len(labels)}.")
    return sorted(int(label) for label in rng.choice(labels, count, replace=False))
