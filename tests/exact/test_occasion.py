from __future__ import annotations

import numpy as np
import pytest
from tests.exact.test_agglomerate import drawn

from ilap.core.rule import RULE
from ilap.exact.occasion import joining_share, log_likelihood, occasions, pooled, share_of


@pytest.mark.parametrize("truth", [0.05, 0.2, 0.5, 0.8])
def test_the_share_of_occasions_is_told_by_how_exposures_gather(truth: float) -> None:
    things = list(np.repeat(np.arange(10), 6))
    found = occasions(drawn(things, share=truth), np.arange(60), RULE.bands)
    assert found == pytest.approx(np.log(truth / (1 - truth)), abs=0.4)


def test_where_nothing_but_noise_lies_between_repeats_it_is_as_small_as_it_gets() -> None:
    things = list(np.repeat(np.arange(10), 6))
    assert occasions(drawn(things, share=1e-4), np.arange(60), RULE.bands) < -3.5


def test_it_is_the_likeliest_of_all() -> None:
    things = list(np.repeat(np.arange(8), 5))
    seen = drawn(things, share=0.3)
    best = occasions(seen, np.arange(40), RULE.bands)
    there = log_likelihood(seen, share_of(best), np.arange(40))
    for other in np.arange(-4.0, 4.5):
        assert there >= log_likelihood(seen, share_of(float(other)), np.arange(40)) - 0.5


def test_few_exposures_are_hardly_believed_and_many_are() -> None:
    assert abs(pooled(-4.0, 4, RULE.bands)) < 2 < abs(pooled(-4.0, 100, RULE.bands))


def test_exposures_are_joined_a_little_more_easily_than_is_likeliest() -> None:
    assert joining_share(0.0, RULE.bands) > share_of(0.0)


def test_what_people_put_together_although_it_lies_apart_raises_the_share() -> None:
    things = np.repeat(np.arange(10), 6)
    seen = drawn(list(things), share=0.1)
    labels = np.where(things < 2, 0, np.arange(60))  # two things that a person calls one
    labels = np.unique(labels, return_inverse=True)[1]
    assert occasions(seen, labels, RULE.bands) > occasions(seen, np.arange(60), RULE.bands)
