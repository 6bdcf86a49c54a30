"""The loop of the paper (section 3) as one transition: an exposure comes, and these steps follow.

    split ─► detect ─► leave out ─► label ─► second look ─► update ─► remember ─► prune ─► ask again

Every step is an answer and the state after it. The first is about the exposure; the others are about exposures
that were unsure and are asked about again. Nothing is changed in place: a learner in memory takes the last
state, a learner in a file writes all steps down and takes it then.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ilap.backbones.contract import Backbone
from ilap.backbones.load import Given, Named
from ilap.core import registry, settings
from ilap.core.classifier import correctable, tells_strangers
from ilap.core.decision import Decision, Kind
from ilap.core.errors import BadSetting
from ilap.core.exemplars import empty
from ilap.core.exposure import Exposure, Samples, validation_mask
from ilap.core.rule import RULE, Rule
from ilap.detect.contract import Detector, Finding
from ilap.learner.risk import sure_enough
from ilap.learner.state import State

WORTH_TELLING = 1e-3  # the probability above which a known class is part of a decision

Recall = Callable[[int], Samples]
"""An exposure that was learned before, by its number, without its strangers."""


@dataclass(frozen=True)
class Step:
    """An answer, and all that is known after it. ``learned`` is the exposure as it was learned, without its
    strangers; None where the answer is unsure."""

    state: State
    decision: Decision
    learned: Samples | None = None


@dataclass(frozen=True)
class Loop:
    """What decides, and by which rule: all of a learner that learning does not change."""

    detector: Detector
    settings: settings.Loop
    seed: int
    rule: Rule = RULE

    def step(self, now: State, samples: Samples, recall: Recall) -> list[Step]:
        """An exposure has come. Whenever something was learned from it, those that have waited longest are
        asked about again; what is given up now is asked about when more was learned."""
        seed, recent = self.seed_of(now), dict[int, Samples]()

        def known(number: int) -> Samples:
            return recent[number] if number in recent else recall(number)

        first = self._answer(now.arrived(samples), samples, seed, known)
        if first.decision.error is not None:
            errors = (*first.state.errors, first.decision.error)[-self.rule.risk.recent :]
            first = replace(first, state=replace(first.state, errors=errors))
        steps = [first]
        again = first.decision.kind != "unsure"
        for _ in range(min(self.rule.risk.retries, len(now.waiting)) if again else 0):
            if steps[-1].learned:
                recent[steps[-1].learned.number] = steps[-1].learned
            oldest, *rest = steps[-1].state.waiting
            steps.append(self._answer(replace(steps[-1].state, waiting=tuple(rest)), oldest, seed, known))
        return steps

    def teach(self, now: State, samples: Samples, class_id: int | None) -> list[Step]:
        """An exposure that somebody knows is learned as a class, or as a new one. Nothing is detected, and no
        class is given up."""
        if class_id is not None and class_id not in now.members:
            raise BadSetting(f"There is no class {class_id}: leave the id out to found a class.")
        target = now.founded if class_id is None else class_id
        after = now.arrived(samples).learned(samples, target, self.seed_of(now))
        kind: Kind = "new" if class_id is None else "known"
        told = Decision(kind, target, float("nan"), {}, "it was told", samples.number, 0.0, by="person")
        return [Step(after, told, samples)]

    def seed_of(self, now: State) -> int:
        """A seed for what is done with the next exposure."""
        return int(np.random.SeedSequence([self.seed, now.seen]).generate_state(1)[0])

    def _answer(self, now: State, samples: Samples, seed: int, recall: Recall) -> Step:
        """What an exposure shows, and what is known after it was learned, or put aside."""
        # detect: which old class breaks if this is a class of its own?
        found = self.detect(now, samples, seed)

        # leave out: pictures that show something else
        pure, found = self._purified(now, samples, found, seed)

        # label: K+1, the class that broke, or nothing
        class_id = now.founded if found.kind == "new" else None
        if found.column is not None:
            class_id = now.classifier.classes[found.column]

        after, given_up = now, tuple[int, ...]()
        if class_id is not None:
            # second look: exposures that were taken for another class make up a new one
            before = now.parted(found.leaving) if found.leaving else now

            # update, from the state before detection; remember the most typical samples
            learned = before.learned(pure, class_id, seed)

            # prune: give up classes that are no longer recognised, or a new one that never was
            if found.kind == "new" and not self._accepted(learned, class_id):
                reason = "it could not be learned as a class"
                found, class_id = replace(found, kind="unsure", reason=reason, leaving=()), None
            else:
                own = {pure.number: pure}
                after, given_up = self._pruned(learned, class_id, lambda n: own[n] if n in own else recall(n))
        if class_id is None:
            after = now.waits([samples], self.rule.risk.waiting)
        strangers = np.setdiff1d(samples.origins()[:, 1], pure.origins()[:, 1])
        decision = decision_of(found, class_id, samples.number, now, given_up)
        decision = replace(decision, strangers=tuple(map(int, strangers)))
        return Step(after, decision, pure if class_id is not None else None)

    def detect(self, now: State, samples: Samples, seed: int) -> Finding:
        """What the detector finds, if that is sure enough."""
        found = self.detector(now.classifier, samples, now.memory, seed)
        enough = found.error is None or sure_enough(found.error, now.errors, self.settings.risk, self.rule.risk)
        if enough:
            return found
        return replace(found, kind="unsure", column=None, reason=f"{found.reason}: not enough", leaving=())

    def _purified(self, now: State, samples: Samples, found: Finding, seed: int) -> tuple[Samples, Finding]:
        """An exposure without its strangers, where the classifier can tell them, and what it then shows. With
        too many strangers it shows two things, and which of them is meant nobody can say."""
        if not tells_strangers(now.classifier):
            return samples, found
        rule, impurity = self.rule.strangers, now.classifier.strangers(samples, found.column)
        share = len(impurity.rows) / len(samples)
        if share >= rule.two_things:
            reason = f"it shows two things: {share:.0%} of the pictures are surely class {impurity.class_id}"
            return samples, replace(found, kind="unsure", column=None, reason=reason, leaving=())
        if not share:
            return samples, found
        pure = samples.without(impurity.rows)
        return pure, self.detect(now, pure, seed) if share > rule.few else found

    def _accepted(self, state: State, class_id: int) -> bool:
        """Whether a new class is recognised well enough to keep; the first one always is."""
        if len(state.members) == 1:
            return True
        accuracy = state.classifier.accuracies(state.memory, (class_id,))[0]
        return bool(accuracy >= self.settings.accept_above)

    def _pruned(self, state: State, class_id: int, recall: Recall) -> tuple[State, tuple[int, ...]]:
        """Give up the classes whose accuracy has fallen too low (paper 3.4). The last one always stays, and so
        does one of which a person has said what belongs to it. Where exposures can be forgotten, those of a
        class that is given up wait to be asked about again."""
        classifier = state.classifier
        fixed = classifier.fixed if correctable(classifier) else frozenset[int]()
        affected = [k for k in classifier.affected(class_id) if not fixed.intersection(state.members[k])]
        accuracies = classifier.accuracies(state.memory, affected)
        given_up, lost = list[int](), list[Samples]()
        for accuracy, k in sorted(zip(accuracies, affected, strict=True)):
            if accuracy < self.settings.discard_below and len(state.members) > 1:
                own = [recall(number) for number in state.members[k]] if correctable(classifier) else []
                state = state.gives_up(k, own)
                given_up.append(k)
                lost += own
        lost.sort(key=lambda samples: samples.number)
        return state.waits(lost, self.rule.risk.waiting) if lost else state, tuple(given_up)


def begin(chosen: settings.Settings, seed: int, backbone: Backbone | None = None) -> tuple[Loop, State]:
    """The loop that settings make, and a state that knows nothing."""
    source = Named(chosen.backbone) if backbone is None else Given(backbone)
    classifier = registry.find("classifier", chosen.classifier.name)(chosen.classifier.parameters, source, seed)
    detector = registry.find("detector", chosen.detector.name)(chosen.detector.parameters)
    return Loop(detector, chosen.loop, seed), State(classifier, empty(chosen.loop.exemplars))


def samples_of(now: State, exposure: Exposure) -> Samples:
    """An exposure as the classifier sees it, E_train and E_val."""
    rows = now.classifier.samples(exposure.pictures)
    return Samples(now.seen, rows, validation_mask(len(rows)), exposure.pictures, exposure.ordered)


def answer_of(exposure: Exposure, steps: Sequence[Step], seconds: float) -> Decision:
    """What is told of an exposure: the decision, with those that it settled, and strangers by their places as
    given."""
    decision = steps[0].decision
    return replace(
        decision,
        settled=tuple(step.decision for step in steps[1:] if step.decision.kind != "unsure"),
        strangers=tuple(sorted(exposure.order[place] for place in decision.strangers)),
        seconds=seconds,
    )


def decision_of(
    found: Finding, class_id: int | None, number: int, now: State, given_up: tuple[int, ...]
) -> Decision:
    """What is told of a finding, with the classes' ids."""
    classes, shares = now.classifier.classes, found.probabilities
    known = {} if shares is None else dict(zip(classes, map(float, shares[1:]), strict=True))
    return Decision(
        found.kind,
        class_id,
        found.score,
        dict(zip(classes, map(float, found.drops), strict=True)),
        found.reason,
        number,
        0.0,
        given_up,
        found.error,
        None if shares is None else float(shares[0]),
        {k: share for k, share in known.items() if share > WORTH_TELLING},
        found.leaving,
        now.founded if found.leaving else None,
    )
