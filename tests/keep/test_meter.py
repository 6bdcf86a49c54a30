"""How likely more answers change anything."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ilap import Learner
from ilap.checks.digits import Exposures, Pixels
from ilap.keep import meter
from ilap.keep.learner import LearnerInFile


@pytest.fixture
def learner(tmp_path: Path, exposures: Exposures) -> Iterator[LearnerInFile]:
    """Two exposures of each of two digits, all of them unsure but for the first."""
    with Learner.open(tmp_path / "digits.ilap", backbone=Pixels(), risk=1e-6) as opened:
        for label in (3, 8, 3, 8):
            opened.observe(exposures[label][opened.state.seen // 2])
        yield opened


def test_an_answer_that_moves_something_counts_and_one_that_confirms_does_not(learner: LearnerInFile) -> None:
    first = learner.places
    learner.answer("1=3", "same" if first[1] == first[3] else "different")
    learner.answer("0=2", "different" if first[0] == first[2] else "same")
    quiet, moved = meter.changed(learner.history())
    assert (quiet, moved) == (False, True)
    learner.undo()
    assert meter.changed(learner.history()) == [False]


def test_many_answers_that_change_nothing_say_that_it_is_time_to_stop(learner: LearnerInFile) -> None:
    asked = meter.ask(learner, 3)
    assert len(asked.questions) <= 3
    assert 0 <= asked.meter.likely <= 1
    coming = learner.ask(20)
    likely = [meter.meter([False] * count, coming).likely for count in (0, 20, 60)]
    assert likely == sorted(likely, reverse=True)
    assert meter.meter([False] * 60, coming).stop
    assert not meter.meter([True] * 5, coming).stop
