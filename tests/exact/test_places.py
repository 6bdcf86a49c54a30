from __future__ import annotations

import numpy as np

from ilap.exact.exact import Exact
from ilap.exact.surroundings import alike, places
from ilap.exact.told import Told
from modelled import shown, world


def stream(seed: int) -> tuple[Exact, np.ndarray, dict[int, int]]:
    """Four classes that are known, six exposures that wait: four of these, two of another thing."""
    learned, centres, rng = world(5, 20, seed)
    learned = learned.doubt([4])
    truth = {number: number for number in range(5)}
    for number, label in enumerate((0, 1, 2, 3, 4), 10):
        learned = learned.see(shown(number, centres[label], 20, rng))
        truth[number] = label
    return learned, centres, truth


def test_what_waits_is_placed_with_its_class_and_with_each_other() -> None:
    right = total = 0
    for seed in range(5):
        learned, _, truth = stream(seed)
        found = places(learned.model, next_id=5)
        assert set(found) == set(truth)
        assert all(found[number] == number for number in range(4))  # what is sure stays
        right += sum(found[10 + label] == label for label in range(4)) + (found[14] == found[4] >= 5)
        total += 5
    assert right >= 0.8 * total


def test_two_classes_are_never_joined_and_nothing_is_learned_from_a_place() -> None:
    learned, centres, _ = stream(0)
    rng = np.random.default_rng(9)
    twin = learned.learn(shown(30, centres[0], 20, rng), 7, None, 0)  # type: ignore[arg-type]
    before = dict(twin.model.by_class)
    found = twin.places(next_id=8)
    assert (found[0], found[30]) == (0, 7)
    assert dict(twin.model.by_class) == before
    assert twin.places(next_id=8) == found


def test_nothing_seen_no_places() -> None:
    learned, _, _ = world(0, 20, 0)
    assert learned.places(0) == {}


def test_what_was_told_apart_is_never_in_one_place_however_alike() -> None:
    learned, centres, _ = stream(0)
    rng = np.random.default_rng(3)
    alike = [shown(20 + n, centres[4], 20, rng) for n in range(12)]
    for one in alike:
        learned = learned.see(one)
    before = learned.places(next_id=5)
    assert len({before[one.number] for one in alike}) == 1
    heard = learned.hear([Told(apart=((20, 25),))])
    after = heard.places(next_id=5)
    assert after[20] != after[25]
    assert {after[one.number] for one in alike} == {after[20], after[25]}
    assert heard.hear([Told(apart=((20, 25),)), Told(together=((20, 25),))]).places(next_id=5) == before


def test_one_told_apart_from_an_exposure_is_apart_from_its_class() -> None:
    learned, centres, _ = stream(0)
    rng = np.random.default_rng(4)
    for number in (20, 21, 22):
        learned = learned.learn(shown(number, centres[0], 20, rng), 0, None, 0)  # type: ignore[arg-type]
    assert learned.places(next_id=5)[10] == 0
    assert learned.hear([Told(apart=((10, 21),))]).places(next_id=5)[10] != 0


def test_what_is_like_one_of_two_that_a_person_joined_stays_with_both() -> None:
    learned, centres, rng = world(4, 20, 0)
    learned = learned.see(shown(10, centres[3], 20, rng))
    joined = learned.move([2, 3], 9)  # they do not look alike
    fixed = joined.fix([2, 3])
    assert alike(fixed.model, fixed.model.seen).share > alike(joined.model, joined.model.seen).share
    assert fixed.places(next_id=10)[10] == 9


def test_answers_move_the_threshold_at_which_groups_are_joined() -> None:
    learned, centres, rng = world(6, 2, 1)
    learned = learned.doubt(range(6))
    for number in range(10, 40):
        learned = learned.see(shown(number, centres[number % 6], 2, rng))
    strict = learned.hear([Told(lessons=((5.0, False),) * 9)]).places(next_id=6)
    loose = learned.hear([Told(lessons=((-3.0, True),) * 9)]).places(next_id=6)
    counts = [len(set(found.values())) for found in (loose, learned.places(next_id=6), strict)]
    assert counts[0] <= counts[1] <= counts[2]
    assert counts[0] < counts[2]
