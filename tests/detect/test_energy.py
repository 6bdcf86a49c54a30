from __future__ import annotations

import numpy as np
import pytest

import tiny
from ilap.detect.energy import Energy, Parameters, energies


def test_the_energy_of_each_picture() -> None:
    found = energies(tiny.network().logits(tiny.exposure().rows))
    assert found.tolist() == pytest.approx([-1.8204, -1.5133, -1.4931], abs=1e-4)


def test_an_exposure_scores_the_mean() -> None:
    memory = tiny.memory((tiny.pool(tiny.A),) * 2, (tiny.pool(tiny.A),) * 2)
    finding = Energy(Parameters(-1.6))(tiny.network(), tiny.exposure(), memory, seed=0)
    assert finding.score == pytest.approx(-1.6089, abs=1e-4)
    assert finding.kind == "known"


def test_large_logits_do_not_overflow() -> None:
    assert energies(np.array([[2000.0, 0.0]])).tolist() == [-2000.0]
