from __future__ import annotations

import numpy as np
import pytest

import tiny
from ilap.detect.mahalanobis import Mahalanobis, Parameters, squares


def test_squared_distances_worked_by_hand() -> None:
    """Class 0 is A and C, with the mean (.6, .25); class 1 is B twice. The residuals are (.2, -.15) both ways
    and nothing else: the pooled covariance has the variance .03125 along (.8, -.6) and 0 across, .0296875 and
    .0015625 after shrinking. A is (.2, -.15) from its mean, .0625 / .0296875; from B it is (.7, -.5), which is
    .86 along and .02 across."""
    network = tiny.network()
    rows = network.features(tiny.exposure().rows)
    found = squares(rows, [network.features(np.stack(p)) for p in ((tiny.A, tiny.C), (tiny.B, tiny.B))])
    assert found[0].tolist() == pytest.approx([2.1053, 25.169], abs=1e-3)
    assert found[1, 1] == pytest.approx(0.0, abs=1e-6)
    assert found[2, 0] == pytest.approx(2.1053, abs=1e-3)


def test_an_exposure_scores_the_mean_distance_to_the_nearest_class() -> None:
    pools = (tiny.pool(tiny.A, tiny.C), tiny.pool(tiny.B, tiny.B))
    finding = Mahalanobis(Parameters(1.0))(tiny.network(), tiny.exposure(), tiny.memory(pools, pools), seed=0)
    assert finding.score == pytest.approx(1.4035, abs=1e-3)
    assert finding.kind == "new"


def test_fewer_exemplars_than_features_are_no_error() -> None:
    rows = np.random.default_rng(0).normal(size=(3, 50))
    assert np.isfinite(squares(rows, [rows[:1], rows[1:]])).all()
