"""All that there is to tell of a learner, as plain data: for the command line, the report, and an API."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ilap.exact.review import Health, health, proposals
from ilap.keep.adapt import NetworkView, network_view
from ilap.keep.audit import AuditView, audit_view
from ilap.keep.learner import LearnerInFile
from ilap.keep.listing import WeakView, weakest
from ilap.keep.store import view
from ilap.keep.store.view import ExposureRow
from ilap.keep.summary import tally, understood
from ilap.keep.words import Commands
from ilap.learner.audit import in_effect
from ilap.learner.log import apart
from ilap.learner.naming import KnownClass


@dataclass(frozen=True)
class ClassView:
    """A class and how well it is known (exact/review.py). ``confirmed`` are the exposures that a person placed,
    ``tentative`` those that are unsure and most likely belong to it."""

    class_id: int
    name: str
    exposures: tuple[int, ...]
    pictures: int
    accuracy: float
    look_alike: int | None
    confusion: float
    purity: float
    parts: tuple[tuple[int, ...], tuple[int, ...]] | None
    confirmed: tuple[int, ...]
    tentative: tuple[int, ...]


@dataclass(frozen=True)
class GroupView:
    """A tentative group: exposures that are unsure and likely one thing, and the command that makes it a
    class."""

    group_id: int
    name: str
    exposures: tuple[int, ...]
    pictures: int
    command: str


@dataclass(frozen=True)
class ExposureView:
    """An exposure, where it is, who put it there, and why. ``left_out`` are the places of its strangers;
    ``told`` says that a person taught it, so that ilap never decided."""

    exposure: int
    name: str
    folder: str | None
    pictures: int
    decision: str
    class_id: int | None
    class_name: str | None
    decided_by: str
    score: float | None
    error: float | None
    reason: str | None
    left_out: tuple[int, ...]
    continues: int | None
    time: str
    told: bool
    certainty: str | None
    place: int | None
    place_name: str | None


@dataclass(frozen=True)
class Candidate:
    """A class that an exposure may be."""

    class_id: int
    name: str
    probability: float


@dataclass(frozen=True)
class UnsureView:
    """An exposure that is unsure, with the classes that it may be, the likeliest first, and the commands that
    settle it: as the likeliest class, as a new one, as of no use. ``place`` is its tentative place."""

    exposure: int
    name: str
    pictures: int
    reason: str
    p_new: float | None
    nearest: tuple[Candidate, ...]
    commands: tuple[str, ...]
    place: int | None
    place_name: str | None


@dataclass(frozen=True)
class LikelyOne:
    """Two classes that are likely one, and the command that makes them one."""

    classes: tuple[int, int]
    names: tuple[str, str]
    probability: float
    command: str


@dataclass(frozen=True)
class LikelyTwo:
    """A class that is likely two, the exposures that go together, and the command that parts them."""

    class_id: int
    name: str
    parts: tuple[tuple[int, ...], tuple[int, ...]]
    probability: float
    command: str


@dataclass(frozen=True)
class Overview:
    """All of it."""

    learner: str
    settings: Mapping[str, Any]
    bytes: int
    pictures: int
    events: int
    said: str  # how much is sure, and how much tentative
    understood: str  # what kind of stream it is
    classes: tuple[ClassView, ...]
    groups: tuple[GroupView, ...]
    exposures: tuple[ExposureView, ...]
    unsure: tuple[UnsureView, ...]
    likely_one: tuple[LikelyOne, ...]
    likely_two: tuple[LikelyTwo, ...]
    weakest: tuple[WeakView, ...]  # of what is sure
    audit: AuditView | None  # the one to go by
    network: NetworkView | None  # the adapted one


def overview(learner: LearnerInFile) -> Overview:
    """Classes with their health, exposures, what is unsure, classes that may be one or two; all of one moment,
    also while another process writes to the file."""
    with learner.snapshot() as connection:
        return read(learner, view.exposures(connection))


def read(learner: LearnerInFile, rows: Sequence[ExposureRow]) -> Overview:
    """The same inside a snapshot; ``rows`` are the exposures in it."""
    log = learner.history()
    exact, known = learner.exact, learner.classes
    states = {one.class_id: one for one in health(exact, learner.state.memory)}
    do = Commands(learner.path)
    groups = learner.groups
    alone = {own[0] for own in groups.values() if len(own) == 1}
    return Overview(
        learner=learner.path,
        settings={
            "risk": learner.settings.risk,
            "backbone": exact.backbone.key,
            "seed": learner.seed,
            "rule": learner.rule,
        },
        bytes=os.path.getsize(learner.path) if os.path.exists(learner.path) else 0,
        pictures=sum(learner.state.sizes),
        events=len(log),
        said=tally(learner).said,
        understood=understood(learner),
        groups=tuple(group_view(learner, group, own, do) for group, own in groups.items()),
        classes=tuple(class_view(learner, k, own, states[k]) for k, own in known.items()),
        exposures=tuple(exposure_view(row) for row in rows),
        unsure=tuple(
            unsure_view(row, learner, do, row.number in alone) for row in rows if row.state == "unsure"
        ),
        likely_one=tuple(
            LikelyOne(
                (found.class_id, found.other),
                (learner.name_of(found.class_id), learner.name_of(found.other)),
                found.probability,
                do.merge(found.class_id, found.other),
            )
            for found in proposals(exact, apart(log) | exact.model.classes_apart)
        ),
        likely_two=tuple(
            LikelyTwo(k, learner.name_of(k), one.parts, 1 - one.purity, do.split(smaller(one.parts)))
            for k, one in states.items()
            if one.parts
        ),
        weakest=weakest(rows, do),
        audit=audit_view(learner, audited) if (audited := in_effect(log)) else None,
        network=network_view(network, exact) if (network := learner.state.adapted) else None,
    )


def smaller(parts: tuple[tuple[int, ...], tuple[int, ...]]) -> tuple[int, ...]:
    """The part of fewer exposures."""
    return parts[0] if len(parts[0]) <= len(parts[1]) else parts[1]


def class_view(learner: LearnerInFile, class_id: int, known: KnownClass, own: Health) -> ClassView:
    """One class."""
    fixed = learner.exact.fixed
    return ClassView(
        class_id,
        learner.name_of(class_id),
        known.exposures,
        known.pictures,
        own.accuracy,
        own.look_alike,
        own.confusion,
        own.purity,
        own.parts,
        tuple(number for number in known.exposures if number in fixed),
        tuple(number for number, place in learner.state.tentative.items() if place == class_id),
    )


def group_view(learner: LearnerInFile, group: int, exposures: tuple[int, ...], do: Commands) -> GroupView:
    """One tentative group."""
    pictures = sum(map(learner.size_of, exposures))
    return GroupView(group, learner.name_of(group), exposures, pictures, do.confirm(group))


def exposure_view(row: ExposureRow) -> ExposureView:
    """One exposure."""
    return ExposureView(
        row.number,
        row.name,
        row.folder,
        row.pictures,
        row.kind,
        row.class_id,
        row.class_name,
        row.decided_by,
        row.score,
        row.decision.get("error"),
        row.decision.get("reason"),
        tuple(row.decision.get("strangers", ())),
        row.continues,
        row.time,
        row.decision.get("by") == "person",
        row.certainty,
        row.place,
        row.place_name,
    )


def unsure_view(row: ExposureRow, learner: LearnerInFile, do: Commands, alone: bool) -> UnsureView:
    """One that is unsure; ``alone`` in its tentative group, or not."""
    likely = sorted(row.decision.get("p_known", {}).items(), key=lambda pair: -pair[1])
    nearest = tuple(
        Candidate(int(k), learner.name_of(int(k)), share)
        for k, share in likely
        if int(k) in learner.state.members
    )
    likeliest = (nearest[0].class_id if nearest else None) if alone else row.place
    known = [] if likeliest is None else [do.move(row.number, likeliest)]
    return UnsureView(
        row.number,
        row.name,
        row.pictures,
        row.decision.get("reason", "a person undid what was decided"),
        row.decision.get("p_new"),
        nearest,
        (*known, do.found(row.number), do.discard(row.number)),
        row.place,
        row.place_name,
    )
