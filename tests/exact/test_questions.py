from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from ilap.exact.questions import Question, Scene, ask, which
from ilap.exact.statistics import NO_CLASS

LOW, HIGH = -4.0, 5.0


def planted(groups: list[list[int]], **changes: float) -> np.ndarray:
    """Log odds that are high within groups and low between them."""
    count = sum(map(len, groups))
    odds = np.full((count, count), LOW)
    for own in groups:
        odds[np.ix_(own, own)] = HIGH
    return odds


def scene(odds: np.ndarray, places: list[int], said: list[int] | None = None, **more: object) -> Scene:
    numbers = tuple(range(100, 100 + len(odds)))  # so that a row is never taken for a number
    none = [NO_CLASS] * len(odds)
    return Scene(numbers, odds, np.array(places), np.array(said or none), 2.0, **more)  # type: ignore[arg-type]


def test_two_places_that_may_be_one_are_asked_about_by_the_two_most_alike() -> None:
    odds = planted([[0, 1, 2], [3, 4, 5], [6, 7]])
    odds[:3, 3:6] = odds[3:6, :3] = 1.5
    odds[1, 4] = odds[4, 1] = 1.9
    (best, *_) = ask(scene(odds, [7, 7, 7, 8, 8, 8, 9, 9]), 3)
    assert (best.kind, {best.exposure, *best.shown}) == ("same", {101, 104})
    assert best.places == (8,)
    assert 1 < best.value < 9


def test_of_a_place_that_may_be_two_the_smaller_part_is_shown_beside_what_is_typical_of_the_other() -> None:
    odds = planted([[0, 1, 2], [3, 4]])
    odds[:3, 3:] = odds[3:, :3] = 1.8
    (best, *_) = ask(scene(odds, [7] * 5), 2)
    assert best.kind == "split"
    assert best.exposure in {100, 101, 102}
    assert set(best.shown) == {103, 104}
    assert best.value > 3
    assert best.change > 0.5


def test_two_exposures_of_one_place_are_asked_about_as_two_are() -> None:
    odds = planted([[0], [1]])
    odds[0, 1] = odds[1, 0] = 1.0
    kinds = {question.kind for question in ask(scene(odds, [7, 7]), 9)}
    assert kinds <= {"same", "which"}


def test_what_was_left_together_is_not_asked_about_again() -> None:
    odds = planted([[0, 1, 2], [3, 4]])
    left = tuple((one, other) for one in (0, 1, 2) for other in (3, 4))
    made = scene(odds, [7] * 5, untold=left)
    assert not any(question.kind == "split" and set(question.shown) == {103, 104} for question in ask(made, 9))


def test_an_exposure_that_fits_elsewhere_is_asked_about_with_the_likeliest_place_first() -> None:
    odds = planted([[0, 1, 2], [3, 4, 5]])
    odds[2, :] = odds[:, 2] = LOW
    odds[2, 3:] = odds[3:, 2] = 4.0
    odds[2, :2] = odds[:2, 2] = 1.0
    found = {question.exposure: question for question in ask(scene(odds, [7, 7, 7, 8, 8, 8]), 9)}
    asked = found[102]
    assert asked.kind == "which"
    assert asked.places == (8, 7)
    assert asked.probabilities[0] > 0.9


def test_nobody_is_asked_again_what_was_answered_or_could_not_be() -> None:
    odds = planted([[0, 1, 2], [3, 4, 5]])
    odds[:3, 3:] = odds[3:, :3] = 1.5
    places = [7, 7, 7, 8, 8, 8]

    def between(questions: list[Question]) -> bool:
        return any(q.kind == "same" and q.exposure < 103 <= q.shown[0] for q in questions)

    assert between(ask(scene(odds, places), 20))
    assert not between(ask(scene(odds, places, apart=((0, 5),)), 20))
    assert not between(ask(scene(odds, places, untold=((0, 5),)), 20))
    of_100 = [q for q in ask(scene(odds, places, untold=((0, 5),)), 20) if q.kind == "which"]
    assert all(q.exposure != 100 for q in of_100)


def test_a_place_that_a_person_put_together_is_never_asked_to_be_parted() -> None:
    odds = np.full((3, 3), -1.0)
    assert ask(scene(odds, [7, 7, 7], said=[7, 7, 7]), 5) == []


def test_one_exposure_alone_is_no_question() -> None:
    assert ask(scene(np.zeros((1, 1)), [0]), 5) == []
    assert ask(scene(np.zeros((0, 0)), []), 5) == []
    assert which(scene(np.zeros((1, 1)), [0]), 100) is None


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_every_question_shows_what_there_is_and_no_two_are_about_the_same_places(data: st.DataObject) -> None:
    count = data.draw(st.integers(2, 12))
    rng = np.random.default_rng(data.draw(st.integers(0, 1000)))
    odds = rng.uniform(-6, 6, (count, count))
    odds = (odds + odds.T) / 2
    places = rng.integers(0, data.draw(st.integers(1, count)), count)
    said = np.where(rng.random(count) < 0.3, places, NO_CLASS)
    pairs = [(a, b) for a in range(count) for b in range(a + 1, count)]
    apart = [p for p in pairs if places[p[0]] != places[p[1]] and rng.random() < 0.2]
    untold = [p for p in pairs if rng.random() < 0.05]
    made = scene(odds, list(places), list(said), apart=tuple(apart), untold=tuple(untold))
    found = ask(made, data.draw(st.integers(1, 10)))
    assert [q.value for q in found] == sorted((q.value for q in found), reverse=True)  # each takes one key
    about = [frozenset({int(places[made.row[q.exposure]]), q.places[0]}) for q in found]
    assert len(set(about)) == len(about)
    for question in found:
        row = made.row[question.exposure]
        shown = [made.row[number] for number in question.shown]
        assert row not in shown
        assert 1 <= len(set(shown)) == len(shown) <= (60 if question.kind == "split" else 5)
        assert [int(places[one]) for one in shown] == list(question.places)
        assert all(0 <= p <= 1 for p in question.probabilities)
        assert question.kind == "split" or sum(question.probabilities) <= 1 + 1e-9
        assert question.value > 0
        assert 0 <= question.change <= 1
        assert not any(tuple(sorted((row, one))) in apart for one in shown)
        if question.kind == "which":
            assert said[row] == NO_CLASS
            assert list(question.probabilities) == sorted(question.probabilities, reverse=True)
        else:
            assert not any(tuple(sorted((row, one))) in untold for one in shown)
            assert all(said[row] == NO_CLASS or said[row] != said[one] for one in shown)
