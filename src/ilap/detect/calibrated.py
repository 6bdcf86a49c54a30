"""Calibrated confusion: which known class would this exposure break, and how sure is that?

An exposure breaks a class if it shows the same. The classifier gives, in closed form, the odds that it does,
for every class, against its being new (exact/evidence.py); with the chance of a new class as in the stream so
far they make up the probability of every answer. The likeliest is given with the probability that it is wrong;
whether that is sure enough is for the learner to say (learner/risk.py), by the share of wrong decisions that
its user accepts. There is no threshold to tune per data set.

Before an exposure joins a class of several, the class gets a second look (exact/second_look.py).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from ilap.core.classifier import Array, Classifier
from ilap.core.exemplars import Memory
from ilap.core.exposure import Samples
from ilap.core.parameters import share
from ilap.core.rule import AnswerRule
from ilap.detect.capabilities import GivesEvidence, require
from ilap.detect.confusion import relative_drop
from ilap.detect.contract import Finding
from ilap.exact.evidence import Evidence


@dataclass(frozen=True)
class Parameters:
    """What it can be told."""

    imbalance: float = 0.5  # [lambda] that of the trial whose drops are told; it decides nothing

    def __post_init__(self) -> None:
        share("imbalance", self.imbalance, below=True)


@dataclass(frozen=True)
class Calibrated:
    """The detector."""

    parameters: Parameters
    needs: ClassVar[frozenset[str]] = frozenset({"evidence"})

    def __call__(self, classifier: Classifier, exposure: Samples, memory: Memory, seed: int) -> Finding:
        """The likeliest answer, and how likely it is wrong."""
        exact: GivesEvidence = require("calibrated", self.needs, classifier)
        if not exact.classes:
            return Finding("new", None, 0.0, np.empty(0), "nothing was known before", 0.0, np.ones(1))
        rule, weighed = exact.rule.answer, exact.evidence(exposure)
        shares = weighed.posterior(len(exact.classes))
        everything = np.zeros(1 + len(exact.classes))
        everything[[0, *(1 + weighed.columns)]] = shares
        trial = exact.trial(exposure, memory, self.parameters.imbalance, seed)
        drops = relative_drop(trial.before, trial.after_at_least)
        best = int(shares[1:].argmax())
        column = int(weighed.columns[best])
        class_id = exact.classes[column]
        loss = f"class {class_id} would lose {drops[column]:.0%} of its accuracy"
        score = novelty(shares, rule.largest_score)
        plain = Finding("new", None, score, drops, "", probabilities=everything)

        if not weighed.burst and shares[1 + best] > rule.in_question:
            parts = exact.second_look(class_id, exposure)
            if parts.probability > 1 - rule.split_error and parts.together:
                reason = f"class {class_id} falls in two"
                found = replace(plain, reason=reason, error=1 - parts.probability)
                if parts.keeps:
                    return replace(found, kind="known", column=column, leaving=parts.apart)
                return replace(found, leaving=parts.together)

        if shares[0] >= shares[1 + best]:
            reason = f"no class would break, {shares[0]:.1%} sure; nearest is class {class_id}"
            return replace(plain, reason=reason, error=1 - float(shares[0]))
        error = 1 - float(shares[1 + best]) - bridged(weighed, shares, best, rule)
        reason = f"{loss}, {1 - error:.1%} sure"
        return replace(plain, kind="known", column=column, reason=reason, error=max(error, 0.0))


def novelty(shares: Array, largest: float) -> float:
    """The log odds of *new* against the likeliest class.

    >>> round(novelty(np.array([0.5, 0.25, 0.25]), largest=50.0), 3)
    0.693
    """
    new, known = np.log(shares[0] + 1e-300), np.log(shares[1:].max() + 1e-300)
    return float(np.clip(new - known, -largest, largest))


def bridged(weighed: Evidence, shares: Array, best: int, rule: AnswerRule) -> float:
    """The probability of other classes that a burst touches as surely as the likeliest one: they are likely one
    class with it, seen from two sides, so naming either is no mistake."""
    if weighed.touch is None or weighed.burst <= rule.burst or weighed.touch[best] <= rule.bridge:
        return 0.0
    others = weighed.touch > rule.bridge
    others[best] = False
    return float(shares[1:][others].sum())


create = Calibrated
