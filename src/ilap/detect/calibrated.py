"""The likeliest answer by calibrated probabilities, and how likely it is wrong.

The classifier says how likely the exposure shows each class, and how likely it is new (exact/belief.py).
Whether the likeliest answer is sure enough is for the learner to say (learner/step.py), by the risk that its
user accepts. So there is no threshold to tune per data set, where confusion.py has theta. The accuracy that
each class would lose in the paper's trial is told along, in ``drops``; it decides nothing here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from ilap.core.classifier import Array, Classifier
from ilap.core.exemplars import Memory
from ilap.core.exposure import Samples
from ilap.core.parameters import share
from ilap.detect.capabilities import GivesBelief, require
from ilap.detect.confusion import relative_drop
from ilap.detect.contract import Finding


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
    needs: ClassVar[frozenset[str]] = frozenset({"belief"})

    def __call__(self, classifier: Classifier, exposure: Samples, memory: Memory, seed: int) -> Finding:
        """The likeliest answer, and how likely it is wrong."""
        exact: GivesBelief = require("calibrated", self.needs, classifier)
        if not exact.classes:
            return Finding("new", None, 0.0, np.empty(0), "nothing was known before", 0.0, np.ones(1))
        believed = exact.belief(exposure)
        everything = np.zeros(1 + len(exact.classes))
        if believed is None:
            everything[0] = 1.0
        else:
            everything[0] = believed.new
            everything[1 + believed.columns] = believed.known
        trial = exact.trial(exposure, memory, self.parameters.imbalance, seed)
        drops = relative_drop(trial.before, trial.after_at_least)
        score = novelty(everything, exact.rule.answer.largest_score)
        best = int(everything.argmax())
        found = Finding(
            "new", None, score, drops, in_words(everything, exact.classes), probabilities=everything
        )
        found = replace(found, error=1 - float(everything[best]))
        return replace(found, kind="known", column=best - 1) if best else found


def in_words(shares: Array, classes: Sequence[int]) -> str:
    """The two likeliest answers, each with its probability.

    >>> in_words(np.array([0.2, 0.75, 0.05]), (3, 4))
    'class 3 75.0%, new 20.0%'
    """
    names = ["new", *(f"class {class_id}" for class_id in classes)]
    likeliest = np.argsort(-shares, kind="stable")[:2]
    return ", ".join(f"{names[i]} {shares[i]:.1%}" for i in likeliest)


def novelty(shares: Array, largest: float) -> float:
    """The log odds of *new* against the likeliest class.

    >>> round(novelty(np.array([0.5, 0.25, 0.25]), largest=50.0), 3)
    0.693
    """
    new, known = np.log(shares[0] + 1e-300), np.log(shares[1:].max() + 1e-300)
    return float(np.clip(new - known, -largest, largest))


create = Calibrated
