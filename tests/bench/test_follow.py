from __future__ import annotations

from typing import Any

import pytest

from ilap.bench.follow import Followed
from ilap.core.decision import Decision


def said(kind: str, class_id: int | None, exposure: int, **more: Any) -> Decision:
    return Decision(kind, class_id, 0.0, {}, "", exposure, 0.0, **more)  # type: ignore[arg-type]


def test_a_settled_answer_is_judged_by_what_was_known_when_it_was_given() -> None:
    followed = Followed()
    followed.take(said("new", 0, 0), 7)
    followed.take(said("unsure", None, 1), 8)
    later = said("known", 1, 1)
    judged = followed.take(said("new", 1, 2, settled=(later,)), 8)
    assert [(one.exposure, one.at_once, one.right) for one in judged] == [(2, True, True), (1, False, True)]
    assert followed.places == {0: 0, 1: 1, 2: 1}


def test_new_is_wrong_once_a_settled_answer_has_founded_the_class() -> None:
    followed = Followed()
    followed.take(said("unsure", None, 0), 7)
    judged = followed.take(said("new", 0, 1, settled=(said("new", 1, 0),)), 7)
    assert [one.right for one in judged] == [True, False]


def test_moved_exposures_are_where_they_were_moved_to() -> None:
    followed = Followed()
    for number, truth in enumerate([7, 8, 8]):
        followed.take(said("known" if number else "new", 0, number), truth)
    followed.take(said("known", 0, 3, moved=(1, 2), moved_to=1), 7)
    assert followed.places == {0: 0, 1: 1, 2: 1, 3: 0}
    assert followed.truth_of == {0: 7, 1: 8}


def test_what_is_given_up_is_in_no_place_until_it_is_settled_again() -> None:
    followed = Followed()
    followed.take(said("new", 0, 0), 7)
    followed.take(said("new", 1, 1, discarded=(0,)), 8)
    assert followed.places == {1: 1}
    assert followed.truth_of == {1: 8}
    followed.take(said("known", 1, 2, settled=(said("new", 2, 0),)), 8)
    assert followed.places == {0: 2, 1: 1, 2: 1}


def test_the_probability_of_the_truth_is_that_of_all_classes_that_stand_for_it() -> None:
    followed = Followed(truths=[7, 7, 8], truth_of={0: 7, 1: 7, 2: 8})
    shares = {"p_new": 0.1, "p_known": {0: 0.3, 1: 0.4, 2: 0.2}, "error": 0.6}
    (known,) = followed.take(said("known", 1, 3, **shares), 7)
    assert known.p_truth == pytest.approx(0.7)
    (novel,) = followed.take(said("known", 1, 4, **shares), 9)
    assert novel.p_truth == pytest.approx(0.1)
    assert (known.right, novel.right, known.stated) == (True, False, pytest.approx(0.4))


def test_of_an_unsure_answer_the_likeliest_is_judged() -> None:
    shares = {"p_new": 0.4, "p_known": {0: 0.6}, "error": 0.4}
    followed = Followed(truths=[7], truth_of={0: 7})
    judged = [followed.take(said("unsure", None, n, **shares), truth)[0] for n, truth in ((1, 7), (2, 8))]
    assert [one.likeliest_right for one in judged] == [True, False]
    assert not any(one.right or one.sure for one in judged)
    (without,) = followed.take(said("unsure", None, 3, error=0.4), 7)
    assert (without.p_truth, without.likeliest_right) == (None, None)


def test_a_class_that_a_person_took_an_exposure_out_of_stands_for_what_is_left() -> None:
    followed = Followed()
    followed.take(said("new", 0, 0), 7)
    followed.take(said("known", 0, 1), 8)
    followed.take(said("unsure", None, 2, settled=(said("new", 1, 0, by="person"),)), 8)
    assert followed.truth_of == {0: 8, 1: 7}
    merged = said("known", 0, 0, by="person", moved=(0, 1), moved_to=0)
    followed.take(said("unsure", None, 3, settled=(merged,)), 8)
    assert followed.truth_of == {0: 7}
    assert followed.places == {0: 0, 1: 0}


def test_founding_a_class_again_that_was_given_up_is_not_right_once_more() -> None:
    followed = Followed()
    followed.take(said("new", 0, 0), 7)
    followed.take(said("new", 1, 1, discarded=(0,)), 8)
    (again,) = followed.take(said("new", 2, 2), 7)
    assert not again.right
    (known,) = followed.take(said("known", 2, 3), 7)
    assert known.right


def test_what_was_given_up_and_is_settled_as_new_is_right() -> None:
    """It waited, and nothing else stands for it."""
    followed = Followed()
    followed.take(said("new", 0, 0), 7)
    followed.take(said("new", 1, 1, discarded=(0,)), 8)
    judged = followed.take(said("known", 1, 2, settled=(said("new", 2, 0),)), 8)
    assert [one.right for one in judged] == [True, True]
