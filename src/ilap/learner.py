"""The learner: unlabelled exposures in, classes out."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from ilap import registry
from ilap.backbones.contract import Backbone
from ilap.classify.contract import TellsStrangers
from ilap.decision import Decision, Kind
from ilap.detect.contract import Detector, Finding
from ilap.errors import BadSetting, NothingLearned
from ilap.exposure import VALIDATION_SHARE, Exposure, Picture, Samples, check, validation_mask
from ilap.memory import Memory
from ilap.risk import RECENT, sure_enough
from ilap.settings import resolve
from ilap.state import State, Step, accepted, prune

if TYPE_CHECKING:
    from ilap.kept import KeptLearner

RETRIES = 2  # unsure exposures that are asked about again whenever something was learned
WAITING = 200  # unsure exposures that wait at most
TWO_THINGS = 0.3  # the share of strangers from which on an exposure shows two things
A_FEW = 0.05  # the share up to which strangers change no decision
TOLD = 1e-3  # the probability above which a known class is told
TOLD_BY_A_PERSON = "it was told"


class Prediction(NamedTuple):
    """For every picture the likeliest class and, in the order of ``classes``, the probability of each."""

    class_ids: NDArray[np.int64]
    probabilities: NDArray[np.float64]
    classes: tuple[int, ...]


@dataclass(frozen=True)
class KnownClass:
    """A class is a set of exposures, by their numbers; ``exemplars`` are its most typical pictures, best
    first, each as (exposure number, place in it)."""

    exposures: tuple[int, ...]
    pictures: int
    exemplars: tuple[tuple[int, int], ...]


class Learner:
    """Sorts exposures into classes that nobody named, and names single pictures."""

    def __init__(
        self, preset: str = "fast", *, seed: int = 0, backbone: str | Backbone | None = None, **changes: Any
    ) -> None:
        """Settings are those of the preset (settings.py), with changes. A backbone may be a name or an
        object that keeps the contract."""
        if isinstance(backbone, str):
            changes["backbone"], backbone = backbone, None
        self.settings = settings = resolve(preset, changes)
        self.seed = seed
        self._detector: Detector = registry.find("detector", settings.detector)(settings)
        held_out = max(1, round(settings.exemplars * VALIDATION_SHARE))
        self._state = State(
            registry.find("classifier", settings.classifier)(settings, seed, backbone),
            Memory(settings.exemplars - held_out, held_out),
        )

    @staticmethod
    def open(path: str | Path, preset: str = "fast", **settings: Any) -> KeptLearner:
        """A learner that lives in a file, which is made if it is not there (kept.py)."""
        from ilap.kept import KeptLearner

        return KeptLearner(path, preset, **settings)

    def observe(self, exposure: Exposure | Sequence[Picture]) -> Decision:
        """Decide what an exposure shows and learn from it. An exposure that stays unsure waits; whenever
        something was learned, those that have waited longest are asked about again.

        Whatever fails or interrupts it, the learner is then as it was before.
        """
        started = time.perf_counter()
        exposure = exposure if isinstance(exposure, Exposure) else Exposure(exposure)
        samples, seed = self._split(exposure)
        seen = replace(self._state, sizes=(*self._state.sizes, len(samples)))
        after, decision = self._step(seen, samples, seed)
        if decision.error is not None:
            after = replace(after, errors=(*after.errors, decision.error)[-RECENT:])
        steps = [Step(after, decision)]
        for _ in range(min(RETRIES, len(after.waiting)) if decision.kind != "unsure" else 0):
            oldest, *rest = after.waiting
            after, answer = self._step(replace(after, waiting=tuple(rest)), oldest, seed)
            steps.append(Step(after, answer))
        settled = tuple(step.decision for step in steps[1:] if step.decision.kind != "unsure")
        strangers = tuple(sorted(exposure.order[place] for place in decision.strangers))
        self._keep(exposure, samples, steps)
        seconds = time.perf_counter() - started
        return replace(decision, settled=settled, strangers=strangers, seconds=seconds)

    def _keep(self, exposure: Exposure, samples: Samples, steps: Sequence[Step]) -> None:
        """Make what was learned the state. A learner that lives in a file writes it there first."""
        self._state = steps[-1].state

    def _step(self, now: State, samples: Samples, seed: int) -> tuple[State, Decision]:
        """The loop of the paper (section 3): what is known after an exposure, and what was decided."""
        # detect: which old class breaks if this is a class of its own?
        found = self._decided(now, samples, seed)

        # leave out: pictures that show something else
        pure, found = self._purified(now, samples, found, seed)

        # label: K+1, the class that broke, or nothing
        class_id = now.founded if found.kind == "new" else None
        if found.column is not None:
            class_id = now.classifier.classes[found.column]

        after = now
        discarded: tuple[int, ...] = ()
        if class_id is not None:
            # second look: exposures that were taken for another class make up a new one
            before = now.parted(found.leaving) if found.leaving else now

            # update, from the state before detection
            classifier = before.classifier.learn(pure, class_id, before.memory, seed)

            # remember: the exposure's most typical samples join P_train and P_val
            memory = before.memory.remember(class_id, pure, classifier.features)

            # prune: give up classes that are no longer recognised, or a new one that never was
            learned = before.with_member(class_id, samples.number, classifier, memory)
            if found.kind == "new" and not accepted(learned, class_id, self.settings.accept_above):
                reason = "it could not be learned as a class"
                found, class_id = replace(found, kind="unsure", reason=reason, leaving=()), None
            else:
                after, discarded = prune(learned, class_id, self.settings.discard_below)
        if class_id is None:
            after = replace(now, waiting=(*now.waiting, replace(samples, pictures=()))[-WAITING:])
        strangers = np.setdiff1d(samples.origins()[:, 1], pure.origins()[:, 1])
        decision = decision_of(found, class_id, samples.number, now, discarded)
        return after, replace(decision, strangers=tuple(map(int, strangers)))

    def _decided(self, now: State, samples: Samples, seed: int) -> Finding:
        """What the detector finds, if that is sure enough."""
        found = self._detector(now.classifier, samples, now.memory, seed)
        if found.error is None or sure_enough(found.error, now.errors, self.settings.risk):
            return found
        return replace(found, kind="unsure", column=None, reason=f"{found.reason}: not enough", leaving=())

    def _purified(self, now: State, samples: Samples, found: Finding, seed: int) -> tuple[Samples, Finding]:
        """An exposure without its strangers, where the classifier can tell them, and what it then shows. With
        too many strangers it shows two things, and which of them is meant nobody can say."""
        if "strangers" not in getattr(now.classifier, "gives", ()):
            return samples, found
        impurity = cast(TellsStrangers, now.classifier).strangers(samples, found.column)
        share = len(impurity.rows) / len(samples)
        if share >= TWO_THINGS:
            reason = f"it shows two things: {share:.0%} of the pictures are surely class {impurity.class_id}"
            return samples, replace(found, kind="unsure", column=None, reason=reason, leaving=())
        if not share:
            return samples, found
        pure = samples.without(impurity.rows)
        return pure, self._decided(now, pure, seed) if share > A_FEW else found

    def teach(self, exposure: Exposure | Sequence[Picture], class_id: int | None = None) -> Decision:
        """Learn an exposure that somebody knows: as the class of this id, or as a new class. Nothing is
        detected, so there is no score, and no class is given up."""
        started = time.perf_counter()
        now = self._state
        if class_id is not None and class_id not in now.members:
            raise BadSetting(f"There is no class {class_id}: leave the id out to found a class.")
        exposure = exposure if isinstance(exposure, Exposure) else Exposure(exposure)
        samples, seed = self._split(exposure)
        known = now.founded if class_id is None else class_id
        classifier = now.classifier.learn(samples, known, now.memory, seed)
        memory = now.memory.remember(known, samples, classifier.features)
        seen = replace(now, sizes=(*now.sizes, len(samples)))
        after = seen.with_member(known, samples.number, classifier, memory)
        kind: Kind = "new" if class_id is None else "known"
        seconds = time.perf_counter() - started
        decision = Decision(kind, known, float("nan"), {}, TOLD_BY_A_PERSON, now.seen, seconds)
        self._keep(exposure, samples, [Step(after, decision)])
        return decision

    def detect(self, exposure: Exposure | Sequence[Picture]) -> Finding:
        """What the detector finds in an exposure now; nothing is learned."""
        exposure = exposure if isinstance(exposure, Exposure) else Exposure(exposure)
        samples, seed = self._split(exposure)
        return self._detector(self._state.classifier, samples, self._state.memory, seed)

    def _split(self, exposure: Exposure) -> tuple[Samples, int]:
        """E_train and E_val, as the classifier sees them, and a seed for what is done with them."""
        now = self._state
        rows = now.classifier.samples(exposure.pictures)
        seed = int(np.random.SeedSequence([self.seed, now.seen]).generate_state(1)[0])
        mask = validation_mask(len(rows))
        return Samples(now.seen, rows, mask, exposure.pictures, exposure.ordered), seed

    def predict(self, pictures: Sequence[Picture]) -> Prediction:
        """Name single pictures."""
        return self.predict_samples(self.samples(pictures))

    def samples(self, pictures: Sequence[Picture]) -> NDArray[Any]:
        """What the learner sees of pictures, for those that are to be named again and again. It stays valid
        while the learner learns."""
        return self._state.classifier.samples(check(pictures))

    def predict_samples(self, samples: NDArray[Any]) -> Prediction:
        """Name pictures by what the learner sees of them."""
        classifier = self._state.classifier
        if not classifier.classes:
            raise NothingLearned("No class is known yet: let the learner observe an exposure first.")
        probabilities = classifier.probabilities(samples)
        class_ids = np.array(classifier.classes)[probabilities.argmax(1)]
        return Prediction(class_ids, probabilities, classifier.classes)

    def size_of(self, exposure: int) -> int:
        """How many pictures an exposure had."""
        return self._state.sizes[exposure]

    @property
    def classes(self) -> dict[int, KnownClass]:
        """The classes known now, by their ids."""
        now = self._state
        return {
            class_id: KnownClass(
                exposures,
                sum(now.sizes[number] for number in exposures),
                tuple((int(number), int(row)) for number, row in now.memory.train[class_id].origins),
            )
            for class_id, exposures in sorted(now.members.items())
        }


def decision_of(
    found: Finding, class_id: int | None, number: int, now: State, discarded: tuple[int, ...]
) -> Decision:
    """What is told of a finding, with the classes' ids."""
    classes = now.classifier.classes
    shares = found.probabilities
    known = {} if shares is None else dict(zip(classes, map(float, shares[1:]), strict=True))
    return Decision(
        found.kind,
        class_id,
        found.score,
        dict(zip(classes, map(float, found.drops), strict=True)),
        found.reason,
        number,
        0.0,
        discarded,
        found.error,
        None if shares is None else float(shares[0]),
        {k: share for k, share in known.items() if share > TOLD},
        found.leaving,
        now.founded if found.leaving else None,
    )
