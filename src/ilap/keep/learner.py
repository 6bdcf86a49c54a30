"""A learner in a file: it decides as any other, writes down what it decided, and can be corrected.

Everything that it does is one transaction: the exposure with its pictures' features, the steps that came of it
and what they changed. So whenever the process is killed, the file holds all of an exposure or nothing of it.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from ilap.backbones.contract import Backbone
from ilap.core.decision import Decider, Decision
from ilap.core.errors import BadSetting
from ilap.core.exposure import Exposure, Picture, Samples, as_exposure, check
from ilap.core.settings import Settings, resolve, restored
from ilap.detect.contract import Finding
from ilap.exact.exact import Exact
from ilap.exact.questions import Question, ask
from ilap.exact.statistics import Traits
from ilap.keep import corrections
from ilap.keep.corrections import Correction
from ilap.keep.store import events, exposures, state, steps, told, view
from ilap.keep.store.events import ILAP, PERSON, Event
from ilap.keep.store.file import LearnerFile
from ilap.learner import answers
from ilap.learner.answers import Effect
from ilap.learner.naming import KnownClass, Prediction, known_classes, predict, with_groups
from ilap.learner.state import State
from ilap.learner.step import Step, answer_of, begin, samples_of
from ilap.learner.tentative import Regrouped, changed, groups, places, regrouped


class LearnerInFile:
    """The learner. ``ilap.open_learner`` makes one. ``state`` is all that it knows, ``names`` are the names
    that people gave to classes."""

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
            self.settings = resolve(preset, changes) if kept is None else restored(kept, changes, self.path)
            if self.settings.classifier.name != "exact":
                raise BadSetting(
                    f"A learner in a file needs the classifier exact, not {self.settings.classifier.name}: "
                    f"take fast."
                )
            self.seed = seed if kept is None else kept_seed
            self.loop, empty = begin(self.settings, self.seed, backbone)
            features = features_of(state.exact_of(empty))
            if kept is None:
                self._describe(self.settings, features)
            self._read(empty, features)
        except BaseException:
            self.file.close()
            raise

    @property
    def path(self) -> str:
        """Where the file is."""
        return self.file.path

    def _describe(self, settings: Settings, features: dict[str, Any]) -> None:
        """Write what the learner is made of."""
        with self.file.transaction() as connection:
            state.set_meta(connection, "settings", settings.plain())
            state.set_meta(connection, "seed", self.seed)
            state.set_meta(connection, "backbone", features)

    def _read(self, empty: State, features: dict[str, Any]) -> None:
        """Take up the state that the file holds."""
        with self.file.snapshot() as connection:
            made_by = state.meta(connection, "backbone")
            if made_by != features:
                raise BadSetting(
                    f"{self.path} was learned with the features of {made_by['key']} and another prior than "
                    f"that of {features['key']} here: use the version of ilap that made it, or learn anew."
                )
            self._dtype: str = made_by["dtype"]
            self._empty = empty
            self.state = state.load(connection, empty, self._dtype)
            self.names = state.names(connection)

    def reload(self) -> None:
        """Take up the state that the file holds, as opening it would."""
        with self.file.snapshot() as connection:
            self.state = state.load(connection, self._empty, self._dtype)

    def close(self) -> None:
        """Let go of the file."""
        self.file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    # what the learner decides

    def observe(self, exposure: Exposure | Sequence[Picture]) -> Decision:
        """Decide what an exposure shows and learn from it (learner/step.py)."""
        started = time.perf_counter()
        exposure = as_exposure(exposure)
        samples = samples_of(self.state, exposure)
        done = self.loop.step(self.state, samples, self.samples_of)
        self._record(exposure, samples, done)
        return answer_of(exposure, done, time.perf_counter() - started)

    def ask_again(self) -> list[Decision]:
        """Ask about all that is unsure again; gives the answers that are sure now."""
        return self._settle(self.loop.ask_again(self.state, self.samples_of))

    def _settle(self, done: Sequence[Step], answer: int | None = None) -> list[Decision]:
        """Write what was asked about again, perhaps after an answer; gives what is sure now."""
        before = self.state
        with self.file.transaction() as connection:
            for step in done:
                steps.write(connection, before, step, False, answer)
                before = step.state
        self.state = before
        return [step.decision for step in done if step.decision.kind != "unsure"]

    def regroup(self, by: Decider = "person", answer: int | None = None) -> Regrouped:
        """Look at everything again: all tentative places are inferred at once. What is sure stays as it is.
        One event, which undo takes back; none where nothing changes. ``by`` says who asked for it,
        ``answer`` the event that it follows from."""
        before, after = self.state, regrouped(self.state)
        found = changed(before.tentative, after)
        if not found.moved:
            return found
        with self.file.transaction() as connection:
            moved = state.placements(before, after)
            about = {} if answer is None else {"after": answer}
            event = events.append(connection, by, "regroup", about, (), moved)
            state.save(connection, before, after, (), event, by)
        self.state = after
        return replace(found, event=event)

    def teach(self, exposure: Exposure | Sequence[Picture], class_id: int | None = None) -> Decision:
        """Learn an exposure that somebody knows: as the class of this id, or as a new class."""
        started = time.perf_counter()
        exposure = as_exposure(exposure)
        samples = samples_of(self.state, exposure)
        done = self.loop.teach(self.state, samples, class_id)
        self._record(exposure, samples, done)
        return answer_of(exposure, done, time.perf_counter() - started)

    @property
    def rule(self) -> str:
        """By what it decides: the rule and the calibration, each with its version and hash."""
        return f"{self.loop.rule.name}/{self.exact.calibration.name}"

    def _record(self, exposure: Exposure, samples: Samples, done: Sequence[Step]) -> None:
        """Write an exposure and the steps that came of it, then make the last state ours."""
        before = self.state.arrived(samples)
        with self.file.transaction() as connection:
            state.note_rule(connection, self.rule)
            exposures.add(connection, exposure, samples)
            for number, step in enumerate(done):
                steps.write(connection, before, step, fresh=number == 0)
                before = step.state
        self.state = before

    def detect(self, exposure: Exposure | Sequence[Picture]) -> Finding:
        """What the detector finds in an exposure now; nothing is learned."""
        now = self.state
        samples = samples_of(now, as_exposure(exposure))
        return self.loop.detector(now.classifier, samples, now.memory, self.loop.seed_of(now))

    # what a person says

    def rename(self, class_id: int, name: str) -> int:
        """Give a class a name; gives the event's number."""
        return self.correct(corrections.rename(self.state, self.names, class_id, name))

    def merge(self, into: int, other: int) -> int:
        """Two classes are one; gives the event's number."""
        return self.correct(corrections.merge(self.state, self.names, into, other))

    def confirm(self, place: int) -> int:
        """All exposures of a tentative group are one class, which keeps the group's id; gives the event's
        number."""
        return self.correct(corrections.confirm(self.state, place))

    def split(self, numbers: Sequence[int], name: str | None = None) -> int:
        """Exposures of one class are a class of their own; gives its id."""
        founded = self.state.founded
        self.correct(corrections.split(self.state, numbers, name, self.place_of))
        return founded

    def move(self, number: int, class_id: int | None) -> int:
        """An exposure belongs to a class, or where None is given to one of its own; gives its id."""
        correction = corrections.move(self.state, number, class_id, self.place_of)
        self.correct(correction)
        return correction.changes[0].after

    def discard(self, numbers: Sequence[int]) -> int:
        """Exposures are of no use; gives the event's number."""
        return self.correct(corrections.discard(numbers, self.place_of))

    def ask(self, count: int = 5) -> list[Question]:
        """The questions to a person whose answers would help most, the best first (exact/questions.py)."""
        return ask(answers.scene_of(self.exact, self.places), count)

    def answer(self, question: Question | str, key: str) -> tuple[Event, Effect, list[Decision]]:
        """A person answers: one of the exposures shown (1 to 5), new, same, different, or cannot tell. Gives
        the event, what it did, and what was decided of exposures like these that are sure now."""
        asked = answers.question_of(question) if isinstance(question, str) else question
        word, scene = answers.key_of(asked, key), answers.scene_of(self.exact, self.places)
        done = answers.effect(self.state, scene, asked, word)
        event = self.correct(corrections.answer(self.names, asked.id, word, done, self.place_of))
        looked = answers.nearest(scene, self.state, (asked.exposure, *asked.shown)) if done.moves else []
        settled = self._settle(self.loop.look_again(self.state, self.samples_of, looked), event)
        self.regroup("ilap", event)
        (written,) = events.read(self.file.connection, event - 1)[:1]
        return written, done, settled

    def undo(self, event: int | None = None, with_later: bool = False) -> list[int]:
        """Take back an event: the last correction, or the one of this number, be it a correction or something
        that was learned. Later events that moved the same exposures have to go first; ``with_later`` takes
        them back too. Gives the events that were taken back."""
        gone = events.to_undo(self.history(), event, with_later)
        for one in gone:
            self.correct(corrections.inverse(one))
        return [one.id for one in gone]

    def correct(self, correction: Correction) -> int:
        """Apply a correction to the state and to the file; gives the event's number."""
        changes, before = correction.changes, self.state
        after = corrections.applied(before, changes, self, correction.tentative)
        names = dict(self.names)
        about = {**correction.about, "names": [list(one) for one in correction.names]}
        with self.file.transaction() as connection:
            if correction.decisions:
                former = {str(n): state.decision_of(connection, n) for n in correction.decisions}
                about["decisions"] = former
                state.set_decisions(connection, correction.decisions)
            moved = state.placements(before, after)
            event = events.append(connection, PERSON, correction.kind, about, changes, moved)
            state.save(connection, before, after, changes, event, PERSON)
            for class_id, _, name in correction.names:
                state.set_name(connection, class_id, name)
                names.pop(class_id, None)
                if name is not None:
                    names[class_id] = name
            spoken_of = {*correction.spoken_of, *(change.exposure for change in changes)}
            after = self._said(connection, after, spoken_of)
            state.checkpoint_if_due(connection, after, event)
        self.state, self.names = after, names
        return event

    def _said(self, connection: Any, after: State, spoken_of: Collection[int]) -> State:
        """What people said, in the file and in the classifier: whose word holds for some exposures, and all
        answers."""
        log = events.read(connection)
        deciders, exact = events.deciders(log), state.exact_of(after).hear(told.of_log(log))
        for number in spoken_of:
            by = deciders.get(number, ILAP)
            state.set_decider(connection, number, by)
            exact = exact.fix([number], by == PERSON and number in exact.model.exposures)
        return replace(after, classifier=exact)

    # what it knows

    def predict(self, pictures: Sequence[Picture]) -> Prediction:
        """Name single pictures."""
        return self.predict_samples(self.samples(pictures))

    def samples(self, pictures: Sequence[Picture]) -> NDArray[Any]:
        """What the learner sees of pictures; it stays valid while the learner learns."""
        return self.state.classifier.samples(check(pictures))

    def predict_samples(self, samples: NDArray[Any], tentative: bool = True) -> Prediction:
        """Name pictures by what the learner sees of them, as classes or, unless they are not wanted, as
        ``tentative`` groups."""
        return predict(self.state, samples, tentative)

    @property
    def classes(self) -> dict[int, KnownClass]:
        """The classes known now, by their ids."""
        return known_classes(self.state)

    @property
    def places(self) -> dict[int, int]:
        """Where every exposure most likely belongs: its class where that is sure, else the class that it is
        likeliest of, or a tentative group."""
        return places(self.state)

    @property
    def groups(self) -> dict[int, tuple[int, ...]]:
        """The tentative groups: exposures that are unsure and likely one thing, by ids that last."""
        return groups(self.state)

    @property
    def exact(self) -> Exact:
        """The classifier."""
        return state.exact_of(self.state)

    @property
    def naming(self) -> Exact:
        """The classifier as if tentative groups were classes, to name pictures with."""
        return state.exact_of(replace(self.state, classifier=with_groups(self.state)))

    @property
    def waiting(self) -> tuple[int, ...]:
        """The exposures that are unsure, those first that are asked about next."""
        return tuple(samples.number for samples in self.state.waiting)

    def size_of(self, number: int) -> int:
        """How many pictures an exposure had."""
        return self.state.sizes[number]

    def samples_of(self, number: int, whole: bool = False) -> Samples:
        """An exposure as it was learned, or ``whole``, with the pictures that were left out."""
        return exposures.samples(self.file.connection, number, self._dtype, whole)

    def traits_of(self, number: int) -> Traits | None:
        """What an exposure told of the stream."""
        return exposures.traits(self.file.connection, number)

    def place_of(self, number: int) -> int:
        """Where an exposure is: the id of its class, or UNSURE, DISCARDED or NOWHERE (store/events.py)."""
        return exposures.place_of(self.file.connection, number)

    def name_of(self, class_id: int) -> str:
        """The name of a class or of a tentative group, or one made of its id."""
        tentative = class_id not in self.state.members and class_id in self.state.tentative.values()
        return view.class_name(class_id, self.names, tentative)

    def name_of_exposure(self, number: int) -> str:
        """What an exposure is called: its folder, mostly."""
        return exposures.name_of(self.file.connection, number)

    def history(self) -> list[Event]:
        """All that was decided, in order."""
        return events.read(self.file.connection)


def features_of(exact: Exact) -> dict[str, Any]:
    """What the features are made by."""
    prior = exact.model.prior
    digest = hashlib.sha256(np.ascontiguousarray(prior.projection).tobytes()).hexdigest()
    return {
        "key": exact.backbone.key,
        "prior": digest,
        "dim": prior.dim,
        "dtype": np.dtype(prior.dtype).name,
    }
