"""Adapting: what a network is trained on, and whether it is kept.

Every class is a set of pictures that belong together. Most of them teach the network; the others are held out,
and are named by the frozen discriminant, which has not seen them either, and by both together. The network is
kept if both name no fewer of them right, at a lower log loss.

Pictures of one exposure may be alike as frames of a film are, so whole exposures are held out where a class has
three or more, else pictures of all of them: a tenth, and more where there are few pictures, counted through all
classes, so that those with few exposures do not give up more than their part.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_softmax

from ilap.backbones import runtime
from ilap.core.classifier import Array
from ilap.core.errors import NothingLearned
from ilap.core.exposure import Picture, Samples
from ilap.core.extras import needed_for
from ilap.core.plural import counted
from ilap.exact.exact import Exact
from ilap.exact.model import empty_model
from ilap.learner.adapted import Adapted, log_loss, temperature
from ilap.learner.state import State

if TYPE_CHECKING:
    from ilap.network.adapt import Recipe

SHARE = 0.1  # of the pictures that are held out
JUDGES = 100  # held-out pictures that there should be at least, if a third of all is as many
LEAST = 20  # fewer held-out pictures than that cannot judge a network
EXPOSURES = 3  # of a class, from which on whole exposures are held out
LOWER = 1e-3  # by how much the log loss has to be lower
HEAD_TEMPERATURE = 1.0  # usual one; that of the frozen discriminant is the rule's

PicturesOf = Callable[[int], Mapping[int, Picture]]
"""The pictures of an exposure by their places, as far as they can be had."""
Watch = Callable[[int, int], None]
"""Is told how many steps of how many are done."""


@dataclass(frozen=True)
class Adaptation:
    """What came of it. Of ``held_out`` pictures so many were named right by the frozen discriminant, by both
    and by the head alone, at these log losses. ``missing`` pictures could not be had."""

    network: Adapted
    classes: int
    pictures: int
    held_out: int
    frozen_right: int
    adapted_right: int
    frozen_log_loss: float
    adapted_log_loss: float
    head_right: int
    steps: int
    seconds: float
    missing: int

    @property
    def kept(self) -> bool:
        """Whether it is better: as many held-out pictures or more are named right, at a lower log loss. Where a
        head knows nothing, its temperature is high and it says nothing: chance alone then changes a few names,
        and not the log loss."""
        return self.adapted_right >= self.frozen_right and self.adapted_log_loss < self.frozen_log_loss - LOWER

    def plain(self) -> dict[str, Any]:
        """Its figures, as JSON takes them."""
        figures = {name: value for name, value in self.__dict__.items() if name != "network"}
        return {"kept": self.kept, **figures}


@dataclass(frozen=True)
class Lesson:
    """Pictures as squares with their groups, frozen features and exposures; ``held`` are those that judge."""

    squares: NDArray[np.uint8]
    groups: NDArray[np.intp]
    held: NDArray[np.bool_]
    rows: NDArray[Any]
    origins: NDArray[np.int64]


def adapt(
    state: State,
    samples_of: Callable[[int], Samples],
    pictures_of: PicturesOf,
    recipe: Recipe | None = None,
    seed: int = 0,
    minutes: float | None = None,
    watch: Watch = lambda done, steps: None,
    checkpoint: Path | None = None,
) -> Adaptation:
    """Train a network on the classes of a state and judge it. ``watch`` is told of every step; ``checkpoint``
    is a file from which an interrupted training goes on."""
    started = time.perf_counter()
    with needed_for("Adapting a network"):
        from ilap.network.adapt import Recipe, train_groups

    recipe = recipe or Recipe()
    lesson, missing = lesson_of(state, samples_of, pictures_of, recipe.side, seed)
    classes = len(np.unique(lesson.groups))
    if classes < 2 or lesson.held.sum() < LEAST:
        raise NothingLearned(
            f"There is too little to adapt to: {counted(classes, 'class')}, and "
            f"{counted(int(lesson.held.sum()), 'picture')} to judge by, where 2 and {LEAST} are needed. Learn "
            f"more exposures first."
        )
    taught, judged = ~lesson.held, lesson.held
    squares = lesson.squares[judged]
    trained = train_groups(
        *(lesson.squares[taught], lesson.groups[taught], squares[:64], recipe, seed, minutes, watch, checkpoint)
    )
    labels = lesson.groups[judged]
    frozen = without(state.exact, samples_of, lesson).scores(lesson.rows[judged])
    network = Adapted(trained.graph.model, trained.graph.side, output_of(lesson), 1.0, 1.0)
    logits = network.logits(list(squares))
    cold = temperature(frozen, labels, state.exact.rule.naming.temperature)
    warm = temperature(logits, labels, HEAD_TEMPERATURE)
    both = log_softmax(frozen / cold, axis=1) + log_softmax(logits / warm, axis=1)
    shared = temperature(both, labels, 1.0)
    found = Adaptation(
        replace(network, head_temperature=warm, frozen_temperature=cold, temperature=shared),
        classes,
        int(taught.sum()),
        len(labels),
        right(frozen, labels),
        right(both, labels),
        log_loss(frozen / cold, labels),
        log_loss(both / shared, labels),
        right(logits, labels),
        trained.steps,
        time.perf_counter() - started,
        missing,
    )
    return replace(found, network=replace(found.network, about=found.plain()))


def lesson_of(
    state: State, samples_of: Callable[[int], Samples], pictures_of: PicturesOf, side: int, seed: int
) -> tuple[Lesson, int]:
    """All pictures of all classes that can be had, and how many could not."""
    parts: list[tuple[NDArray[np.uint8], int, NDArray[Any], NDArray[np.int64]]] = []
    missing = 0
    for group, (_, numbers) in enumerate(sorted(state.members.items())):
        for number in numbers:
            samples, found = samples_of(number), pictures_of(number)
            origins = samples.origins()
            there = [row for row, (_, place) in enumerate(origins) if int(place) in found]
            missing += len(origins) - len(there)
            squares = runtime.square([found[int(origins[row, 1])] for row in there], side)
            parts.append((squares, group, samples.rows[there], origins[there]))
    if not parts:
        raise NothingLearned("No class is known yet: let the learner observe some exposures first.")
    squares, rows, origins = (np.concatenate([part[i] for part in parts]) for i in (0, 2, 3))
    every = np.concatenate([np.full(len(part[0]), part[1]) for part in parts])
    groups = np.unique(every, return_inverse=True)[1]  # classes of which no picture can be had are left out
    return Lesson(squares, groups, held_out(groups, origins[:, 0], seed), rows, origins), missing


def held_out(groups: NDArray[np.intp], exposures: NDArray[np.int64], seed: int) -> NDArray[np.bool_]:
    """Which pictures judge: whole exposures of groups that have at least three, pictures of the others.

    >>> groups, exposures = np.repeat([0, 1], 300), np.repeat(np.arange(6), 100)
    >>> mask = held_out(groups, exposures, seed=0)
    >>> [int(mask[exposures == number].sum()) for number in range(6)].count(100), int(mask.sum())
    (1, 100)
    """
    share = max(SHARE, min(1 / 3, JUDGES / max(1, len(groups))))
    chance = np.random.default_rng([seed, len(groups)])
    mask = np.zeros(len(groups), bool)
    due = float(chance.uniform(0.4, 0.6))  # held-out exposures that are owed; it begins half-way to the first
    for group in np.unique(groups):
        own = np.unique(exposures[groups == group])
        if len(own) < EXPOSURES:
            rows = np.flatnonzero(groups == group)
            mask[chance.permutation(rows)[: round(share * len(rows))]] = True
            continue
        for number in chance.permutation(own):
            due += share
            if due >= 1:
                mask[exposures == number] = True
                due -= 1
    return mask


def without(exact: Exact, samples_of: Callable[[int], Samples], lesson: Lesson) -> Exact:
    """The frozen discriminant as if held-out pictures had never come; its classes are the lesson's groups."""
    model = empty_model(exact.model.prior, exact.rule)
    for number in np.unique(lesson.origins[:, 0]).tolist():
        own = lesson.origins[:, 0] == number
        samples = samples_of(number)
        judges = np.isin(samples.origins()[:, 1], lesson.origins[own & lesson.held, 1])
        if judges.all():
            continue
        taught = samples.without(np.flatnonzero(judges))
        traits = exact.model.exposures[number].traits
        model = model.see(taught, traits).learn(taught, int(lesson.groups[own][0]))
    return replace(exact, model=model)


def output_of(lesson: Lesson) -> dict[int, int]:
    """Which output each exposure was trained as, or judged by."""
    return {int(number): int(group) for (number, _), group in zip(lesson.origins, lesson.groups, strict=True)}


def right(scores: Array, labels: NDArray[np.intp]) -> int:
    """How many are named right."""
    return int((scores.argmax(1) == labels).sum())
