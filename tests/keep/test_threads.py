"""What a server needs: threads that ask one learner at once are answered as one after the other would be."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from ilap import Learner
from ilap.backbones.stored import Cached
from ilap.checks.digits import Exposures
from ilap.core.exposure import Samples
from ilap.keep.learner import LearnerInFile
from ilap.keep.store import view


@pytest.fixture
def hurried() -> Iterator[None]:
    """Threads take turns as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.fixture
def learner(tmp_path: Path, lite0: Cached, exposures: Exposures) -> Iterator[LearnerInFile]:
    with Learner.open(tmp_path / "a.ilap", backbone=lite0) as made:
        for place in range(2):
            for label in range(6):
                made.observe(exposures[label][place])
        yield made


def test_one_classifier_answers_all_threads_as_it_would_each_alone(
    learner: LearnerInFile, exposures: Exposures, hurried: None
) -> None:
    exact = learner.exact
    rows = [learner.samples(exposures[label][2].pictures) for label in range(6)]
    shown = [Samples(99, own, np.zeros(len(own), bool)) for own in rows]
    alone = [replace(exact).belief(one) for one in shown]
    with ThreadPoolExecutor(6) as pool:
        together = list(pool.map(exact.belief, shown * 5))
    for number, found in enumerate(together):
        expected = alone[number % 6]
        assert found is not None
        assert expected is not None
        np.testing.assert_array_equal(found.known, expected.known)
        assert found.new == expected.new


def test_models_that_share_a_frame_do_not_take_each_others_means(learner: LearnerInFile) -> None:
    """Another thread writes its own means just after this one has written."""
    exact = learner.exact
    first, second = list(exact.classes)[:2]
    moved = exact.move(exact.model.members(first), second)
    frame = exact.model.frame
    assert moved.model.frame is frame
    expected = exact.model.means().copy()
    theirs = {
        k: (moved.model.by_class[k], row) for k, row in zip(moved.classes, moved.model.means(), strict=True)
    }

    class Meddled(dict[int, object]):
        def update(self, *made: object) -> None:  # type: ignore[override]
            super().update(*made)  # type: ignore[arg-type]
            super().update(theirs)

    object.__setattr__(frame, "known_means", Meddled())
    np.testing.assert_allclose(exact.model.means(), expected, atol=1e-9)


def test_every_thread_has_its_own_connection_and_sees_what_was_written(
    learner: LearnerInFile, exposures: Exposures
) -> None:
    mine = learner.file.connection

    def read() -> tuple[int, int]:
        connection = learner.file.connection
        return id(connection), len(view.exposures(connection))

    with ThreadPoolExecutor(1) as pool:
        other, count = pool.submit(read).result()
        assert other != id(mine)
        assert count == 12
        learner.observe(exposures[7][0])
        assert pool.submit(read).result() == (other, 13)
