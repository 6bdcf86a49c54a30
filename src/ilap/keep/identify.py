"""Naming single pictures: the class, how likely, what it looks like there, and whether it is like none of them.

The classifier says which class it is, if it is one; whether it is, a comparison with the pictures that were
learned (exact/typicality.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ilap.core.errors import NothingLearned
from ilap.core.exemplars import Exemplars, merge
from ilap.core.exposure import Picture
from ilap.keep.learner import LearnerInFile
from ilap.keep.store import view
from ilap.learner.state import State

NEAREST = 3  # exemplars that are told


@dataclass(frozen=True)
class Identified:
    """What a picture shows. ``class_id`` is None where it is unlike all; ``probability`` is that of the
    likeliest class, should it be one; ``typical`` is the share of the pictures that were learned which is at
    least as strange; ``nearest`` are exemplars of the likeliest class, nearest first, as (exposure, place).
    ``tentative`` says that the likeliest is a tentative group."""

    class_id: int | None
    likeliest: int
    probability: float
    typical: float
    nearest: tuple[tuple[int, int], ...]
    tentative: bool


@dataclass(frozen=True)
class NamedPicture:
    """A picture's file and what it shows, in words: for the command line and an API."""

    picture: str
    class_id: int | None
    class_name: str
    probability: float
    typical: float
    nearest: tuple[str, ...]
    likeliest: str
    tentative: bool


def named(learner: LearnerInFile, pictures: Sequence[tuple[Path, Picture]]) -> list[NamedPicture]:
    """Name pictures of these files."""
    answers = identify(learner, [picture for _, picture in pictures])
    connection = learner.file.connection
    return [
        NamedPicture(
            str(path.absolute()),
            answer.class_id,
            "none of these" if answer.class_id is None else learner.name_of(answer.class_id),
            answer.probability,
            answer.typical,
            tuple(view.path_of(connection, *place) for place in answer.nearest),
            learner.name_of(answer.likeliest),
            answer.tentative,
        )
        for (path, _), answer in zip(pictures, answers, strict=True)
    ]


def identify(learner: LearnerInFile, pictures: Sequence[Picture]) -> list[Identified]:
    """Name pictures, each by itself."""
    exact = learner.naming
    if not exact.classes:
        raise NothingLearned(f"{learner.path} knows no class yet: let it learn some exposures first.")
    rows = learner.samples(pictures)
    named = learner.predict_samples(rows, logits=learner.logits(pictures))
    close_up = exact.model.frame.fixed_close_up
    found = []
    for row, class_id, shares, typical, tentative in zip(
        close_up(rows.astype(float)),
        named.class_ids,
        named.probabilities,
        exact.typicality(rows),
        named.tentative,
        strict=True,
    ):
        likeliest = int(class_id)
        pool = pictures_of(learner.state, likeliest)
        away = ((close_up(pool.samples.astype(float)) - row) ** 2).sum(1)
        nearest = tuple((int(e), int(p)) for e, p in pool.origins[np.argsort(away, kind="stable")[:NEAREST]])
        answer = None if typical < exact.rule.naming.none else likeliest
        found.append(
            Identified(answer, likeliest, float(shares.max()), float(typical), nearest, bool(tentative))
        )
    return found


def pictures_of(state: State, place: int) -> Exemplars:
    """The pictures by which a class is known: its exemplars, or all pictures of a tentative group."""
    if place in state.members:
        return merge(state.memory.train[place], state.memory.val[place])
    own = [samples for samples in state.waiting if state.tentative[samples.number] == place]
    return Exemplars(
        np.concatenate([samples.rows for samples in own]),
        np.concatenate([samples.origins() for samples in own]),
    )
