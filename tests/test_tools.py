"""The tools run on a small case: what they were last used for may be months ago."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

import walk
from fitting import fit
from fitting.asks import along
from fitting.material import Stream
from ilap.exact.calibration import shipped
from ilap.exact.features import LIKENESS, UNLIKENESS
from modelled import DIM, FLOOR, PRIOR, SHARE, VARIANCES, Rows, shown


def stream(seed: int) -> Stream:
    """Six classes in a world as modelled, five exposures of each."""
    rng = np.random.default_rng(seed)
    centres = rng.normal(size=(6, DIM)) * np.sqrt(SHARE * VARIANCES + FLOOR)
    truths = rng.permutation(np.repeat(np.arange(6), 5))
    exposures = tuple(shown(number, centres[truth], 12, rng) for number, truth in enumerate(truths))
    return Stream("modelled", seed, exposures, tuple(map(int, truths)))


def test_weights_are_fitted_to_what_a_learner_asks_itself_and_decide_better_than_none() -> None:
    walks = [along(stream(seed), Rows(), PRIOR, None, 0.05, 0) for seed in range(6)]
    asked = [fit.together("modelled", walk.names, walk.asks) for walk in walks]
    found = fit.weights(asked)
    assert set(found) == set(shipped().weights)
    assert all(found[name] >= 0 for name in LIKENESS)
    assert all(found[name] <= 0 for name in UNLIKENESS)
    fitted = replace(shipped(), features=(Rows.key,), weights=found)
    right = [one for seed in (10, 11) for one in along(stream(seed), Rows(), PRIOR, fitted, 0.05, 1).right]
    assert len(right) >= 30
    assert np.mean(right) > 0.9


def test_the_house_is_counted() -> None:
    counted = walk.sizes()
    assert 100 < counted["files"] < 400
    assert counted["lines_of_code"] < counted["lines"]
