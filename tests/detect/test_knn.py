from __future__ import annotations

import pytest

import tiny
from ilap.detect.knn import Knn, Parameters


@pytest.mark.parametrize(("k", "expected"), [(1, 0.6104), (2, 0.6491), (9, 0.6491)])
def test_the_distance_to_the_kth_nearest_exemplar(k: int, expected: float) -> None:
    """C is .6104 from B and .6491 from A, as unit vectors; there is no ninth."""
    pools = (tiny.pool(tiny.A), tiny.pool(tiny.B))
    finding = Knn(Parameters(1.0, k))(tiny.network(), tiny.exposure(tiny.C), tiny.memory(pools, pools), seed=0)
    assert finding.score == pytest.approx(expected, abs=1e-4)
    assert (finding.kind, finding.column) == ("known", 1)
