"""Calibrated confusion: which known class would this exposure break, and how sure is that?

An exposure breaks a class if it shows the same. The classifier gives, in closed form, the odds that it does,
for every class, against its being new (classify/look.py); with the chance of a new class as in the stream so
far they make up the probability of every answer. The likeliest is given with the probability that it is wrong;
whether that is sure enough is for the learner to say (risk.py), by the share of wrong decisions that its user
accepts. There is no threshold to tune.

Before an exposure joins a class of several, the class gets a second look (classify/split.py).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Protocol

import numpy as np

from ilap.classify.contract import Array, Classifier
from ilap.classify.look import Look
from ilap.classify.split import Split
from ilap.detect.confusion import relative_drop
from ilap.detect.contract import Finding
from ilap.detect.needs import require
from ilap.exposure import Samples
from ilap.memory import Memory
from ilap.settings import Settings

IN_QUESTION = 0.02  # the probability above which a class gets a second look
SPLIT_RISK = 0.05
BRIDGE = 3.0  # log odds above which a burst surely touches a class; it may touch two that are one
SURE_SCORE = 50.0


class GivesPosterior(Classifier, Protocol):
    """A classifier that weighs every answer."""

    def look(self, exposure: Samples) -> Look:
        """What an exposure shows."""

    def split(self, class_id: int, exposure: Samples) -> Split:
        """Whether a class falls in two with it."""


@dataclass(frozen=True)
class Calibrated:
    """The detector. ``imbalance`` is that of the trial whose drops are told; it decides nothing."""

    imbalance: float
    needs: ClassVar[frozenset[str]] = frozenset({"posterior"})

    def __call__(self, classifier: Classifier, exposure: Samples, memory: Memory, seed: int) -> Finding:
        """The likeliest answer, and how likely it is wrong."""
        exact: GivesPosterior = require("calibrated", self.needs, classifier)
        if not exact.classes:
            return Finding("new", None, 0.0, np.empty(0), "nothing was known before", 0.0, np.ones(1))
        seen = exact.look(exposure)
        shares = seen.posterior(len(exact.classes))
        everything = np.zeros(1 + len(exact.classes))
        everything[[0, *(1 + seen.columns)]] = shares
        trial = exact.trial(exposure, memory, self.imbalance, seed)
        drops = relative_drop(trial.before, trial.after_at_least)
        best = int(shares[1:].argmax())
        column = int(seen.columns[best])
        class_id = exact.classes[column]
        loss = f"class {class_id} would lose {drops[column]:.0%} of its accuracy"
        plain = Finding("new", None, novelty(shares), drops, "", probabilities=everything)

        if not seen.burst and shares[1 + best] > IN_QUESTION:
            parts = exact.split(class_id, exposure)
            if parts.probability > 1 - SPLIT_RISK and parts.together:
                reason = f"class {class_id} falls in two"
                found = replace(plain, reason=reason, error=1 - parts.probability)
                if parts.keeps:
                    return replace(found, kind="known", column=column, leaving=parts.apart)
                return replace(found, leaving=parts.together)

        if shares[0] >= shares[1 + best]:
            reason = f"no class would break, {shares[0]:.1%} sure; nearest is class {class_id}"
            return replace(plain, reason=reason, error=1 - float(shares[0]))
        error = 1 - float(shares[1 + best]) - bridged(seen, shares, best)
        reason = f"{loss}, {1 - error:.1%} sure"
        return replace(plain, kind="known", column=column, reason=reason, error=max(error, 0.0))


def novelty(shares: Array) -> float:
    """The log odds of *new* against the likeliest class.

    >>> round(novelty(np.array([0.5, 0.25, 0.25])), 3)
    0.693
    """
    new, known = np.log(shares[0] + 1e-300), np.log(shares[1:].max() + 1e-300)
    return float(np.clip(new - known, -SURE_SCORE, SURE_SCORE))


def bridged(seen: Look, shares: Array, best: int) -> float:
    """The probability of other classes that a burst touches as surely as the likeliest one: they are likely one
    class with it, seen from two sides, so naming either is no mistake."""
    if seen.touch is None or seen.burst <= 0.5 or seen.touch[best] <= BRIDGE:
        return 0.0
    others = seen.touch > BRIDGE
    others[best] = False
    return float(shares[1:][others].sum())


def create(settings: Settings) -> Calibrated:
    """The detector of these settings."""
    return Calibrated(settings.imbalance)
