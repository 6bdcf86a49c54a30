"""The interval of an audit holds what it says, whatever the decisions are like."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import beta

from ilap.learner.sampling import SureKind, clopper_pearson, drawn, estimate


def population(rng: np.random.Generator) -> tuple[dict[int, SureKind], dict[int, bool]]:
    """The sure decisions of a stream: their kinds, and which of them are wrong. How many there are, how many
    are new and how often either kind is wrong differs from stream to stream."""
    count = int(rng.integers(15, 400))
    new = rng.random(count) < rng.choice([0.02, 0.1, 0.3, 0.6])
    shares = rng.choice([0.0, 0.02, 0.1, 0.3, 0.8], 2)
    wrong = rng.random(count) < shares[new.astype(int)]
    kinds: dict[int, SureKind] = {n: "new" if own else "known" for n, own in enumerate(new)}
    return kinds, {n: bool(own) for n, own in enumerate(wrong)}


def audited(
    kinds: dict[int, SureKind], wrong: dict[int, bool], number: int, rng: np.random.Generator
) -> tuple[float, float, float]:
    """What an audit says where all is answered as it is."""
    found: dict[SureKind, list[bool]] = {"new": [], "known": []}
    for n in drawn(kinds, number, rng):
        found[kinds[n]].append(wrong[n])
    of: dict[SureKind, int] = {kind: list(kinds.values()).count(kind) for kind in found}
    return estimate(found, of, min(number, len(kinds)))


@pytest.mark.parametrize("number", [5, 20, 60])
def test_of_200_streams_the_interval_covers_the_true_share_in_at_least_93_percent(number: int) -> None:
    rng = np.random.default_rng(number)
    covered = []
    for _ in range(200):
        kinds, wrong = population(rng)
        share, low, high = audited(kinds, wrong, number, rng)
        covered.append(low <= np.mean(list(wrong.values())) <= high)
        assert low <= share <= high
    assert np.mean(covered) >= 0.93


@pytest.mark.parametrize(
    ("new", "wrong_new", "wrong_known"), [(0.3, 0.3, 0.3), (0.3, 0.0, 0.05), (0.1, 0.9, 0.0), (0.04, 1, 0.3)]
)
def test_it_covers_one_stream_drawn_from_again_and_again(
    new: float, wrong_new: float, wrong_known: float
) -> None:
    rng = np.random.default_rng(1)
    kinds: dict[int, SureKind] = {n: "new" if n < 1000 * new else "known" for n in range(1000)}
    wrong = {n: bool(rng.random() < (wrong_new if kind == "new" else wrong_known)) for n, kind in kinds.items()}
    truth = np.mean(list(wrong.values()))
    ends = [audited(kinds, wrong, 20, rng)[1:] for _ in range(1000)]
    assert np.mean([low <= truth <= high for low, high in ends]) >= 0.93


def test_the_share_is_that_of_the_decisions_on_average() -> None:
    rng = np.random.default_rng(2)
    for rare in (30, 3):
        kinds: dict[int, SureKind] = {n: "new" if n < rare else "known" for n in range(150)}
        wrong = {n: n < rare or n % 3 == 0 for n in kinds}
        shares = [audited(kinds, wrong, 20, rng)[0] for _ in range(2000)]
        assert np.mean(shares) == pytest.approx(np.mean(list(wrong.values())), abs=0.01)


def test_kinds_are_drawn_in_proportion_and_at_least_one_of_each() -> None:
    rng = np.random.default_rng(3)
    kinds: dict[int, SureKind] = {n: "new" if n < 25 else "known" for n in range(100)}
    assert [sum(n < 25 for n in drawn(kinds, 20, rng)) for _ in range(9)] == [5] * 9
    kinds = {n: "new" if n == 7 else "known" for n in range(100)}
    for number in (2, 20, 100, 500):
        sample = drawn(kinds, number, rng)
        assert 7 in sample
        assert len(set(sample)) == len(sample) == min(number, 100)
    assert drawn({4: "known"}, 20, rng) == [4]
    assert drawn({}, 20, rng) == []


@pytest.mark.parametrize(("wrong", "count"), [(0, 20), (1, 20), (20, 20), (3, 7)])
def test_the_interval_is_that_of_clopper_and_pearson(wrong: int, count: int) -> None:
    low, high = clopper_pearson(wrong, count)
    assert low == pytest.approx(0.0 if wrong == 0 else beta.ppf(0.025, wrong, count - wrong + 1))
    assert high == pytest.approx(1.0 if wrong == count else beta.ppf(0.975, wrong + 1, count - wrong))
