from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ilap.exact import agglomerate
from ilap.exact.agglomerate import agglomerated, gathered
from ilap.exact.bands import Bands

SIZES = np.array([4.0, 60.0, 200.0])
SPREAD = np.array([3.0, 1.0, 0.5])
SHARE = 0.3


def drawn(things: list[int], seed: int = 0, share: float = SHARE, pictures: int = 10) -> Bands:
    """Exposures as the model has them: classes, sessions, noise."""
    rng = np.random.default_rng(seed)
    wide = np.repeat(SPREAD, SIZES.astype(int))
    classes = rng.normal(size=(max(things) + 1, len(wide))) * np.sqrt((1 - share) * wide)
    noise = np.full((3, len(things)), 1 / pictures)
    around = rng.normal(size=(len(things), len(wide))) * np.sqrt(share * wide + 1 / pictures)
    rows, even = classes[things] + around, np.ones(len(things))
    starts = np.array([0, 4, 64])
    return Bands(rows, np.zeros(len(wide)), even, starts, noise, SPREAD, SPREAD, SIZES, np.ones(3))


def log_density(rows: np.ndarray, covariance: np.ndarray) -> float:
    """Of a normal, for exposures (rows) in directions (columns) that are independent of each other."""
    sign, logdet = np.linalg.slogdet(covariance)
    assert sign > 0
    return float(
        -0.5 * (np.einsum("id,ij,jd->", rows, np.linalg.inv(covariance), rows) + rows.shape[1] * logdet)
    )


def test_the_odds_are_those_of_the_two_normals() -> None:
    seen = drawn([0, 0, 1])
    odds = gathered(seen, SHARE, np.arange(3)).odds()
    for one, other in itertools.combinations(range(3), 2):
        expected = 0.0
        for start, size, spread in zip(seen.starts, SIZES.astype(int), SPREAD, strict=True):
            rows = seen.rows[[one, other], start : start + size]
            apart = np.eye(2) * (spread + 0.1)
            expected += log_density(rows, apart + (1 - SHARE) * spread * (1 - np.eye(2))) - log_density(
                rows, apart
            )
        assert odds[one, other] == pytest.approx(expected)


@given(st.lists(st.integers(0, 5), min_size=2, max_size=25), st.integers(0, 10))
def test_what_the_model_draws_it_finds_again(shown: list[int], seed: int) -> None:
    things = np.unique(shown, return_inverse=True)[1]
    labels, gain = agglomerated(gathered(drawn(list(things), seed), SHARE, np.arange(len(things))))
    np.testing.assert_array_equal(labels[:, None] == labels, things[:, None] == things)
    assert (gain > 0) == (len(set(shown)) < len(shown))


@given(st.integers(0, 20))
def test_the_order_of_exposures_changes_nothing(seed: int) -> None:
    things = np.repeat(np.arange(4), 3)
    seen, order = drawn(list(things), share=0.7), np.random.default_rng(seed).permutation(12)
    plain, _ = agglomerated(gathered(seen, 0.7, np.arange(12)))
    mixed, _ = agglomerated(gathered(seen.of(order), 0.7, np.arange(12)))
    np.testing.assert_array_equal((plain[:, None] == plain)[np.ix_(order, order)], mixed[:, None] == mixed)


def test_groups_that_were_put_together_before_count_as_one() -> None:
    seen = drawn([0, 0, 0, 1])
    groups = gathered(seen, SHARE, np.array([0, 0, 0, 1]))
    single = gathered(seen, SHARE, np.arange(4))
    joined = single.joined(np.array([0]), np.array([1])).joined(np.array([0]), np.array([1]))
    assert groups.odds()[0, 1] == pytest.approx(joined.odds()[0, 1])


def test_what_is_forbidden_is_never_joined_also_by_way_of_others() -> None:
    six = gathered(drawn([0] * 6), SHARE, np.arange(6))
    labels, _ = agglomerated(six, apart=[(0, 5)])
    assert labels[0] != labels[5]
    assert len(set(labels)) == 2
    labels, _ = agglomerated(six, known=np.arange(6) < 2)
    assert labels[0] != labels[1]
    assert len(set(labels)) == 2


def test_many_pairs_are_weighed_as_few_are(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = drawn(list(np.repeat(np.arange(6), 5)), 3)
    few = gathered(seen, SHARE, np.arange(30)).odds()
    monkeypatch.setattr(agglomerate, "AT_ONCE", 70)
    np.testing.assert_allclose(gathered(seen, SHARE, np.arange(30)).odds(), few)


def test_either_half_of_the_directions_finds_the_same_things() -> None:
    things = np.repeat(np.arange(6), 5)
    seen = drawn(list(things), 3)
    for side in (0, 1):
        half = seen.half(side)
        assert half.sizes.tolist() == [2, 30, 100]
        np.testing.assert_array_equal(half.rows, seen.rows[:, side::2])
        labels, _ = agglomerated(gathered(half, SHARE, np.arange(30)))
        np.testing.assert_array_equal(labels[:, None] == labels, things[:, None] == things)


def test_very_many_are_joined_by_their_neighbours_as_if_all_pairs_were_looked_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    things = np.random.default_rng(0).integers(0, 20, 100)
    groups = gathered(drawn(things.tolist(), 3), SHARE, np.arange(100))
    every = agglomerated(groups)
    monkeypatch.setattr(agglomerate, "FEW", 30)
    near = agglomerated(groups)
    np.testing.assert_array_equal(every[0], near[0])
    assert every[1] == pytest.approx(near[1])
