from __future__ import annotations

import pytest

import tiny
from ilap.core.exemplars import Exemplars
from ilap.core.exposure import Samples
from ilap.detect.contract import Finding
from ilap.detect.distance import Distance, Parameters


def ask(threshold: float, exposure: Samples, pools: tuple[Exemplars, Exemplars]) -> Finding:
    return Distance(Parameters(threshold))(tiny.network(), exposure, tiny.memory(pools, pools), seed=0)


def test_the_distance_of_mean_directions() -> None:
    """A points to (.9923, .1240), B to (.1644, .9864), C to (.7071, .7071)."""
    pools = (tiny.pool(tiny.A), tiny.pool(tiny.B))
    finding = Distance(Parameters(0.65))(
        tiny.network(), tiny.exposure(tiny.C), tiny.memory(pools, pools), seed=0
    )
    assert finding.score == pytest.approx(0.6104, abs=1e-4)
    assert (finding.kind, finding.column) == ("known", 1)
    assert finding.drops.tolist() == pytest.approx([1 - 0.6491 / 0.65, 1 - 0.6104 / 0.65], abs=1e-3)
    assert ask(0.6, tiny.exposure(tiny.C), pools).kind == "new"


def test_the_mean_is_taken_before_the_distance() -> None:
    """A and B together point to the middle, where C is."""
    pools = (tiny.pool(tiny.C), tiny.pool(tiny.B))
    found = Distance(Parameters(0.5))(
        tiny.network(), tiny.exposure(tiny.A, tiny.B), tiny.memory(pools, pools), seed=0
    )
    assert found.score == pytest.approx(0.0204, abs=1e-4)
    assert found.column == 0


def test_the_mean_distance_of_pictures_grows_with_their_spread() -> None:
    """A is 1.195 away from B, and .649 from C, which is .610 away from B; validation exemplars do not count."""
    train, val = (tiny.pool(tiny.C), tiny.pool(tiny.B)), (tiny.pool(tiny.A), tiny.pool(tiny.A))
    found = Distance(Parameters(0.5, "pictures"))(
        tiny.network(), tiny.exposure(tiny.A, tiny.B), tiny.memory(train, val), seed=0
    )
    assert found.score == pytest.approx(1.1954 / 2, abs=1e-4)
    assert found.kind == "new"
    near = Distance(Parameters(0.7, "pictures"))(
        tiny.network(), tiny.exposure(tiny.A, tiny.B), tiny.memory((train[0], tiny.pool(tiny.C)), val), seed=0
    )
    assert near.score == pytest.approx((0.6491 + 0.6104) / 2, abs=1e-4)
    assert near.kind == "known"


def test_the_mean_of_a_class_is_not_scaled() -> None:
    """The mean of A and B is .7071 long or less, so C lies away from it though it points there."""
    pools = (tiny.pool(tiny.A, tiny.B), tiny.pool(tiny.A))
    found = Distance(Parameters(0.5, "pictures"))(
        tiny.network(), tiny.exposure(tiny.C), tiny.memory(pools, pools), seed=0
    )
    assert found.column == 0
    assert found.score == pytest.approx(0.1984, abs=1e-3)
