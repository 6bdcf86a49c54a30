"""A learner that lives in a file: it decides as any other, writes down what it decided, and can be corrected.

Everything that a learner of this kind does is one transaction: the exposure with its pictures' features, the
decisions that came of it and what they changed. So whenever the process is killed, the file holds all of an
exposure or nothing of it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Self, cast

import numpy as np

from ilap import corrections
from ilap.backbones.contract import Backbone
from ilap.classify.exact import Exact
from ilap.classify.member import residuals
from ilap.decision import Decision
from ilap.errors import BadCorrection, BadSetting
from ilap.exposure import Exposure, Samples
from ilap.learner import TOLD_BY_A_PERSON, Learner
from ilap.settings import Settings, resolve, restored
from ilap.state import State, Step
from ilap.store import events, rows, state
from ilap.store.decided import moves, scores
from ilap.store.events import DISCARDED, ILAP, PERSON, Change, Event
from ilap.store.file import LearnerFile
from ilap.store.view import class_name


class KeptLearner(Learner):
    """The learner. ``Learner.open`` makes one."""

    def __init__(
        self,
        path: str | Path,
        preset: str = "fast",
        *,
        seed: int = 0,
        backbone: str | Backbone | None = None,
        writable: bool = True,
        create: bool = True,
        **changes: Any,
    ) -> None:
        """Open a file, or make one with these settings. One that exists keeps its own: of them only the risk
        can be changed."""
        if isinstance(backbone, str):
            changes["backbone"], backbone = backbone, None
        self.file = LearnerFile(path, writable=writable, create=create and writable)
        try:
            with self.file.snapshot() as connection:
                kept, kept_seed = (state.meta(connection, key) for key in ("settings", "seed"))
            settings = resolve(preset, changes) if kept is None else restored(kept, changes, self.path)
            if settings.classifier != "exact":
                raise BadSetting(
                    f"A learner in a file needs the classifier exact, not {settings.classifier}: take fast."
                )
            seed = seed if kept is None else kept_seed
            given = asdict(settings)
            named = given.pop("backbone")
            super().__init__("fast", seed=seed, backbone=backbone or named, **given)
            if kept is None:
                self._describe(settings)
            self._read()
        except BaseException:
            self.file.close()
            raise

    @property
    def path(self) -> str:
        """Where the file is."""
        return self.file.path

    def _describe(self, settings: Settings) -> None:
        """Write what the learner is made of."""
        with self.file.transaction() as connection:
            state.set_meta(connection, "settings", asdict(settings))
            state.set_meta(connection, "seed", self.seed)
            state.set_meta(connection, "backbone", self._backbone())

    def _backbone(self) -> dict[str, Any]:
        """What the features are made by."""
        exact = cast(Exact, self._state.classifier)
        prior = hashlib.sha256(np.ascontiguousarray(exact.prior.projection).tobytes()).hexdigest()
        dtype = "float16" if exact.prior.known else "float32"
        return {"key": exact.backbone.key, "prior": prior, "dim": exact.prior.dim, "dtype": dtype}

    def _read(self) -> None:
        """Take up the state that the file holds."""
        with self.file.snapshot() as connection:
            made_by, ours = state.meta(connection, "backbone"), self._backbone()
            if made_by != ours:
                raise BadSetting(
                    f"{self.path} was learned with the features of {made_by['key']} and another prior than "
                    f"that of {ours['key']} here: use the version of ilap that made it, or learn anew."
                )
            self._dtype: str = made_by["dtype"]
            self._state = state.load(connection, self._state, self._dtype)
            self.names: dict[int, str] = dict(
                connection.execute("SELECT id, name FROM classes WHERE name IS NOT NULL")
            )

    @property
    def state(self) -> State:
        """All that is known now."""
        return self._state

    def close(self) -> None:
        """Let go of the file."""
        self.file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    # what the learner decides

    def _keep(self, exposure: Exposure, samples: Samples, steps: Sequence[Step]) -> None:
        before = replace(self._state, sizes=(*self._state.sizes, len(samples)))
        with self.file.transaction() as connection:
            rows.add_exposure(connection, exposure, samples, self._continues(exposure))
            for number, step in enumerate(steps):
                after, decision = step
                changes = moves(before, after, decision.exposure, fresh=number == 0)
                if lost := [c.exposure for c in changes if c.before >= 0 > c.after]:
                    after = self._given_up(after, lost)
                if changes:
                    self._write(connection, before, after, changes, decision, fresh=number == 0)
                else:
                    state.save(connection, before, after, [], 0, ILAP)
                before = after
        self._state = before

    def _write(
        self,
        connection: Any,
        before: State,
        after: State,
        changes: Sequence[Change],
        decision: Decision,
        fresh: bool,
    ) -> None:
        """A decision and what it changed."""
        told = decision.reason == TOLD_BY_A_PERSON
        kind = ("teach" if told else "learn") if fresh else "settle"
        by = PERSON if told else ILAP
        about = scores(decision)
        event = events.append(connection, by, kind, about, changes)
        connection.execute(
            "UPDATE exposures SET decision = ? WHERE number = ?", (json.dumps(about), decision.exposure)
        )
        if decision.class_id is not None:
            connection.executemany(
                "UPDATE pictures SET included = 0 WHERE exposure = ? AND place = ?",
                [(decision.exposure, place) for place in decision.strangers],
            )
        state.save(connection, before, after, changes, event, by)
        state.checkpoint_if_due(connection, cast(Exact, after.classifier).metric, event)

    def _continues(self, exposure: Exposure) -> int | None:
        """The earlier exposure of the same folder, if it has grown."""
        if exposure.folder is None:
            return None
        found = self.file.connection.execute(
            "SELECT number FROM exposures WHERE folder = ? ORDER BY number DESC LIMIT 1", (exposure.folder,)
        ).fetchone()
        return found[0] if found else None

    def _given_up(self, after: State, lost: Sequence[int]) -> State:
        """The exposures of a class that was given up wait to be asked about again."""
        exact = cast(Exact, after.classifier)
        samples = [self.samples_of(number) for number in lost]
        metric = exact.metric
        for own in samples:
            metric = metric.remove(residuals(own))
        return replace(after, classifier=replace(exact, metric=metric), waiting=(*after.waiting, *samples))

    # what a person says

    def rename(self, class_id: int, name: str) -> int:
        """Give a class a name."""
        corrections.known_class(self._state, class_id)
        return self._correct("rename", [], {"names": [[class_id, self.names.get(class_id), name]]})

    def merge(self, into: int, other: int) -> int:
        """Two classes are one."""
        changes = corrections.merge(self._state, into, other)
        names = []
        if into not in self.names and other in self.names:
            names = [[into, None, self.names[other]]]
        return self._correct("merge", changes, {"into": into, "other": other, "names": names})

    def split(self, exposures: Sequence[int], name: str | None = None) -> int:
        """Exposures of one class are a class of their own; gives its id."""
        founded = self._state.founded
        names = [[founded, None, name]] if name else []
        self._correct("split", corrections.split(self._state, exposures), {"founds": founded, "names": names})
        return founded

    def move(self, exposure: int, class_id: int | None) -> int:
        """An exposure belongs to a class, or where None is given to one of its own; gives its id. This also
        settles what is unsure, takes up what was discarded, and confirms what is right already."""
        target = self._state.founded if class_id is None else corrections.known_class(self._state, class_id)
        change = Change(exposure, self.place_of(exposure), target)
        about = {"founds": target} if class_id is None else {}
        self._correct("confirm" if change.before == target else "move", [change], about)
        return target

    def discard(self, exposures: Sequence[int]) -> int:
        """Exposures that are of no use: nothing is learned from them any more."""
        changes = [Change(number, self.place_of(number), DISCARDED) for number in sorted(set(exposures))]
        return self._correct("discard", [c for c in changes if c.before != DISCARDED], {})

    def undo(self, event: int | None = None, with_later: bool = False) -> list[int]:
        """Take back an event: the last correction, or the one of this number, be it a correction or something
        that was learned. Later events that moved the same exposures have to go first; ``with_later`` takes
        them back too. Gives the events that were taken back."""
        gone = events.to_undo(self.history(), event, with_later)
        for one in gone:
            names = [[k, new, old] for k, old, new in one.about.get("names", ())]
            named = [change.exposure for change in one.changes]
            self._correct("undo", corrections.inverse(one), {"event": one.id, "names": names}, named)
        return [one.id for one in gone]

    def _correct(
        self, kind: str, changes: Sequence[Change], about: Mapping[str, Any], named: Sequence[int] = ()
    ) -> int:
        """Apply a correction to the state and to the file; gives the event's number. ``named`` are exposures of
        which it speaks without moving them."""
        before = self._state
        after = corrections.applied(before, changes, self.samples_of, self._traits_of)
        names = dict(self.names)
        with self.file.transaction() as connection:
            event = events.append(connection, PERSON, kind, about, changes)
            state.save(connection, before, after, changes, event, PERSON)
            for class_id, _, name in about.get("names", ()):
                connection.execute("UPDATE classes SET name = ? WHERE id = ?", (name, class_id))
                names.pop(class_id, None)
                if name is not None:
                    names[class_id] = name
            after = self._fixed(connection, after, {*named, *(change.exposure for change in changes)})
            state.checkpoint_if_due(connection, cast(Exact, after.classifier).metric, event)
        self._state, self.names = after, names
        return event

    def _fixed(self, connection: Any, after: State, named: Collection[int]) -> State:
        """Whose word holds for some exposures, in the file and in the classifier."""
        if not named:
            return after
        deciders = events.deciders(events.read(connection))
        exact = cast(Exact, after.classifier)
        for number in named:
            by = deciders.get(number, ILAP)
            connection.execute("UPDATE exposures SET decided_by = ? WHERE number = ?", (by, number))
            exact = exact.fix([number], by == PERSON and number in exact.exposures)
        return replace(after, classifier=exact)

    # what the file tells

    def samples_of(self, number: int) -> Samples:
        """An exposure as it was learned."""
        return rows.samples(self.file.connection, number, self._dtype)

    def _traits_of(self, number: int) -> Any:
        found = self.file.connection.execute(
            "SELECT traits FROM exposures WHERE number = ?", (number,)
        ).fetchone()
        return rows.traits_of(found[0]) if found and found[0] else None

    def place_of(self, number: int) -> int:
        """Where an exposure is: the id of its class, or UNSURE, DISCARDED or NOWHERE (store/events.py)."""
        found = self.file.connection.execute(
            "SELECT place FROM exposures WHERE number = ?", (number,)
        ).fetchone()
        if not found:
            raise BadCorrection(f"There is no exposure {number}: ilap show lists those there are.")
        place: int = found[0]
        return place

    def name_of(self, class_id: int) -> str:
        """A class's name, or one made of its id."""
        return class_name(class_id, self.names)

    @property
    def waiting(self) -> tuple[int, ...]:
        """The exposures that are unsure, those first that are asked about next."""
        return tuple(samples.number for samples in self._state.waiting)

    def name_of_exposure(self, number: int) -> str:
        """What an exposure is called: its folder, mostly."""
        asked = "SELECT name FROM exposures WHERE number = ?"
        found = self.file.connection.execute(asked, (number,)).fetchone()
        return str(found[0]) if found else f"exposure {number}"

    def history(self) -> list[Event]:
        """All that was decided, in order."""
        return events.read(self.file.connection)
