"""A class that is given up: its exposures wait, in memory and in a file alike, and nothing is lost."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ilap import Decision, Exposure, Learner
from ilap.checks.digits import Pixels
from ilap.data.contract import Dataset
from ilap.keep.learner import LearnerInFile
from ilap.keep.store import state
from ilap.keep.store.check import problems

pytestmark = pytest.mark.filterwarnings("ignore:There is no prior")
STRICT: dict[str, Any] = {"discard_below": 0.97, "risk": 0.35, "backbone": Pixels()}
"""Nearly every class of which one picture in thirty is misnamed is given up, and many exposures wait."""


def shown(digits: Dataset, count: int) -> Iterator[Exposure]:
    rng = np.random.default_rng(3)
    for _ in range(count):
        own = np.flatnonzero(digits.train.labels == rng.integers(10))
        rows = rng.choice(own, int(rng.integers(3, 14)), replace=False)
        yield Exposure([digits.train.pictures[i] for i in rows])


def told(decision: Decision) -> tuple[Any, ...]:
    """A decision without its time, its error to nine places."""
    settled = tuple(told(answer) for answer in decision.settled)
    error = None if decision.error is None else round(decision.error, 9)
    return decision.exposure, decision.kind, decision.class_id, error, decision.discarded, settled


def same(one: Learner | LearnerInFile, other: Learner | LearnerInFile) -> None:
    """Both know the same, to the bit or nearly so."""
    assert one.state.members == other.state.members
    assert [s.number for s in one.state.waiting] == [s.number for s in other.state.waiting]
    for a, b in zip(one.state.waiting, other.state.waiting, strict=True):
        np.testing.assert_array_equal(a.rows, b.rows)
    ours, theirs = one.state.exact.model, other.state.exact.model
    assert ours.metric.freedom == theirs.metric.freedom
    np.testing.assert_allclose(ours.metric.scatter, theirs.metric.scatter, atol=1e-9)
    assert ours.by_class.keys() == theirs.by_class.keys()


@pytest.mark.parametrize("every", [1, 50])
def test_a_learner_in_memory_and_one_in_a_file_stay_the_same_whenever_it_is_reopened(
    every: int, digits: Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also if every event writes a checkpoint, and if few do."""
    monkeypatch.setattr(state, "CHECKPOINT_EVERY", every)
    memory, path = Learner(**STRICT), tmp_path / "a.ilap"
    given_up_while_others_waited = 0
    file = Learner.open(path, **STRICT)
    for number, exposure in enumerate(shown(digits, 60)):
        waited = bool(memory.state.waiting)
        decision = memory.observe(exposure)
        given_up_while_others_waited += bool(decision.discarded) and waited
        assert told(decision) == told(file.observe(exposure))
        same(memory, file)
        if number % 7 == 0:
            file.close()
            file = Learner.open(path, **STRICT)
            same(memory, file)
        if number % 10 == 0:
            assert not list(problems(file.file.connection))
    assert given_up_while_others_waited > 3
    assert not list(problems(file.file.connection))
    file.close()


def test_every_exposure_is_in_a_class_or_waits(digits: Dataset) -> None:
    learner = Learner(**STRICT)
    for exposure in shown(digits, 40):
        learner.observe(exposure)
        placed = {number for own in learner.state.members.values() for number in own}
        waiting = {samples.number for samples in learner.state.waiting}
        assert placed | waiting == set(range(learner.state.seen))
        assert not placed & waiting


def test_what_was_given_up_has_left_nothing_behind(digits: Dataset) -> None:
    """The scatter is that of all exposures, each once, and those that wait are unsure."""
    learner = Learner(**STRICT)
    for exposure in shown(digits, 40):
        learner.observe(exposure)
    model = learner.state.exact.model
    assert model.metric.freedom == sum(size - 1 for size in learner.state.sizes)
    assert set(model.exposures) == {n for own in learner.state.members.values() for n in own}
    assert set(model.unsure) == {samples.number for samples in learner.state.waiting}
