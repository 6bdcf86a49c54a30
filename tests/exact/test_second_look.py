from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ilap.core.exemplars import Memory
from ilap.core.exposure import Samples
from ilap.exact.exact import Exact
from ilap.exact.second_look import Split, split, ways
from modelled import shown, world


def parted(learned: Exact, class_id: int, exposure: Samples) -> Split:
    return split(learned.model, class_id, exposure, learned.evidence(exposure))


def test_a_wrong_merge_is_seen_when_the_difference_becomes_plain() -> None:
    """Two classes that were taken for one fall apart at a later exposure."""
    learned, centres, rng = world(5, 10, 1)
    mixed = learned.learn(shown(50, centres[1], 10, rng), 0, Memory(40, 10), 0)
    again = shown(51, centres[1], 10, rng)
    parts = parted(mixed, 0, again)
    assert parts.probability > 0.95
    assert parts.together == (50,)
    assert parts.apart == (0,)
    pure = learned.learn(shown(52, centres[0], 10, rng), 0, Memory(40, 10), 0)
    assert parted(pure, 0, shown(53, centres[0], 10, rng)).probability < 0.5


def test_a_class_of_one_exposure_cannot_fall_in_two() -> None:
    learned, centres, rng = world(3, 10, 0)
    found = parted(learned, 0, shown(50, centres[1], 10, rng))
    assert (found.probability, found.together, found.apart) == (0.0, (), ())


def test_what_a_person_put_together_is_never_parted() -> None:
    """The same wrong merge: with both exposures fixed nothing is left to part."""
    learned, centres, rng = world(5, 10, 1)
    mixed = learned.learn(shown(50, centres[1], 10, rng), 0, Memory(40, 10), 0)
    again = shown(51, centres[1], 10, rng)
    assert parted(mixed.fix([0, 50]), 0, again).apart in ((0, 50), ())
    one = parted(mixed.fix([50]), 0, again)
    assert one.together == (50,)


def test_asking_changes_nothing() -> None:
    learned, centres, rng = world(5, 10, 1)
    mixed = learned.learn(shown(50, centres[1], 10, rng), 0, Memory(40, 10), 0)
    rows = shown(60, centres[0], 5, rng).rows
    before = mixed.probabilities(rows)
    parted(mixed, 0, shown(51, centres[1], 10, rng))
    np.testing.assert_array_equal(mixed.probabilities(rows), before)


@given(st.integers(1, 12))
def test_every_way_leaves_the_new_exposure_where_it_is_and_parts_something(members: int) -> None:
    rng = np.random.default_rng(members)
    found = ways(rng.normal(size=(members + 1, 3)), np.ones(members + 1), all_ways=8)
    assert not found[:, -1].any()
    assert found.any(1).all()
    assert len(found) == (2**members - 1 if members <= 8 else members)
    assert len(np.unique(found, axis=0)) == len(found)
