"""The loop of the paper (section 3) as one transition: an exposure comes, and these steps follow.

    split ─► detect ─► leave out ─► label ─► update ─► remember ─► prune ─► ask again

Every step is an answer and the state after it. The first is about the exposure; the others are about exposures
that were unsure and are asked about again. Nothing is changed in place: a learner in memory takes the last
state, a learner in a file writes all steps down and takes it then.

Which answers are sure enough: a person sets the risk. Every answer comes with the probability that it is wrong,
and is taken if that is no larger than the risk. So the expected share of wrong answers among those that were
taken is within the risk too, of any of them and in any order, as far as the probabilities are true. While more
exposures may come, only a part of the risk is taken for *known* (``part_at_once``).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ilap.backbones.contract import Backbone
from ilap.backbones.load import Given, Named
from ilap.core import registry, settings
from ilap.core.classifier import correctable, places_exposures, tells_strangers
from ilap.core.decision import Decision, Kind
from ilap.core.errors import BadSetting
from ilap.core.exemplars import empty
from ilap.core.exposure import Exposure, Samples, validation_mask
from ilap.core.rule import RULE, Rule
from ilap.detect.contract import Detector, Finding
from ilap.learner.state import State
from ilap.learner.tentative import id_of_new, place_of_newcomer

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
    purify: bool = True  # whether pictures that show something else are looked for
    more_comes: bool = False

    def step(self, now: State, samples: Samples, recall: Recall) -> list[Step]:
        """An exposure has come. Whenever something was learned from it, those that wait and are most like it
        are asked about again; what is given up now is asked about when more was learned."""
        seed, recent = self.seed_of(now), dict[int, Samples]()

        def known(number: int) -> Samples:
            return recent[number] if number in recent else recall(number)

        first = self.at_once._answer(now.arrived(samples), samples, seed, known)
        steps = [first]
        if first.learned is None:
            return steps
        waiting = [samples.number for samples in now.waiting]
        classifier = first.state.classifier
        if places_exposures(classifier) and waiting:
            waiting = classifier.most_alike_first(first.learned.number, waiting)
        for number in waiting[: self.rule.risk.retries]:
            if steps[-1].learned:
                recent[steps[-1].learned.number] = steps[-1].learned
            steps.append(self.at_once._again(steps[-1].state, number, seed, known))
        return steps

    @property
    def at_once(self) -> Loop:
        """The same while more may come."""
        return replace(self, more_comes=True)

    def ask_again(self, now: State, recall: Recall, changed: Collection[int] | None = None) -> list[Step]:
        """What is unsure is asked about again, the surest first, in rounds, until nothing new is sure. In a
        round it is asked about where something near it is another than in the round before; in the first one
        near those that ``changed``, or all of it."""
        steps, recent, state = list[Step](), dict[int, Samples](), now
        for _ in range(self.rule.risk.rounds):
            before = len(state.waiting)
            waiting = [samples.number for samples in state.waiting]
            if places_exposures(state.classifier) and waiting:
                near = set(waiting) if changed is None else state.classifier.near_any(changed)
                waiting = state.classifier.surest_first([number for number in waiting if number in near])
            asked = self.look_again(state, lambda n: recent[n] if n in recent else recall(n), waiting)
            recent.update((step.learned.number, step.learned) for step in asked if step.learned)
            steps += asked
            state = steps[-1].state if steps else state
            if len(state.waiting) >= before:
                break
            changed = [step.learned.number for step in asked if step.learned]
        return steps

    def look_again(self, now: State, recall: Recall, numbers: Sequence[int]) -> list[Step]:
        """These of all that are unsure are asked about once more, in this order."""
        steps, recent, state = list[Step](), dict[int, Samples](), now
        for number in numbers:
            step = self._again(
                state, number, self.seed_of(now), lambda n: recent[n] if n in recent else recall(n)
            )
            if step.learned:
                recent[step.learned.number] = step.learned
            steps.append(step)
            state = step.state
        return steps

    def teach(self, now: State, samples: Samples, class_id: int | None) -> list[Step]:
        """An exposure that somebody knows is learned as a class, or as a new one. Nothing is detected, and no
        class is given up. A tentative group whose id is given becomes a class with it."""
        if class_id is not None and class_id not in {*now.members, *now.tentative.values()}:
            raise BadSetting(f"There is no class {class_id}: leave the id out to found a class.")
        target = now.founded if class_id is None else class_id
        after = now.arrived(samples).saw(samples).learned(samples, target, self.seed_of(now))
        kind: Kind = "known" if class_id in now.members else "new"
        told = Decision(
            kind, target, float("nan"), {}, "it was told", samples.number, 0.0, by="person", place=target
        )
        return [Step(after, told, samples)]

    def seed_of(self, now: State) -> int:
        """A seed for what is done with the next exposure."""
        return int(np.random.SeedSequence([self.seed, now.seen]).generate_state(1)[0])

    def _again(self, now: State, number: int, seed: int, recall: Recall) -> Step:
        """One of those that wait is asked about again."""
        samples = next(one for one in now.waiting if one.number == number)
        rest = tuple(one for one in now.waiting if one.number != number)
        return self._answer(replace(now, waiting=rest), samples, seed, recall)

    def _answer(self, now: State, samples: Samples, seed: int, recall: Recall) -> Step:
        """What an exposure shows, and what is known after it was learned, or put aside."""
        # detect: which old class breaks if this is a class of its own?
        found = self.detect(now, samples, seed)

        # leave out: pictures that show something else
        pure, found = self._purified(now, samples, found, seed)

        # label: K+1, the class that broke, or nothing
        class_id = id_of_new(now, samples.number) if found.kind == "new" else None
        if found.column is not None:
            class_id = now.classifier.classes[found.column]

        after, given_up = now, tuple[int, ...]()
        if class_id is not None:
            # update, from the state before detection; remember the most typical samples
            learned = now.saw(samples).learned(pure, class_id, seed)

            # prune: give up classes that are no longer recognised, or a new one that never was
            if found.kind == "new" and not self._accepted(learned, class_id):
                reason = "it could not be learned as a class"
                found, class_id = replace(found, kind="unsure", reason=reason), None
            else:
                own = {pure.number: pure}
                after, given_up = self._pruned(learned, class_id, lambda n: own[n] if n in own else recall(n))
        place = class_id
        if place is None:
            stays = now.tentative.get(samples.number)
            place = place_of_newcomer(now, samples, found) if stays is None else stays
            after = now.saw(samples).waits([samples], place)
        strangers = np.setdiff1d(samples.origins()[:, 1], pure.origins()[:, 1])
        decision = decision_of(found, class_id, samples.number, now, given_up)
        decision = replace(decision, strangers=tuple(map(int, strangers)), place=place)
        return Step(after, decision, pure if class_id is not None else None)

    def detect(self, now: State, samples: Samples, seed: int) -> Finding:
        """What the detector finds, if that is sure enough. While more may come only a part of the risk is taken
        for *known*: what waits is asked about again. This is for what a stream has yet to tell, which is how
        pictures are drawn; where that is known it is not needed."""
        found = self.detector(now.classifier, samples, now.memory, seed)
        told = places_exposures(now.classifier) and now.classifier.counts_in_full(len(samples))
        early = self.more_comes and found.kind == "known" and not told
        part = part_at_once(now.seen, self.settings.caution) if early else 1.0
        if found.error is None or sure_enough(found.error, self.settings.risk * part):
            return found
        return replace(found, kind="unsure", column=None, reason=f"{found.reason}: not sure enough")

    def _purified(self, now: State, samples: Samples, found: Finding, seed: int) -> tuple[Samples, Finding]:
        """An exposure without its strangers, where the classifier can tell them, and what it then shows. With
        too many strangers it shows two things, and which of them is meant nobody can say."""
        if not self.purify or not tells_strangers(now.classifier):
            return samples, found
        rule, impurity = self.rule.strangers, now.classifier.strangers(samples, found.column)
        share = len(impurity.rows) / len(samples)
        if share >= rule.two_things:
            reason = f"it shows two things: {share:.0%} of the pictures are surely class {impurity.class_id}"
            return samples, replace(found, kind="unsure", column=None, reason=reason)
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
        given_up, lost = list[int](), dict[int, list[Samples]]()
        for accuracy, k in sorted(zip(accuracies, affected, strict=True)):
            if accuracy < self.settings.discard_below and len(state.members) > 1:
                own = [recall(number) for number in state.members[k]] if correctable(classifier) else []
                state = state.gives_up(k, own)
                given_up.append(k)
                lost[k] = own
        for samples, k in sorted(((one, k) for k, own in lost.items() for one in own), key=by_number):
            state = state.waits([samples], k)
        return state, tuple(given_up)


def by_number(lost: tuple[Samples, int]) -> int:
    """What is given up waits in the order in which it came."""
    return lost[0].number


def begin(chosen: settings.Settings, seed: int, backbone: Backbone | None = None) -> tuple[Loop, State]:
    """The loop that settings make, and a state that knows nothing."""
    source = Named(chosen.backbone) if backbone is None else Given(backbone)
    classifier = registry.find("classifier", chosen.classifier.name)(chosen.classifier.parameters, source, seed)
    detector = registry.find("detector", chosen.detector.name)(chosen.detector.parameters)
    return Loop(detector, chosen.loop, seed), State(
        classifier, empty(chosen.loop.exemplars, chosen.loop.ranking)
    )


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
    )


def sure_enough(error: float, risk: float) -> bool:
    """Whether an answer with this probability of being wrong is taken.

    >>> sure_enough(0.04, risk=0.05), sure_enough(0.3, risk=0.05)
    (True, False)
    """
    return error <= risk


def part_at_once(seen: int, caution: float) -> float:
    """The part of the risk that is taken for *known* at once, when so many exposures were seen. A wrong *known*
    mixes two things in a class, which misleads all that come after it; and the fewer were seen, the less is
    known of the stream, and the more are still to come.

    >>> [round(part_at_once(seen, 20.0), 2) for seen in (2, 20, 100)]
    [0.01, 0.25, 0.69]
    """
    return (seen / (seen + caution)) ** 2
