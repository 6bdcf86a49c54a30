"""A learner by its name: a preset's, that of a file which holds a preset, or that of a learner's own file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

from ilap.bench.learners.contract import BenchLearner, Task
from ilap.bench.learners.preset import of_preset
from ilap.core import registry
from ilap.core.errors import BadSetting
from ilap.core.parameters import Component, component
from ilap.core.presets import PRESETS
from ilap.core.settings import Settings, is_preset, resolve


def names() -> list[str]:
    """All learners: ``ilap`` by its presets, then the others."""
    return [*PRESETS, *registry.names("learner")]


def settings_of(name: str, changes: Mapping[str, Any]) -> Settings | None:
    """The settings that a learner starts from, where it says so."""
    if is_preset(name):
        return resolve(name, changes)
    check(name)
    preset = getattr(registry.module("learner", name), "PRESET", None)
    return resolve(preset, changes) if preset else None


def component_of(name: str, changes: Mapping[str, Any]) -> Component:
    """The parameters of a learner's own file."""
    changed = {
        parameter: value
        for full, value in changes.items()
        for prefix, dot, parameter in [full.rpartition(".")]
        if dot and registry.plain(prefix) == registry.plain(name)
    }
    return component("learner", name, changed)


def told_of(name: str, changes: Mapping[str, Any]) -> dict[str, Any]:
    """Everything that a learner is told, with all settings resolved, as JSON takes it."""
    settings = settings_of(name, changes)
    resolved = dict(changes) if settings is None else settings.plain()
    parameters = {} if is_preset(name) else asdict(component_of(name, changes).parameters)
    return {**resolved, **{f"{name}.{parameter}": value for parameter, value in parameters.items()}}


def check(name: str) -> None:
    """Say so if there is no such learner. Hyphens and underscores do not count."""
    if is_preset(name):
        resolve(name, {})
    elif registry.plain(name) not in map(registry.plain, registry.names("learner")):
        raise BadSetting(f"There is no learner {name!r}: take one of {', '.join(names())}, or a preset file.")


def load(name: str, task: Task) -> BenchLearner:
    """Make a learner for a task."""
    if is_preset(name):
        return of_preset(name, task)
    check(name)
    parameters = component_of(name, task.changes).parameters
    learner: BenchLearner = registry.find("learner", name)(replace(task, parameters=parameters))
    return learner
