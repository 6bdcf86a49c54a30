"""A learner by its name: a preset's, that of a file which holds a preset, or that of a learner's own file."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

from ilap import registry
from ilap.errors import BadSetting
from ilap.learners.contract import BenchLearner, Task
from ilap.learners.preset import of_preset
from ilap.settings import PRESETS, Settings, is_preset, resolve


def names() -> list[str]:
    """All learners: ``ilap`` by its presets, then the others."""
    return [*PRESETS, *registry.names("learner")]


def settings_of(name: str, changes: Mapping[str, Any]) -> Settings | None:
    """The settings that a learner starts from, where it says so."""
    if is_preset(name):
        return resolve(name, changes)
    check(name)
    module = sys.modules[registry.find("learner", name).__module__]
    preset = getattr(module, "PRESET", None)
    return resolve(preset, changes) if preset else None


def check(name: str) -> None:
    """Say so if there is no such learner."""
    if is_preset(name):
        resolve(name, {})
    elif name not in names():
        raise BadSetting(f"There is no learner {name!r}: take one of {', '.join(names())}, or a preset file.")


def load(name: str, task: Task) -> BenchLearner:
    """Make a learner for a task."""
    if is_preset(name):
        return of_preset(name, task)
    check(name)
    learner: BenchLearner = registry.find("learner", name)(task)
    return learner
