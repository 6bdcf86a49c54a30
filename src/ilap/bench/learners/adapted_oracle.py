"""``adapted``, given the true labels: what having no labels costs where features learn."""

from __future__ import annotations

from ilap.bench.learners.adapted import PRESET, AdaptedPreset, Parameters
from ilap.bench.learners.contract import Task

__all__ = ["PRESET", "Parameters", "create"]


def create(task: Task) -> AdaptedPreset:
    """``fast``, taught and adapted."""
    return AdaptedPreset(task.learner(PRESET), labelled=True, parameters=task.parameters)
