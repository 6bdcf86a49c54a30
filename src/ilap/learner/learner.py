"""A learner in memory: unlabelled exposures in, classes out."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from numpy.typing import NDArray

from ilap.backbones.contract import Backbone
from ilap.core.classifier import correctable
from ilap.core.decision import Decision
from ilap.core.errors import BadCorrection
from ilap.core.exposure import Exposure, Picture, Samples, as_exposure, check
from ilap.core.settings import resolve
from ilap.detect.contract import Finding
from ilap.exact.exact import Exact
from ilap.exact.questions import Question, ask, which
from ilap.exact.scene import Scene
from ilap.learner import answers
from ilap.learner.moves import moved
from ilap.learner.naming import KnownClass, Prediction, known_classes, predict
from ilap.learner.step import Step, answer_of, begin, samples_of
from ilap.learner.tentative import Regrouped, changed, groups, places, regrouped


class Learner:
    """Sorts exposures into classes that nobody named, and names single pictures.

    ``state`` is all that it knows, as one value. Whatever fails or interrupts it, the state is the one before.
    """

    def __init__(
        self, preset: str = "fast", *, seed: int = 0, backbone: str | Backbone | None = None, **changes: Any
    ) -> None:
        """Settings are those of the preset, with changes (core/settings.py). A backbone may be a name or an
        object that keeps the contract."""
        if isinstance(backbone, str):
            changes["backbone"], backbone = backbone, None
        self.settings = resolve(preset, changes)
        self.seed = seed
        self.loop, self.state = begin(self.settings, seed, backbone)
        self._learned: dict[int, Samples] = {}  # what may have to be forgotten and asked about again

    def observe(self, exposure: Exposure | Sequence[Picture]) -> Decision:
        """Decide what an exposure shows and learn from it. An exposure that stays unsure waits; whenever
        something was learned, those that have waited longest are asked about again."""
        started = time.perf_counter()
        exposure = as_exposure(exposure)
        samples = samples_of(self.state, exposure)
        steps = self.loop.step(self.state, samples, self._learned.__getitem__)
        self._take(steps)
        return answer_of(exposure, steps, time.perf_counter() - started)

    def ask_again(self) -> list[Decision]:
        """Ask about all that is unsure again; gives the answers that are sure now. Where every question is a
        training, none is asked."""
        if not correctable(self.state.classifier):
            return []
        steps = self.loop.ask_again(self.state, self._learned.__getitem__)
        if steps:
            self._take(steps)
        return [step.decision for step in steps if step.decision.kind != "unsure"]

    def regroup(self) -> Regrouped:
        """Look at everything again: all tentative places are inferred at once, instead of in the order of
        arrival. What is sure stays as it is."""
        before, self.state = self.state.tentative, regrouped(self.state)
        return changed(before, self.state)

    def teach(self, exposure: Exposure | Sequence[Picture], class_id: int | None = None) -> Decision:
        """Learn an exposure that somebody knows: as the class of this id, or as a new class. Nothing is
        detected, so there is no score, and no class is given up."""
        started = time.perf_counter()
        exposure = as_exposure(exposure)
        steps = self.loop.teach(self.state, samples_of(self.state, exposure), class_id)
        self._take(steps)
        return answer_of(exposure, steps, time.perf_counter() - started)

    def ask(self, count: int = 5) -> list[Question]:
        """The questions to a person whose answers would help most, the best first (exact/questions.py)."""
        return ask(self._scene(), count)

    def question(self, exposure: int) -> Question | None:
        """What to ask a person about this exposure; None where there is nothing to compare it with."""
        return which(self._scene(), exposure)

    def answer(self, question: Question | str, key: str) -> list[Decision]:
        """A person answers: one of the exposures shown (1 to 5), new, same, different, or cannot tell. Gives
        what was decided by that, and of exposures like these that are sure now (learner/answers.py)."""
        asked = answers.question_of(question) if isinstance(question, str) else question
        scene = self._scene()
        done = answers.effect(self.state, scene, asked, answers.key_of(asked, key))
        known = {samples.number: samples for samples in self.state.waiting} | self._learned
        after = answers.heard(moved(self.state, done.moves, known.__getitem__), done)
        looked = answers.nearest(scene, after, (asked.exposure, *asked.shown)) if done.moves else []
        steps = self.loop.look_again(after, known.__getitem__, looked)
        self._learned |= {number: known[number] for number in done.moves}
        self.state = after
        if steps:
            self._take(steps)
        self.state = regrouped(self.state)
        settled = [step.decision for step in steps if step.decision.kind != "unsure"]
        return [*answers.decisions(after, done), *settled]

    def _scene(self) -> Scene:
        """What questions are made of."""
        classifier = self.state.classifier
        if not isinstance(classifier, Exact):
            raise BadCorrection("This learner cannot move what it learned: take the preset fast.")
        return answers.scene_of(classifier, self.places)

    def _take(self, steps: Sequence[Step]) -> None:
        """Make what was learned the state. Classifiers that can forget an exposure need it again for that."""
        if correctable(steps[-1].state.classifier):
            learned = {step.learned.number: step.learned for step in steps if step.learned}
            self._learned.update((n, replace(own, pictures=())) for n, own in learned.items())
        self.state = steps[-1].state

    def detect(self, exposure: Exposure | Sequence[Picture]) -> Finding:
        """What the detector finds in an exposure now; nothing is learned."""
        now = self.state
        samples = samples_of(now, as_exposure(exposure))
        return self.loop.detector(now.classifier, samples, now.memory, self.loop.seed_of(now))

    def predict(self, pictures: Sequence[Picture]) -> Prediction:
        """Name single pictures."""
        return self.predict_samples(self.samples(pictures))

    def samples(self, pictures: Sequence[Picture]) -> NDArray[Any]:
        """What the learner sees of pictures, for those that are to be named again and again. It stays valid
        while the learner learns."""
        return self.state.classifier.samples(check(pictures))

    def predict_samples(self, samples: NDArray[Any], tentative: bool = True) -> Prediction:
        """Name pictures by what the learner sees of them, as classes or, unless they are not wanted, as
        ``tentative`` groups."""
        return predict(self.state, samples, tentative)

    @property
    def places(self) -> dict[int, int]:
        """Where every exposure most likely belongs, as it was placed last: its class where that is sure, else
        the class that it is likeliest of, or a tentative group."""
        return places(self.state)

    @property
    def groups(self) -> dict[int, tuple[int, ...]]:
        """The tentative groups: exposures that are unsure and likely one thing, by ids that last."""
        return groups(self.state)

    def size_of(self, exposure: int) -> int:
        """How many pictures an exposure had."""
        return self.state.sizes[exposure]

    @property
    def classes(self) -> dict[int, KnownClass]:
        """The classes known now, by their ids."""
        return known_classes(self.state)
