"""Replay with labels: the network of ``paper-cpu`` taught, without distillation or bias correction.

This is what the authors' released code runs for its supervised row, which the paper calls BiC (bic.py)."""

from __future__ import annotations

from ilap.bench.learners.contract import Task
from ilap.bench.learners.preset import Preset

PRESET = "paper-cpu-drop"


def create(task: Task) -> Preset:
    """The paper's learner, taught."""
    return Preset(task.learner(PRESET), labelled=True)
