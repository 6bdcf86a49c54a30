from __future__ import annotations

import numpy as np
import pytest

from ilap.backbones.prior import Prior
from ilap.bench.learners.immich import Immich, Parameters, nearest_placed
from ilap.checks.digits import Pixels
from ilap.core.decision import Decision
from ilap.core.errors import BadSetting


def shown(*degrees: float, **told: float) -> tuple[Immich, list[Decision]]:
    """What is said of exposures that lie in these directions."""
    flat = np.ones(2, np.float32)
    prior = Prior(np.zeros(2, np.float32), np.eye(2, dtype=np.float32), 1.0, flat)
    learner = Immich(Pixels(), prior, Parameters(**told))  # type: ignore[arg-type]
    learner.centred = lambda: np.stack(learner.means)  # type: ignore[method-assign]
    decisions = []
    for number, angle in enumerate(np.deg2rad(degrees)):
        learner.means.append(np.array([np.cos(angle), np.sin(angle)]))
        decisions.append(learner.decide(number))
    return learner, decisions


def test_the_third_neighbour_founds_a_class_with_those_that_wait() -> None:
    learner, said = shown(0, 1, 2)
    assert [decision.kind for decision in said] == ["unsure", "unsure", "new"]
    assert [(one.exposure, one.kind, one.class_id) for one in said[-1].settled] == [
        (0, "known", 0),
        (1, "known", 0),
    ]
    assert learner.placed == {0: 0, 1: 0, 2: 0}


def test_who_is_near_one_that_is_placed_joins_it_and_others_wait() -> None:
    learner, said = shown(0, 1, 2, 50, 170)
    assert [decision.kind for decision in said[3:]] == ["known", "unsure"]
    assert learner.placed[3] == 0
    assert 4 not in learner.placed


def test_one_that_waited_joins_as_soon_as_a_neighbour_is_placed() -> None:
    _, said = shown(0, 1, 2, 100, 50)  # 100 is near 50, and 50 is near 2
    assert said[3].kind == "unsure"
    assert [(one.exposure, one.kind) for one in said[4].settled] == [(3, "known")]


def test_with_one_neighbour_enough_nothing_waits() -> None:
    _, said = shown(0, 90, 180, least=1)
    assert [decision.kind for decision in said] == ["new"] * 3


def test_the_nearest_placed_is_not_the_nearest() -> None:
    assert nearest_placed(np.array([0.1, 0.2, 0.3]), {1: 7, 2: 8}) == 1
    assert nearest_placed(np.array([0.1]), {}) is None


def test_what_is_no_distance_is_refused() -> None:
    with pytest.raises(BadSetting, match="between 0 and 2"):
        Parameters(eps=2.5)
