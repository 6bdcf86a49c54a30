from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.exact.test_agglomerate import drawn

from ilap.core.rule import RULE
from ilap.exact.exact import Exact, with_prior
from ilap.exact.frame import Frame
from ilap.exact.session import joining, log_likelihood, sessions, sessions_of_stream, share_of, telling
from modelled import FLOOR, PRIOR, SHARE, VARIANCES, Rows, shown

SHARP = replace(RULE.bands, dependence=1.0)  # directions are independent here


@pytest.mark.parametrize("truth", [0.05, 0.2, 0.5, 0.8])
def test_the_share_of_sessions_is_told_by_how_exposures_gather(truth: float) -> None:
    things = list(np.repeat(np.arange(10), 6))
    found = sessions(drawn(things, share=truth), np.arange(60), SHARP)
    assert found == pytest.approx(np.log(truth / (1 - truth)), abs=0.4)


def test_where_nothing_but_noise_lies_between_repeats_it_is_as_small_as_it_gets() -> None:
    things = list(np.repeat(np.arange(10), 6))
    assert sessions(drawn(things, share=1e-4), np.arange(60), SHARP) == RULE.bands.lowest


def test_it_is_the_likeliest_of_all() -> None:
    things = list(np.repeat(np.arange(8), 5))
    seen = drawn(things, share=0.3)
    best = sessions(seen, np.arange(40), SHARP)
    there = log_likelihood(seen, share_of(best), np.arange(40))
    for other in np.arange(-4.0, 2.5):
        assert there >= log_likelihood(seen, share_of(float(other)), np.arange(40)) - 0.5


def test_few_exposures_tell_little_of_it_and_many_tell_it() -> None:
    few = sessions(drawn([0, 0, 1], share=0.05), np.arange(3), RULE.bands)
    many = sessions(drawn(list(np.repeat(np.arange(10), 6)), share=0.05), np.arange(60), RULE.bands)
    assert many < few < RULE.bands.usual


def test_pictures_that_follow_each_other_are_joined_as_bursts_are() -> None:
    assert joining(-3.0, 0.6, RULE.bands) == RULE.bands.bursts
    assert joining(1.0, 0.6, RULE.bands) == 1.0
    assert joining(-3.0, 1.0, RULE.bands) == joining(-3.0, None, RULE.bands) == -3.0


def test_what_people_put_together_although_it_lies_apart_raises_the_share() -> None:
    things = np.repeat(np.arange(10), 6)
    seen = drawn(list(things), share=0.1)
    labels = np.where(things < 2, 0, np.arange(60))  # two things that a person calls one
    labels = np.unique(labels, return_inverse=True)[1]
    assert sessions(seen, labels, RULE.bands) > sessions(seen, np.arange(60), RULE.bands)


def many(count: int) -> Exact:
    """A classifier that has seen so many exposures, two of each identity, of which none is a class."""
    rng = np.random.default_rng(0)
    learned = with_prior(Rows(), PRIOR)
    centres = rng.normal(size=(count // 2, len(VARIANCES))) * np.sqrt(SHARE * VARIANCES + FLOOR)
    for number in range(count):
        learned = learned.see(shown(number, centres[number % len(centres)], 12, rng))
    return learned


def test_the_share_is_told_by_all_exposures_and_by_neighbours_where_there_are_very_many() -> None:
    model = replace(many(40).model, fixed=frozenset({1, 2}))
    assert set(telling(model)) == set(range(40))
    few = replace(RULE, bands=replace(RULE.bands, weighed=12))
    model = replace(model, frame=Frame(model.metric, model.prior, few))
    chosen = set(telling(model))
    assert {1, 2} <= chosen
    assert len(chosen) <= 12 + 2
    assert all((number + 20) % 40 in chosen for number in (0, 13, 26, 39))  # the other one of its identity


def test_what_somebody_said_of_how_pictures_are_drawn_holds() -> None:
    model = many(40).model
    found = sessions_of_stream(model)
    assert sessions_of_stream(replace(model, sampling="random")) == RULE.bands.random
    assert sessions_of_stream(replace(model, sampling="burst")) == max(found, RULE.bands.bursts)
