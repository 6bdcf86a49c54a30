"""What likely shows one thing is confirmed together; answers that contradict each other are asked for again."""

from __future__ import annotations

import numpy as np

from ilap.exact.batches import batches
from ilap.exact.contradictions import asked_again, contradictions
from ilap.exact.questions import Question, Scene, ask
from ilap.exact.statistics import NO_CLASS
from ilap.exact.told import Told

LOW, HIGH = -4.0, 5.0


def scene(groups: list[list[int]], places: list[int], said: list[int] | None = None, **more: object) -> Scene:
    """Exposures 100, 101, ...: log odds are high within groups and low between them."""
    odds = np.full((len(places), len(places)), LOW)
    for own in groups:
        odds[np.ix_(own, own)] = HIGH
    placed = said or [NO_CLASS] * len(places)
    numbers = tuple(range(100, 100 + len(places)))
    return Scene(numbers, odds, np.array(places), np.array(placed), 2.0, **more)  # type: ignore[arg-type]


def shows(found: Question) -> set[int]:
    return {found.exposure, *found.shown}


def test_a_place_is_shown_with_the_places_that_are_likely_one_with_it() -> None:
    made = scene([[0, 1, 2, 3], [4, 5]], [7, 7, 8, 9, 6, 6])
    by_place = {int(made.places[made.row[one.exposure]]): one for one in batches(made)}
    assert shows(by_place[7]) == {100, 101, 102, 103}
    assert all(share > 0.9 for share in by_place[7].probabilities)
    assert 6 not in by_place  # two exposures are a question of another kind


def test_what_a_person_placed_or_named_is_not_taken_up_by_another_place() -> None:
    groups, places = [[0, 1, 2, 3, 4, 5]], [7, 7, 7, 8, 8, 8]
    both = scene(groups, places)
    assert any(len(shows(one)) == 6 for one in batches(both))
    assert all(len(shows(one)) == 3 for one in batches(both, named=[7, 8]))
    none = NO_CLASS
    placed = scene(groups, places, said=[none, none, none, 8, none, none])
    (of_7,) = (one for one in batches(placed) if one.exposure < 103)
    assert shows(of_7) == {100, 101, 102}


def test_what_was_confirmed_or_told_apart_is_not_shown_again() -> None:
    said = [7, 7, 7, NO_CLASS, NO_CLASS]
    (found,) = batches(scene([[0, 1, 2, 3, 4]], [7] * 5, said=said))
    assert found.exposure in {100, 101, 102}
    assert set(found.shown) == {103, 104}
    assert list(batches(scene([[0, 1, 2]], [7, 7, 7], said=[7, 7, 7]))) == []
    apart = scene([[0, 1, 2, 3]], [7, 7, 7, 8], apart=((0, 3),))
    assert all(103 not in one.shown for one in batches(apart))


def test_batches_come_first_and_no_place_is_asked_about_twice() -> None:
    made = scene([[0, 1, 2], [3, 4, 5]], [7, 7, 7, 8, 8, 8])
    found = ask(made, 9, batches(made))
    assert [one.kind for one in found[:2]] == ["batch", "batch"]
    assert not any(one.kind == "split" for one in found)


def test_three_answers_that_contradict_each_other_are_found_and_one_of_them_is_asked_about_again() -> None:
    told = [Told(together=((100, 101),)), Told(together=((101, 102),)), Told(apart=((100, 102),))]
    assert contradictions(told) == [(100, 101, 102)]
    made = scene([[0, 1]], [7, 7, 8])  # the pictures speak against 101 and 102
    (again,) = asked_again(made, told)
    assert (again.kind, shows(again), again.because) == ("same", {101, 102}, (100, 101, 102))
    assert again in ask(made, 5, [again])
    assert contradictions([*told, Told(apart=((101, 102),))]) == []  # the last word holds


def test_what_was_said_twice_all_along_is_not_asked_about_again() -> None:
    told = [Told(together=((100, 101), (101, 102)), apart=((100, 102),))]
    assert len(list(asked_again(scene([], [7, 8, 9]), told))) == 1
    assert list(asked_again(scene([], [7, 8, 9]), told * 2)) == []
