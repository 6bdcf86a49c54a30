"""Where a learner keeps what it has seen and what was decided: in memory here, in a file in keep/store/.

A store holds exposures, the log and the names of classes. What a learner knows (state.py) follows from them.
All that is written inside a transaction is written, or nothing of it: an ``Entry`` is what a step or a
correction writes, before it is an event of the log.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, Protocol

import numpy as np

from ilap.core.decision import Decision
from ilap.core.errors import BadCorrection
from ilap.core.exposure import Exposure, Samples
from ilap.core.page_parts import jpeg
from ilap.exact.exact import Exact
from ilap.exact.statistics import Traits
from ilap.learner.adapted import Adapted
from ilap.learner.log import ILAP, NOWHERE, UNSURE, Change, Event
from ilap.learner.state import State
from ilap.learner.step import Step
from ilap.learner.tentative import placements


class Store(Protocol):
    """What a learner needs."""

    def transaction(self) -> AbstractContextManager[Any]:
        """All of what is written inside, or none of it."""

    def add(self, exposure: Exposure, samples: Samples, rule: str) -> None:
        """An exposure has come, and is decided by this rule. Where it belongs is for an event to say."""

    def write(self, entry: Entry, before: State, after: State) -> int:
        """Write an event and what it changed; gives its number, 0 where there is nothing for the log."""

    def set_decider(self, number: int, by: str) -> None:
        """Whose word holds for an exposure."""

    def history(self, after: int = 0) -> list[Event]:
        """All events after one, in order."""

    def said_of(self, numbers: Collection[int]) -> list[Event]:
        """The events from which follows whose word holds for some exposures, and what people answered."""

    def network(self, event: Event | None) -> Adapted | None:
        """The network that an event made."""

    def names(self) -> dict[int, str]:
        """The names that classes were given."""

    def samples_of(self, number: int, whole: bool = False) -> Samples:
        """An exposure as it was learned, or ``whole``, with the pictures that were left out."""

    def traits_of(self, number: int) -> Traits | None:
        """What an exposure told of the stream."""

    def place_of(self, number: int) -> int:
        """Where an exposure is: the id of its class, or UNSURE, DISCARDED or NOWHERE (log.py)."""

    def decision_of(self, number: int) -> Mapping[str, Any]:
        """What was told of an exposure when it was last asked about."""

    def thumbnails(self, number: int) -> list[bytes]:
        """Small copies of some pictures of an exposure, as JPEG."""


@dataclass(frozen=True)
class Kept:
    """An exposure. Its samples are None where the classifier cannot forget, and so never needs them again."""

    samples: Samples | None
    place: int = NOWHERE
    decided_by: str = ILAP
    decision: Mapping[str, Any] = field(default_factory=dict)
    left_out: tuple[int, ...] = ()
    traits: Traits | None = None
    small: tuple[bytes, ...] = ()


class InMemory:
    """A store that ends with the process. ``keeps`` says whether samples are kept."""

    def __init__(self, keeps: bool) -> None:
        self.keeps = keeps
        self.exposures: dict[int, Kept] = {}
        self.log: list[Event] = []
        self.named: dict[int, str] = {}
        self.networks: dict[int, Adapted] = {}

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Whatever fails, all is as before."""
        before = dict(self.exposures), list(self.log), dict(self.named)
        try:
            yield
        except BaseException:
            self.exposures, self.log, self.named = before
            raise

    def add(self, exposure: Exposure, samples: Samples, rule: str) -> None:
        """Keep it, without its pictures but for small copies of some."""
        few = np.linspace(0, len(exposure) - 1, min(THUMBNAILS, len(exposure))).astype(int)
        small = tuple(jpeg(exposure.pictures[i]) for i in few)
        kept = replace(samples, pictures=()) if self.keeps else None
        self.exposures[samples.number] = Kept(kept, small=small)

    def write(self, entry: Entry, before: State, after: State) -> int:
        """Append the event; note what is told of exposures, and what they tell."""
        seen = after.classifier.model.seen if isinstance(after.classifier, Exact) else {}
        for change in entry.changes:
            own = seen[change.exposure].traits if change.exposure in seen else None
            self._set(change.exposure, place=change.after, decided_by=entry.by)
            if own is not None:
                self._set(change.exposure, traits=own)
        for number, decision in entry.decisions.items():
            self._set(number, decision=decision)
        for number, places in entry.left_out.items():
            self._set(number, left_out=(*self.exposures[number].left_out, *places))
        for class_id, _, name in entry.names:
            self.named.pop(class_id, None)
            if name is not None:
                self.named[class_id] = name
        if not entry.kind:
            return 0
        now, tentative = datetime.now(UTC).isoformat(timespec="milliseconds"), tuple(placements(before, after))
        event = Event(
            len(self.log) + 1, now, entry.by, entry.kind, entry.about, tuple(entry.changes), tentative
        )
        self.log.append(event)
        if entry.network is not None:
            self.networks[event.id] = entry.network
        return event.id

    def _set(self, number: int, **fields: Any) -> None:
        self.exposures[number] = replace(self.exposures[number], **fields)

    def set_decider(self, number: int, by: str) -> None:
        """Whose word holds for an exposure."""
        self._set(number, decided_by=by)

    def history(self, after: int = 0) -> list[Event]:
        """All events after one, in order."""
        return self.log[after:]

    def said_of(self, numbers: Collection[int]) -> list[Event]:
        """All events."""
        return self.log

    def network(self, event: Event | None) -> Adapted | None:
        """The network that an event made."""
        return None if event is None else self.networks[event.id]

    def names(self) -> dict[int, str]:
        """The names that classes were given."""
        return dict(self.named)

    def samples_of(self, number: int, whole: bool = False) -> Samples:
        """An exposure as it was learned, or ``whole``."""
        own = self._of(number)
        if own.samples is None:
            raise BadCorrection("This learner cannot move what it learned: take the preset fast.")
        return (
            own.samples if whole or not own.left_out else own.samples.without(np.array(own.left_out, np.intp))
        )

    def traits_of(self, number: int) -> Traits | None:
        """What an exposure told of the stream."""
        return self._of(number).traits

    def place_of(self, number: int) -> int:
        """Where an exposure is."""
        return self._of(number).place

    def decision_of(self, number: int) -> Mapping[str, Any]:
        """What was told of an exposure when it was last asked about."""
        return self._of(number).decision

    def thumbnails(self, number: int) -> list[bytes]:
        """Small copies of some pictures of an exposure, as JPEG."""
        return list(self._of(number).small)

    def _of(self, number: int) -> Kept:
        if number not in self.exposures:
            raise BadCorrection(f"There is no exposure {number}: ilap show lists those there are.")
        return self.exposures[number]


THUMBNAILS = 3  # pictures of an exposure of which a learner in memory keeps a small copy
LIKELIEST = 5  # known classes whose probability is kept


@dataclass(frozen=True)
class Entry:
    """``decisions`` are what is told of exposures from now on, ``left_out`` the pictures of an exposure that
    are not learned from, ``names`` classes that get another name, as (class, before, after), ``network`` one
    that was adapted. Without a ``kind`` there is nothing for the log: an exposure was asked about, and stays
    unsure."""

    by: str
    kind: str
    about: Mapping[str, Any] = field(default_factory=dict)
    changes: Sequence[Change] = ()
    decisions: Mapping[int, Mapping[str, Any]] = field(default_factory=dict)
    left_out: Mapping[int, Sequence[int]] = field(default_factory=dict)
    names: Sequence[tuple[int, str | None, str | None]] = ()
    network: Adapted | None = None


def of_step(before: State, step: Step, fresh: bool, answer: int | None = None) -> Entry:
    """A decision and what it changed. ``fresh`` is the one about the exposure that has just come, ``answer``
    the event that it follows from."""
    decision, after = step.decision, step.state
    about = scores(decision)
    told = {decision.exposure: about}
    changes = moves(before, after, decision.exposure, fresh)
    if not changes and not placements(before, after):
        return Entry(decision.by, "", decisions=told)
    kind = ("teach" if decision.by == "person" else "learn") if fresh else "settle"
    follows = {} if answer is None else {"after": answer}
    left_out = {} if decision.class_id is None else {decision.exposure: decision.strangers}
    return Entry(decision.by, kind, about | follows, changes, told, left_out)


def moves(before: State, after: State, number: int, fresh: bool) -> list[Change]:
    """How exposures moved from one state to the next; ``number`` was asked about, and is fresh if it has just
    come."""
    if before.members is after.members and not fresh:
        return []
    was = {exposure: k for k, numbers in before.members.items() for exposure in numbers}
    now = {exposure: k for k, numbers in after.members.items() for exposure in numbers}
    changes = [
        Change(exposure, was[exposure], now.get(exposure, UNSURE))
        for exposure in sorted(was)
        if was[exposure] != now.get(exposure, UNSURE)
    ]
    if fresh or number in now:
        changes.append(Change(number, NOWHERE if fresh else UNSURE, now.get(number, UNSURE)))
    return changes


def scores(decision: Decision) -> dict[str, Any]:
    """What is kept of a decision, as JSON takes it."""
    score = None if np.isnan(decision.score) else decision.score
    likely = sorted(decision.p_known.items(), key=lambda pair: -pair[1])[:LIKELIEST]
    return {
        "kind": decision.kind,
        "class": decision.class_id,
        "place": decision.place,
        "score": score,
        "error": decision.error,
        "p_new": decision.p_new,
        "p_known": {str(k): share for k, share in likely},
        "reason": decision.reason,
        "strangers": list(decision.strangers),
        "moved": list(decision.moved),
        "discarded": list(decision.discarded),
        "by": decision.by,
    }
