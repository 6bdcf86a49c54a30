"""Which answers are taken: those that are wrong with at most the risk, and at once less of *known*."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ilap import Learner
from ilap.checks.digits import Exposures, Pixels
from ilap.detect.contract import Finding
from ilap.learner.step import part_at_once, samples_of

RISK, CAUTION = 0.05, 20.0


@pytest.fixture(scope="module")
def learner(exposures: Exposures) -> Learner:
    made = Learner(backbone=Pixels(), risk=RISK, caution=CAUTION)
    for label in (0, 1):
        made.teach(exposures[label][0])
    return made


def taken(learner: Learner, exposures: Exposures, kind: str, error: float, at_once: bool) -> bool:
    """Whether the loop takes an answer of a detector that says so and gives it this probability of error."""

    def says(*_: Any) -> Finding:
        return Finding(kind, None if kind == "new" else 0, 0.0, np.zeros(2), "", error)  # type: ignore[arg-type]

    loop = replace(learner.loop, detector=says)
    found = (loop.at_once if at_once else loop).detect(
        learner.state, samples_of(learner.state, exposures[2][0]), seed=0
    )
    assert found.kind in (kind, "unsure")
    return found.kind == kind


@pytest.mark.parametrize(
    ("kind", "at_once", "limit"),
    [
        ("new", False, RISK),
        ("new", True, RISK),
        ("known", False, RISK),
        ("known", True, RISK * part_at_once(2, CAUTION)),
    ],
)
def test_an_answer_is_taken_up_to_the_risk_and_no_further(
    learner: Learner, exposures: Exposures, kind: str, at_once: bool, limit: float
) -> None:
    assert taken(learner, exposures, kind, 0.0, at_once)
    assert taken(learner, exposures, kind, limit * 0.99, at_once)
    assert not taken(learner, exposures, kind, limit * 1.01, at_once)


def test_what_is_not_taken_keeps_its_reason(learner: Learner, exposures: Exposures) -> None:
    doubtful = replace(learner.loop.settings, risk=1e-12)
    found = replace(learner.loop, settings=doubtful).detect(
        learner.state, samples_of(learner.state, exposures[0][1]), seed=0
    )
    assert found.kind == "unsure"
    assert found.column is None
    assert found.reason.endswith(": not sure enough")


@given(st.integers(0, 10_000))
def test_the_part_of_the_risk_that_is_taken_at_once_grows_with_what_was_seen(seen: int) -> None:
    assert 0 <= part_at_once(seen, 20.0) < part_at_once(seen + 1, 20.0) < part_at_once(seen + 1, 0.0) == 1
