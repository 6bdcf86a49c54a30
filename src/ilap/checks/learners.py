"""What every learner on the bench has to keep."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from ilap.bench.learners.contract import Task
from ilap.bench.learners.load import load, settings_of
from ilap.bench.run import Run
from ilap.bench.stream import Stream, make
from ilap.checks.digits import Pixels, without_prior
from ilap.core.presets import PRESETS
from ilap.data import digits

CHANGES = {"trainable": "head", "epochs": 8, "head_rate": 0.05}
"""The settings with which learners that train are checked: the head alone, in seconds."""


@cache
def stream() -> Stream:
    """Twenty exposures of digits."""
    return make(digits.create(), exposure_size=20, repeats=2, seed=3)


def task_for(name: str, seed: int = 0, **changes: Any) -> Task:
    """What a learner is made for."""
    closed_form = name in PRESETS and PRESETS[name].settings["classifier"] == "exact"
    return Task(stream(), seed, {**({} if closed_form else CHANGES), **changes}, lambda settings: Pixels())


def run_of(name: str, **changes: Any) -> Run:
    """A learner through the stream."""
    with without_prior():
        work = Run(load(name, task_for(name, **changes)), stream())
        for _ in work:
            pass
    return work


def check_learner(name: str, **changes: Any) -> None:
    """All checks, on the learner of this name with these settings."""
    for check in BENCH_CHECKS:
        check(name, changes)


def it_goes_through_a_stream_and_the_same_seed_says_the_same(name: str, changes: dict[str, Any]) -> None:
    """Every decision, and every accuracy after it."""
    first, second = run_of(name, **changes), run_of(name, **changes)
    figures = first.summary()
    assert figures["exposures"] == len(stream())
    assert figures["unique_classes"] == len(set(first.truth_of.values()))
    assert 0.1 <= figures["accuracy"] <= 1
    said = [
        [(r.decision.kind, r.decision.class_id, r.accuracy) for r in work.records] for work in (first, second)
    ]
    assert said[0] == said[1]


def what_has_no_label_is_told_none(name: str, changes: dict[str, Any]) -> None:
    """A learner says whether it is labelled, and reports facts as numbers."""
    with without_prior():
        learner = load(name, task_for(name, **changes))
    assert isinstance(learner.labelled, bool)
    assert all(isinstance(value, float) for value in learner.facts.values())


def the_preset_that_it_starts_from_takes_the_settings(name: str, changes: dict[str, Any]) -> None:
    """Where it names one, so that frozen features can be computed beforehand."""
    settings = settings_of(name, {**CHANGES, **changes})
    if settings is not None:
        assert settings.is_frozen


BENCH_CHECKS: list[Callable[[str, dict[str, Any]], None]] = [
    it_goes_through_a_stream_and_the_same_seed_says_the_same,
    what_has_no_label_is_told_none,
    the_preset_that_it_starts_from_takes_the_settings,
]
