"""Confusion: train the exposure as a new class and see which old class loses its accuracy (paper 3.2, 3.3).

If two labels stand for one thing, a classifier cannot keep them apart. So a copy of the classifier learns the
exposure as class K+1, and the old class whose validation accuracy collapses is what the exposure shows; if
none does, the exposure is new. A class imbalance lambda during the trial, fewer old samples against the
exposure's, makes the collapse plain: the copy then prefers the newcomer, with 1/(2-lambda) of the posterior.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ilap.classify.contract import Classifier
from ilap.detect.contract import Finding
from ilap.exposure import Samples
from ilap.memory import Memory
from ilap.settings import Settings

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


@dataclass(frozen=True)
class Confusion:
    """The detector: ``imbalance`` is the paper's lambda, ``theta`` its threshold on the drop. The authors'
    code knows two more rules: a drop between theta and ``sure_above``, or of more than one class by more than
    ``several_above``, decides nothing."""

    imbalance: float
    theta: float
    sure_above: float = 0.0
    several_above: float = 1.0
    needs: ClassVar[frozenset[str]] = frozenset({"trial"})

    def __call__(self, classifier: Classifier, exposure: Samples, memory: Memory, seed: int) -> Finding:
        """Decide by the largest drop that the exposure is compatible with, and score by the likeliest one."""
        if not classifier.classes:
            return Finding("new", None, 0.0, np.empty(0), "nothing was known before")
        trial = classifier.trial(exposure, memory, self.imbalance, seed)
        estimate = relative_drop(trial.before, trial.after)
        drops = relative_drop(trial.before, trial.after_at_least)
        score = -float(estimate.max())
        likely = collapsed(drops, self.theta, trial.evidence)
        if likely is None:
            return Finding(
                "new", None, score, drops, f"no class would break: {drops.max():.0%} is the largest drop"
            )
        loss = f"class {classifier.classes[likely]} would lose {drops[likely]:.0%} of its accuracy"
        several = int((drops > self.several_above).sum())
        doubt = ""
        if not trial.resolved[likely]:
            few = f"{len(exposure)} picture{'s' * (len(exposure) > 1)}"
            doubt = f"{few} cannot tell it from its neighbours"
        elif several > 1:
            doubt = f"{several} classes would break at once"
        elif drops[likely] <= self.sure_above:
            doubt = f"that is not over {self.sure_above:.0%}"
        if doubt:
            return Finding("unsure", None, score, drops, f"{loss}, but {doubt}")
        return Finding("known", likely, score, drops, loss)


def create(settings: Settings) -> Confusion:
    """The detector of these settings."""
    return Confusion(settings.imbalance, settings.theta, settings.sure_above, settings.several_above)
