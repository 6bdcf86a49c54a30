"""The learner: unlabelled exposures in, classes out, and what a person says of them.

It decides by the loop (step.py), and keeps what it saw and decided in a store (store.py): in memory, or in a
file (keep/learner.py). Whatever it is asked to do is one transaction of the store; when that is written, and
not before, the state after it is the learner's own.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ilap.backbones.contract import Backbone
from ilap.core.classifier import correctable
from ilap.core.decision import Decider, Decision
from ilap.core.errors import BadCorrection, BadSetting, NothingLearned
from ilap.core.exposure import Exposure, Picture, Samples, as_exposure, check
from ilap.core.settings import Settings, resolve
from ilap.detect.contract import Finding
from ilap.exact.batches import batches
from ilap.exact.contradictions import asked_again
from ilap.exact.exact import Exact
from ilap.exact.questions import Question, Scene, ask, scene_of, which
from ilap.learner import adapting, answers, corrections, log, notebook, proposals
from ilap.learner import audit as audits
from ilap.learner.adapting import Adaptation, PicturesOf, Watch
from ilap.learner.answers import AnswerEffect
from ilap.learner.audit import Audit, Place
from ilap.learner.corrections import Correction
from ilap.learner.log import ILAP, PERSON, Event
from ilap.learner.naming import KnownClass, Prediction, class_name, known_classes, predict, with_groups
from ilap.learner.proposals import Accepted, ProposalKind
from ilap.learner.state import State
from ilap.learner.step import Loop, Step, answer_of, begin, samples_of
from ilap.learner.store import Entry, InMemory, Store, of_step
from ilap.learner.tentative import Regrouped, around, changed, groups, places, regrouped

if TYPE_CHECKING:
    from ilap.network.adapt import Recipe


@dataclass(frozen=True)
class Answered:
    """What came of a person's answer: its event, what it did, what the person decided by it, and what is sure
    now of exposures like these."""

    event: Event
    effect: AnswerEffect
    decided: tuple[Decision, ...]
    settled: tuple[Decision, ...]


class Learner:
    """Sorts exposures into classes that nobody named, and names single pictures.

    ``state`` is all that it knows, as one value; ``names`` are those that people gave to classes. Whatever
    fails or interrupts it, both are as before.
    """

    def __init__(
        self, preset: str = "fast", *, seed: int = 0, backbone: str | Backbone | None = None, **changes: Any
    ) -> None:
        """Settings are those of the preset, with changes (core/settings.py). A backbone may be a name or an
        object that keeps the contract."""
        if isinstance(backbone, str):
            changes["backbone"], backbone = backbone, None
        settings = resolve(preset, changes)
        loop, state = begin(settings, seed, backbone)
        self._begin(settings, seed, loop, state, InMemory(correctable(state.classifier)))

    def _begin(self, settings: Settings, seed: int, loop: Loop, state: State, store: Store) -> None:
        """What it decides by, what it knows, and where that is kept."""
        self.settings, self.seed, self.loop, self.store = settings, seed, loop, store
        self.state, self.names = state, store.names()

    def __repr__(self) -> str:
        """In a few words."""
        return f"{type(self).__name__}({notebook.summary(self.state)})"

    def _repr_html_(self) -> str:
        """Its classes with pictures, for a notebook."""
        exposures_of = {**self.state.members, **self.groups}
        return notebook.page(repr(self), self.state, exposures_of, self.name_of, self.store.thumbnails)

    # what the learner decides

    def observe(self, exposure: Exposure | Sequence[Picture]) -> Decision:
        """Decide what an exposure shows and learn from it. An exposure that stays unsure waits; whenever
        something was learned, those that have waited longest are asked about again."""
        started = time.perf_counter()
        exposure = as_exposure(exposure)
        samples = samples_of(self.state, exposure)
        done = self.loop.step(self.state, samples, self.store.samples_of)
        self._record(exposure, samples, done)
        return self._told(answer_of(exposure, done, time.perf_counter() - started))

    def teach(self, exposure: Exposure | Sequence[Picture], class_id: int | None = None) -> Decision:
        """Learn an exposure that somebody knows: as the class of this id, or as a new class. Nothing is
        detected, so there is no score, and no class is given up."""
        started = time.perf_counter()
        exposure = as_exposure(exposure)
        samples = samples_of(self.state, exposure)
        done = self.loop.teach(self.state, samples, class_id)
        self._record(exposure, samples, done)
        return self._told(answer_of(exposure, done, time.perf_counter() - started))

    def _told(self, decision: Decision) -> Decision:
        """A decision with the way to its exposure's pictures."""
        return decision.shown_with(partial(self.store.thumbnails, decision.exposure))

    def _record(self, exposure: Exposure, samples: Samples, done: Sequence[Step]) -> None:
        """Write an exposure and the steps that came of it."""
        now = self.state.arrived(samples)
        with self.store.transaction():
            self.store.add(exposure, samples, self.rule)
            for number, step in enumerate(done):
                self.store.write(of_step(now, step, fresh=number == 0), now, step.state)
                now = step.state
        self.state = now

    def ask_again(self, changed: Collection[int] | None = None) -> list[Decision]:
        """Ask about all that is unsure again, or about what is near exposures that ``changed`` since it was
        asked about last; gives the answers that are sure now. Where every question is a training, none is
        asked."""
        if not correctable(self.state.classifier):
            return []
        done = self.loop.ask_again(self.state, self.store.samples_of, changed)
        with self.store.transaction():
            now = self._settle(self.state, done)
        self.state = now
        return sure(done)

    def _settle(self, now: State, done: Sequence[Step], answer: int | None = None) -> State:
        """Write what was asked about again, perhaps after an answer."""
        for step in done:
            self.store.write(of_step(now, step, False, answer), now, step.state)
            now = step.state
        return now

    def regroup(self, by: Decider = "person") -> Regrouped:
        """Look at everything again: all tentative places are inferred at once, instead of in the order of
        arrival. What is sure stays as it is. One event, which undo takes back; none where nothing changes.
        ``by`` says who asked for it."""
        with self.store.transaction():
            now, found = self._regroup(self.state, by)
        self.state = now
        return found

    def _regroup(
        self, now: State, by: Decider, answer: int | None = None, among: Collection[int] | None = None
    ) -> tuple[State, Regrouped]:
        """The same, or of some exposures; ``answer`` is the event that it follows from."""
        after = regrouped(now, among)
        found = changed(now.tentative, after)
        if not found.moved:
            return now, found
        about = {} if answer is None else {"after": answer}
        return after, replace(found, event=self.store.write(Entry(by, "regroup", about), now, after))

    def detect(self, exposure: Exposure | Sequence[Picture]) -> Finding:
        """What the detector finds in an exposure now; nothing is learned."""
        now = self.state
        samples = samples_of(now, as_exposure(exposure))
        return self.loop.detector(now.classifier, samples, now.memory, self.loop.seed_of(now))

    # what a person says

    def rename(self, class_id: int, name: str) -> int:
        """Give a class a name (learner/names.py says which it may have); gives the event's number."""
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
        self.correct(corrections.split(self.state, self.names, numbers, name, self.place_of))
        return founded

    def move(self, number: int, class_id: int | None) -> int:
        """An exposure belongs to a class, or where None is given to one of its own; gives its id."""
        correction = corrections.move(self.state, [number], class_id, self.place_of)
        self.correct(correction)
        return correction.changes[0].after

    def discard(self, numbers: Sequence[int]) -> int:
        """Exposures are of no use; gives the event's number."""
        return self.correct(corrections.discard(numbers, self.place_of))

    def undo(self, event: int | None = None, with_later: bool = False) -> list[int]:
        """Take back an event: the last correction, or the one of this number, be it a correction or something
        that was learned. Later events that moved the same exposures have to go first; ``with_later`` takes
        them back too. Gives the events that were taken back."""
        return self._take_back(log.to_undo(self.history(), event, with_later))

    def redo(self) -> list[int]:
        """Carry out again what the last undo took back, unless a person has said something since. It undoes
        the events of that undo, and gives the events that are in force again."""
        gone = log.to_redo(self.history())
        self._take_back(gone)
        return sorted(int(one.about["event"]) for one in gone)

    def _take_back(self, gone: Sequence[Event]) -> list[int]:
        """Undo events in this order; the last of them is the one that was meant."""
        now = self.state
        with self.store.transaction():
            for one in gone:
                now, _ = self._correct(now, corrections.inverse(one, of=gone[-1].id))
            now = replace(now, adapted=self.store.network(log.adapted_by(self.history())))
            names = self.store.names()
        self.state, self.names = now, names
        return [one.id for one in gone]

    def correct(self, correction: Correction) -> int:
        """Carry out a correction; gives the event's number."""
        with self.store.transaction():
            now, event = self._correct(self.state, correction)
            names = self.store.names()
        self.state, self.names = now, names
        return event

    def _correct(self, before: State, correction: Correction) -> tuple[State, int]:
        """The state after a correction, which is written; and the event's number."""
        changes = correction.changes
        after = corrections.applied(before, changes, self.store, correction.tentative)
        about = {**correction.about, "names": [list(one) for one in correction.names]}
        if correction.decisions:
            about["decisions"] = {str(n): self.store.decision_of(n) for n in correction.decisions}
        entry = Entry(PERSON, correction.kind, about, changes, correction.decisions, names=correction.names)
        event = self.store.write(entry, before, after)
        return self._said(after, {*correction.spoken_of, *(change.exposure for change in changes)}), event

    def _said(self, after: State, spoken_of: Collection[int]) -> State:
        """What people said, in the store and in the classifier: whose word holds for some exposures, and all
        answers."""
        events = self.store.said_of(spoken_of)
        deciders, exact = log.deciders(events), after.exact.hear(log.answers_of(events))
        for number in spoken_of:
            by = deciders.get(number, ILAP)
            self.store.set_decider(number, by)
            exact = exact.fix([number], by == PERSON and number in exact.model.exposures)
        return replace(after, classifier=exact)

    # features that learn

    def adapt(
        self,
        minutes: float | None = None,
        pictures_of: PicturesOf | None = None,
        recipe: Recipe | None = None,
        watch: Watch = lambda done, steps: None,
        checkpoint: Path | None = None,
    ) -> Adaptation:
        """Train a network on the classes as they are now, and keep it if it names held-out pictures better than
        the frozen features alone (learner/adapting.py). A learner in memory keeps no pictures: ``pictures_of``
        gives those of an exposure by their places. One event, which undo takes back; none where it is
        refused."""
        if pictures_of is None:
            raise BadSetting(
                "A learner in memory keeps no pictures: give them by pictures_of, or keep it in a file."
            )
        found = adapting.adapt(
            *(self.state, self.store.samples_of, pictures_of, recipe, self.seed, minutes, watch, checkpoint)
        )
        if found.kept:
            now = replace(self.state, adapted=found.network)
            with self.store.transaction():
                self.store.write(Entry(PERSON, "adapt", found.plain(), network=found.network), self.state, now)
            self.state = now
        return found

    # questions to a person

    def ask(self, count: int = 5, bulk: bool = False, scene: Scene | None = None) -> list[Question]:
        """The questions to a person whose answers would help most for each key, the best first
        (exact/questions.py), those among them that answers contradict; in ``bulk`` with exposures that are
        confirmed together (exact/batches.py). Who asks more than once may give the ``scene``."""
        if self.state.is_empty:
            return []
        scene = scene or self.scene()
        more = [*asked_again(scene, self.exact.model.told), *(batches(scene, self.names) if bulk else ())]
        return ask(scene, count, more)

    def question(self, exposure: int) -> Question | None:
        """What to ask a person about this exposure; None where there is nothing to compare it with."""
        return which(self.scene((exposure,)), exposure)

    def answer(self, question: Question | str, key: str) -> Answered:
        """A person answers: one of the exposures shown (1 to 5), new, same, different, or cannot tell
        (learner/answers.py). Exposures like these are asked about again, and what stays unsure is regrouped."""
        asked = answers.question_of(question) if isinstance(question, str) else question
        about = (asked.exposure, *asked.shown)
        word, scene = answers.key_of(asked, key), self.scene(about)
        effect = answers.effect(self.state, scene, asked, word)
        correction = corrections.answer(
            self.names, asked.id, word, effect, self.place_of, self.store.decision_of
        )
        with self.store.transaction():
            heard, event = self._correct(self.state, correction)
            looked = answers.nearest(scene, heard, about) if effect.moves else []
            done = self.loop.look_again(heard, self.store.samples_of, looked)
            now, _ = self._regroup(self._settle(heard, done, event), "ilap", event, around(heard, about))
            names = self.store.names()
        self.state, self.names = now, names
        decided = tuple(answers.decisions(heard, effect))
        return Answered(self.history(event - 1)[0], effect, decided, tuple(sure(done)))

    def same(self, one: int, other: int) -> Answered:
        """Two exposures show the same thing: the answer to a question that was not asked."""
        return self.answer(Question("same", one, (other,)), answers.SAME)

    def different(self, one: int, other: int) -> Answered:
        """Two exposures show different things."""
        return self.answer(Question("same", one, (other,)), answers.DIFFERENT)

    def accept(self, kind: ProposalKind | None = None, above: float = 0.99) -> Accepted:
        """Take all proposals of one kind that are at least this likely, as one event (learner/proposals.py
        says which kinds there are)."""
        if not 0.5 < above <= 1:
            raise BadCorrection(
                f"Only what is likely can be accepted, not {above:g}: say more than 0.5, up to 1."
            )
        told_apart = log.apart(self.history()) | self.exact.model.classes_apart
        found = list(proposals.proposals(self.state, self.store.decision_of, told_apart, above))
        chosen = proposals.of_one_kind(found, kind)
        if not chosen:
            return Accepted(kind)
        correction = proposals.accept(self.state, self.names, chosen, told_apart, above)
        event = self.correct(correction)
        moved = {change.exposure for change in correction.changes if change.before != change.after}
        done = tuple(own for own in chosen if moved.issuperset(own.exposures))
        return Accepted(chosen[0].kind, event, done, correction.changes)

    # an audit by a person

    def audit(
        self,
        number: int = 20,
        seed: int = 0,
        answers: Mapping[int, str] | None = None,
        belongs: Mapping[int, Place] | None = None,
    ) -> Audit:
        """Let a person judge sure decisions (learner/audit.py). Without ``answers`` so many are drawn that were
        never audited, unless the last draw of this size and seed is not answered yet. With them each exposure
        of the last draw is *right*, *wrong* or *cannot* (nobody can tell), all in one transaction. One that is
        wrong ``belongs`` to a class, to one of its own (None), or is unsure, where nothing is said."""
        decision_of = self.store.decision_of
        if answers is None:
            self._draw(number, seed)
        else:
            with self.store.transaction():
                now = self.state
                for exposure, verdict in answers.items():
                    found = audits.to_judge(now, self.history(), decision_of)
                    place = (belongs or {}).get(exposure, "unsure")
                    own = audits.decision_meant(found, exposure, verdict, place)
                    said = audits.answered(now, found, own, verdict, place, decision_of(exposure))
                    now, _ = self._correct(now, said)
            self.state = now
        return audits.to_judge(self.state, self.history(), decision_of)

    def _draw(self, number: int, seed: int) -> None:
        """Draw decisions for an audit, unless there is one like it that is not answered yet."""
        log, decision_of = self.history(), self.store.decision_of
        last = audits.last_draw(log)
        like_it = last and (last.about["number"], last.about["seed"]) == (number, seed)
        if like_it and audits.to_judge(self.state, log, decision_of).sample:
            return
        about = audits.draw(self.state, log, decision_of, number, seed, self.settings.risk)
        if about is not None:
            with self.store.transaction():
                self.store.write(Entry(ILAP, "audit", about), self.state, self.state)

    def scene(self, about: Sequence[int] = ()) -> Scene:
        """What questions are made of."""
        if self.state.is_empty:
            raise NothingLearned(
                "Nothing was learned yet, so there is nothing to ask: show it exposures first."
            )
        return scene_of(self.exact.model, self.places, about)

    # what it knows

    def predict(self, pictures: Sequence[Picture], tentative: bool = True) -> Prediction:
        """Name single pictures, as classes or, unless they are not wanted, as ``tentative`` groups."""
        return self.predict_samples(self.samples(pictures), tentative, self.logits(pictures))

    def samples(self, pictures: Sequence[Picture]) -> NDArray[Any]:
        """What the learner sees of pictures, for those that are to be named again and again. It stays valid
        while the learner learns."""
        return self.state.classifier.samples(check(pictures))

    def logits(self, pictures: Sequence[Picture]) -> NDArray[np.float64] | None:
        """What the adapted network says of pictures, where there is one. It stays valid until another one is
        adapted."""
        return None if self.state.adapted is None else self.state.adapted.logits(pictures)

    def predict_samples(
        self, samples: NDArray[Any], tentative: bool = True, logits: NDArray[np.float64] | None = None
    ) -> Prediction:
        """Name pictures by what the learner, and where there is one its adapted network, sees of them."""
        return predict(self.state, samples, tentative, logits)

    @property
    def classes(self) -> dict[int, KnownClass]:
        """The classes known now, by their ids."""
        small = partial(partial, notebook.some_of, self.store.thumbnails)
        return {
            k: replace(own, thumbnails=small(own.exposures)) for k, own in known_classes(self.state).items()
        }

    @property
    def places(self) -> dict[int, int]:
        """Where every exposure most likely belongs, as it was placed last: its class where that is sure, else
        the class that it is likeliest of, or a tentative group."""
        return places(self.state)

    @property
    def groups(self) -> dict[int, tuple[int, ...]]:
        """The tentative groups: exposures that are unsure and likely one thing, by ids that last."""
        return groups(self.state)

    @property
    def exact(self) -> Exact:
        """The classifier, if it can move what it learned."""
        return self.state.exact

    @property
    def naming(self) -> Exact:
        """The classifier as if tentative groups were classes, to name pictures with."""
        return replace(self.state, classifier=with_groups(self.state)).exact

    @property
    def rule(self) -> str:
        """By what it decides: the rule and, where there is one, the calibration, each with its version and
        hash."""
        classifier = self.state.classifier
        fitted = f"/{classifier.calibration.name}" if isinstance(classifier, Exact) else ""
        return f"{self.loop.rule.name}{fitted}"

    @property
    def waiting(self) -> tuple[int, ...]:
        """The exposures that are unsure, those first that are asked about next."""
        return tuple(samples.number for samples in self.state.waiting)

    def size_of(self, exposure: int) -> int:
        """How many pictures an exposure had."""
        return self.state.sizes[exposure]

    def place_of(self, number: int) -> int:
        """Where an exposure is: the id of its class, or UNSURE, DISCARDED or NOWHERE (log.py)."""
        return self.store.place_of(number)

    def name_of(self, class_id: int) -> str:
        """The name of a class or of a tentative group, or one made of its id."""
        tentative = class_id not in self.state.members and class_id in self.state.tentative.values()
        return class_name(class_id, self.names, tentative)

    def history(self, after: int = 0) -> list[Event]:
        """All that was decided after an event, in order."""
        return self.store.history(after)


def sure(done: Sequence[Step]) -> list[Decision]:
    """What is sure now of exposures that were asked about again."""
    return [step.decision for step in done if step.decision.kind != "unsure"]
