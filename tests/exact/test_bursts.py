from __future__ import annotations

import numpy as np

from ilap.core.rule import RULE
from ilap.exact import bursts as burst
from ilap.exact.bursts import Bond

BURSTS = RULE.bursts


def path(start: np.ndarray, count: int, rng: np.random.Generator, stride: float = 0.3) -> np.ndarray:
    """Pictures along a walk: each a small step from the one before."""
    return start + np.cumsum(rng.normal(size=(count, 30)) * stride, 0)


def test_a_walk_is_a_burst_in_its_order_and_without() -> None:
    rng = np.random.default_rng(0)
    walk = path(np.zeros(30), 20, rng)
    residuals = walk - walk.mean(0)
    tr = float((residuals**2).sum()) / 19
    ordered = burst.bond(residuals, tr, True, walk, BURSTS)
    unordered = burst.bond(residuals, tr, False, walk, BURSTS)
    assert burst.burstness(ordered, True, [], BURSTS) == 1
    assert burst.burstness(unordered, False, [unordered] * 3 if unordered else [], BURSTS) > 0.5


def test_independent_pictures_are_no_burst_whatever_their_order() -> None:
    rng = np.random.default_rng(1)
    for ordered in (True, False):
        cloud = rng.normal(size=(20, 300))
        residuals = cloud - cloud.mean(0)
        own = burst.bond(residuals, float((residuals**2).sum()) / 19, ordered, cloud, BURSTS)
        assert burst.burstness(own, ordered, [], BURSTS) == 0


def test_three_pictures_tell_no_burst_but_the_stream_before_them_does() -> None:
    assert burst.bond(np.zeros((3, 2)), 1.0, True, np.zeros((3, 2)), BURSTS) is None
    assert burst.burstness(None, True, [], BURSTS) == 0
    assert burst.burstness(None, True, [Bond(True, 0.1, 17.0)] * 5, BURSTS) == 1


def test_the_step_is_the_distance_of_neighbours_in_any_order() -> None:
    line = np.arange(10.0)[:, None]
    assert burst.step(line) == burst.step(np.random.default_rng(0).permutation(line)) == 0.5
    assert burst.step(line[:1]) > 0


def test_a_burst_belongs_to_what_it_touches() -> None:
    rng = np.random.default_rng(2)
    first, other = path(np.zeros(30), 20, rng), path(np.full(30, 8.0), 20, rng)
    onwards = path(first[-1], 20, rng)  # goes on where the first one ended
    logs = burst.touching(onwards, [first, other])
    assert logs[0] < logs[1]
    steps = np.array([burst.step(first), burst.step(other)])
    odds = burst.log_odds(logs, burst.step(onwards), steps, np.array([0, 1]), [], 2, np.inf, 2.0, BURSTS)
    assert odds[0] > 2
    assert odds[1] < 0
