"""BiC, the paper's supervised row: incremental learning with labels, distillation and bias correction.

The method is classify/bic.py; backbone, optimiser, epochs and exemplars are those of the ``paper`` preset.
"""

from __future__ import annotations

from ilap.learners.contract import Task
from ilap.learners.preset import Preset

PRESET = "paper"


def create(task: Task) -> Preset:
    """The ``paper`` preset with BiC as its classifier, taught."""
    return Preset(task.learner(PRESET, classifier="bic"), labelled=True)
