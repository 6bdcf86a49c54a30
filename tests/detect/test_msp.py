from __future__ import annotations

import pytest

import tiny
from ilap.detect.msp import Msp, Parameters, doubts


def test_the_doubt_of_each_picture() -> None:
    found = doubts(tiny.network().probabilities(tiny.exposure().rows))
    assert found.tolist() == pytest.approx([0.1978, 0.2689, 0.5], abs=1e-4)


def test_an_exposure_scores_the_mean_and_is_new_above_the_threshold() -> None:
    memory = tiny.memory((tiny.pool(tiny.A),) * 2, (tiny.pool(tiny.A),) * 2)
    known = Msp(Parameters(0.33))(tiny.network(), tiny.exposure(), memory, seed=0)
    assert known.score == pytest.approx(0.3222, abs=1e-4)
    assert (known.kind, known.column) == ("known", 0)
    assert known.drops.tolist() == pytest.approx([2 / 3, 1 / 3])
    assert Msp(Parameters(0.32))(tiny.network(), tiny.exposure(), memory, seed=0).kind == "new"
