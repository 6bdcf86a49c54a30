"""Confusion: train the exposure as a new class and see which old class loses its accuracy (paper 3.2, 3.3).

If two labels stand for one thing, a classifier cannot keep them apart. So a copy of the classifier learns the
exposure as class K+1, and the old class whose validation accuracy collapses is what the exposure shows; if
none does, the exposure is new. A class imbalance lambda during the trial, fewer old samples against the
exposure's, makes the collapse plain: the copy then prefers the newcomer, with 1/(2-lambda) of the posterior.

That is the paper's ``statistic``, *drop*. A class may also lose accuracy to a third one. *preference* looks at
the newcomer alone: at the class whose exemplars have the largest mean probability of being class K+1, and at
the share of them that are likelier K+1 than their own class.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ilap.core.classifier import Classifier
from ilap.core.exemplars import Memory
from ilap.core.exposure import Samples
from ilap.core.parameters import one_of, share
from ilap.detect.contract import Finding

Array = NDArray[np.float64]


def relative_drop(before: Array, after: Array) -> Array:
    """Delta: the share of its accuracy that each class lost, at least 0.

    >>> relative_drop(np.array([0.8, 1.0, 0.5]), np.array([0.2, 0.95, 0.6])).round(2).tolist()
    [0.75, 0.05, 0.0]
    """
    return np.clip((before - after) / np.maximum(before, 1e-12), 0.0, 1.0)


def collapsed(drops: Array, theta: float, evidence: Array) -> int | None:
    """Which class the exposure is: the one with the largest drop, if that exceeds theta. Between equal drops
    the evidence decides.

    >>> collapsed(np.array([0.05, 0.9, 0.3]), 0.6, evidence=np.zeros(3))
    1
    >>> collapsed(np.array([0.05, 0.6, 0.3]), 0.6, evidence=np.zeros(3)) is None
    True
    >>> collapsed(np.array([1.0, 1.0]), 0.6, evidence=np.array([0.4, 0.1]))
    0
    >>> collapsed(np.array([]), 0.6, evidence=np.array([])) is None
    True
    """
    if not len(drops) or drops.max() <= theta:
        return None
    return int(np.lexsort((evidence, drops))[-1])


def preferred(prefers: Array, theta: float, newcomer: Array) -> int | None:
    """Which class the exposure is: the one whose exemplars are most probably the newcomer, if more than theta
    of them prefer it to their own class.

    >>> preferred(np.array([0.7, 0.9]), 0.6, newcomer=np.array([0.5, 0.4]))
    0
    >>> preferred(np.array([0.6, 0.9]), 0.6, newcomer=np.array([0.5, 0.4])) is None
    True
    """
    likely = int(newcomer.argmax())
    return likely if prefers[likely] > theta else None


@dataclass(frozen=True)
class Parameters:
    """The paper's lambda and theta, and two rules of the authors' code that leave an exposure unsure. The
    default theta is that for ``exact``: a distance of D^2 = 8."""

    imbalance: float = 0.5  # [lambda] how much fewer old samples than new ones a trial has
    theta: float = 0.12  # [theta] the drop of accuracy above which an exposure is a known class
    sure_above: float = 0.0  # between theta and this drop the exposure is unsure
    statistic: str = "drop"  # of accuracy, or the preference of a class's exemplars for the newcomer
    several_above: float = 1.0  # if more than one class drops by more than this, the exposure is unsure

    def __post_init__(self) -> None:
        share("imbalance", self.imbalance, below=True)
        share("theta", self.theta, above=True, below=True)
        share("sure_above", self.sure_above)
        share("several_above", self.several_above)
        one_of("statistic", self.statistic, "drop", "preference")


@dataclass(frozen=True)
class Confusion:
    """The detector."""

    parameters: Parameters
    needs: ClassVar[frozenset[str]] = frozenset({"trial"})

    def __call__(self, classifier: Classifier, exposure: Samples, memory: Memory, seed: int) -> Finding:
        """Decide by the largest drop that the exposure is compatible with, and score by the likeliest one."""
        if not classifier.classes:
            return Finding("new", None, 0.0, np.empty(0), "nothing was known before")
        trial = classifier.trial(exposure, memory, self.parameters.imbalance, seed)
        if self.parameters.statistic == "preference":
            drops, likely = trial.prefers, preferred(trial.prefers, self.parameters.theta, trial.newcomer)
            largest = drops[trial.newcomer.argmax()]
            score, lost = -float(largest), "of its exemplars to the newcomer"
        else:
            drops = relative_drop(trial.before, trial.after_at_least)
            likely = collapsed(drops, self.parameters.theta, trial.evidence)
            largest = drops.max()
            score, lost = -float(relative_drop(trial.before, trial.after).max()), "of its accuracy"
        if likely is None:
            return Finding(
                "new", None, score, drops, f"no class would break: {largest:.0%} is the largest drop"
            )
        loss = f"class {classifier.classes[likely]} would lose {drops[likely]:.0%} {lost}"
        several = int((drops > self.parameters.several_above).sum())
        doubt = ""
        if not trial.resolved[likely]:
            few = f"{len(exposure)} picture{'s' * (len(exposure) > 1)}"
            doubt = f"{few} cannot tell it from its neighbours"
        elif several > 1:
            doubt = f"{several} classes would break at once"
        elif drops[likely] <= self.parameters.sure_above:
            doubt = f"that is not over {self.parameters.sure_above:.0%}"
        if doubt:
            return Finding("unsure", None, score, drops, f"{loss}, but {doubt}")
        return Finding("known", likely, score, drops, loss)


create = Confusion
