"""BiC, the paper's supervised row: incremental learning with labels, distillation and bias correction.

The method is network/bic.py; features, optimiser, epochs and exemplars are those of ``paper-cpu``.
"""

from __future__ import annotations

from ilap.bench.learners.contract import Task
from ilap.bench.learners.preset import Preset

PRESET = "paper-cpu-drop"


def create(task: Task) -> Preset:
    """The paper's learner with BiC as its classifier, taught."""
    return Preset(task.learner(PRESET, classifier="bic"), labelled=True)
