from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ilap.exact.told import HIGHEST, LOWEST, Told, apart, threshold
from modelled import shown, world

LESSONS = st.lists(st.tuples(st.floats(-6, 6), st.booleans()), max_size=30)


@given(LESSONS, st.floats(-6, 6))
def test_a_different_never_lowers_the_threshold_and_a_same_never_raises_it(
    lessons: list[tuple[float, bool]], odds: float
) -> None:
    now = threshold([Told(lessons=tuple(lessons))], 2.0)
    assert LOWEST <= now <= HIGHEST
    assert threshold([Told(lessons=(*lessons, (odds, False)))], 2.0) >= now - 1e-9
    assert threshold([Told(lessons=(*lessons, (odds, True)))], 2.0) <= now + 1e-9


def test_what_was_expected_teaches_little_and_surprises_teach_much() -> None:
    def after(odds: float, same: bool) -> float:
        return abs(threshold([Told(lessons=((odds, same),))], 2.0) - 2.0)

    assert after(5.0, True) < 0.05 < 0.5 < after(4.0, False)
    assert after(-2.0, False) < 0.05 < 0.5 < after(0.0, True)


def test_one_wrong_answer_among_many_moves_it_little() -> None:
    right = [(3.5, True)] * 8 + [(2.5, False)] * 8
    now = threshold([Told(lessons=tuple(right))], 2.0)
    assert 2.5 < now < 3.5
    assert abs(threshold([Told(lessons=(*right, (-3.0, True)))], 2.0) - now) < 0.2


def test_the_last_word_on_a_pair_holds() -> None:
    words = [Told(apart=((1, 2), (1, 3))), Told(together=((1, 2),)), Told(untold=((1, 3),))]
    assert apart(words) == {(1, 3)}
    assert apart([*words, Told(apart=((1, 2),))]) == {(1, 2), (1, 3)}


def test_a_model_forgets_who_was_told_apart_with_the_exposure_and_recalls_it_too() -> None:
    learned, centres, rng = world(3, 20, 0)
    again = shown(7, centres[0], 20, rng)
    heard = learned.see(again).hear([Told(apart=((0, 7), (1, 2)))])
    assert heard.model.apart == {(0, 7), (1, 2)}
    assert heard.model.classes_apart == {(1, 2)}  # 7 is in no class
    assert heard.forget([again]).model.apart == {(1, 2)}
    assert heard.forget([again]).see(again).model.apart == {(0, 7), (1, 2)}
    assert heard.doubt([1]).model.apart == heard.model.apart
    assert heard.discard(1).model.apart == {(0, 7)}


@pytest.mark.parametrize("usual", [-1.0, 2.0, 3.5])
def test_without_answers_it_is_the_usual_one(usual: float) -> None:
    assert threshold([Told(apart=((0, 1),))], usual) == usual
