"""A learner's file as the store of a learner (learner/store.py)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import AbstractContextManager
from typing import Any

from ilap.core.exposure import Exposure, Samples
from ilap.exact.statistics import Traits
from ilap.keep.store import events, exposures, networks, state, view
from ilap.keep.store.file import LearnerFile
from ilap.learner.adapted import Adapted
from ilap.learner.log import Event
from ilap.learner.state import State
from ilap.learner.store import Entry
from ilap.learner.tentative import placements


class InFile:
    """``dtype`` is that of the features."""

    def __init__(self, file: LearnerFile, dtype: str) -> None:
        self.file, self.dtype = file, dtype

    def transaction(self) -> AbstractContextManager[Any]:
        """All of what is written inside, or none of it, also if the process is killed."""
        return self.file.transaction()

    def add(self, exposure: Exposure, samples: Samples, rule: str) -> None:
        """An exposure with all of its pictures."""
        state.note_rule(self.file.connection, rule)
        exposures.add(self.file.connection, exposure, samples)

    def write(self, entry: Entry, before: State, after: State) -> int:
        """An event and what it changed."""
        connection = self.file.connection
        state.set_decisions(connection, entry.decisions)
        event = 0
        if entry.kind:
            moved = placements(before, after)
            event = events.append(connection, entry.by, entry.kind, entry.about, entry.changes, moved)
        for number, places in entry.left_out.items():
            exposures.leave_out(connection, number, places)
        state.save(connection, before, after, entry.changes, event, entry.by)
        if entry.network is not None:
            networks.add(connection, event, entry.network)
        for class_id, _, name in entry.names:
            state.set_name(connection, class_id, name)
        if event:
            state.checkpoint_if_due(connection, after, event)
        return event

    def set_decider(self, number: int, by: str) -> None:
        """Whose word holds for an exposure."""
        state.set_decider(self.file.connection, number, by)

    def history(self, after: int = 0) -> list[Event]:
        """All events after one, in order."""
        return events.read(self.file.connection, after)

    def said_of(self, numbers: Collection[int]) -> list[Event]:
        """The events from which follows whose word holds for some exposures, and what people answered."""
        return events.said_of(self.file.connection, numbers)

    def network(self, event: Event | None) -> Adapted | None:
        """The network that an event made."""
        return networks.of_event(self.file.connection, event)

    def names(self) -> dict[int, str]:
        """The names that classes were given."""
        return state.names(self.file.connection)

    def samples_of(self, number: int, whole: bool = False) -> Samples:
        """An exposure as it was learned, or ``whole``."""
        return exposures.samples(self.file.connection, number, self.dtype, whole)

    def traits_of(self, number: int) -> Traits | None:
        """What an exposure told of the stream."""
        return exposures.traits(self.file.connection, number)

    def place_of(self, number: int) -> int:
        """Where an exposure is."""
        return exposures.place_of(self.file.connection, number)

    def decision_of(self, number: int) -> Mapping[str, Any]:
        """What was told of an exposure when it was last asked about."""
        return state.decision_of(self.file.connection, number)

    def thumbnails(self, number: int) -> list[bytes]:
        """Small copies of some pictures of an exposure, as JPEG."""
        return list(view.thumbnails(self.file.connection, number).values())
