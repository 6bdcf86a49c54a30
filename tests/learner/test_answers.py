"""What follows from an answer: the exposures that were shown move, and nothing else is the person's word."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ilap import Learner
from ilap.backbones.stored import Cached
from ilap.checks.digits import Exposures
from ilap.core.errors import BadCorrection
from ilap.exact import questions
from ilap.exact.questions import Question
from ilap.learner import tentative
from ilap.learner.answers import key_of, question_of
from ilap.learner.log import DISCARDED, UNSURE

SHOWN = (3, 8, 5, 3, 8, 5, 3, 0)
"""What the exposures of the learner show."""


@pytest.fixture
def learner(lite0: Cached, exposures: Exposures) -> Learner:
    """The first exposure is a class, all others wait."""
    made = Learner(backbone=lite0, risk=1e-6)
    counts = dict.fromkeys(SHOWN, 0)
    for label in SHOWN:
        made.observe(exposures[label][counts[label]])
        counts[label] += 1
    assert list(made.classes) == [0]
    assert len(made.state.waiting) == 7
    return made


def fixed(learner: Learner) -> set[int]:
    return set(learner.state.classifier.fixed)  # type: ignore[attr-defined]


def members(learner: Learner) -> dict[int, tuple[int, ...]]:
    return {k: own.exposures for k, own in learner.classes.items()}


def test_which_joins_the_class_of_the_one_that_was_chosen(learner: Learner) -> None:
    (said, *_) = learner.answer(Question("which", 3, (1, 0)), "2").decided
    assert members(learner) == {0: (0, 3)}
    assert fixed(learner) == {0, 3}
    assert (said.kind, said.class_id, said.exposure, said.by) == ("known", 0, 3, "person")
    assert 3 not in [samples.number for samples in learner.state.waiting]


def test_which_founds_a_class_with_one_that_waits(learner: Learner) -> None:
    group = learner.places[1]
    said = learner.answer(Question("which", 4, (1, 0)), "1").decided
    assert members(learner) == {0: (0,), group: (1, 4)}  # the group keeps its id
    assert [(one.kind, one.class_id, one.exposure) for one in said[:2]] == [
        ("new", group, 4),
        ("known", group, 1),
    ]
    assert learner.places[4] == learner.places[1] == group


def test_new_is_a_class_of_its_own_and_apart_from_all_that_was_shown(learner: Learner) -> None:
    learner.answer(Question("which", 7, (0, 1, 2)), "new")
    own = learner.places[7]
    assert members(learner)[own] == (7,)
    assert learner.state.classifier.model.apart == {(0, 7), (1, 7), (2, 7)}  # type: ignore[attr-defined]
    learner.answer(Question("which", 7, (0,)), "new")
    assert members(learner) == {0: (0,), own: (7,)}  # it was one already


def test_same_founds_joins_and_merges(learner: Learner) -> None:
    learner.answer("1=4", "same")
    own = learner.places[1]
    assert members(learner) == {0: (0,), own: (1, 4)}
    learner.answer("0=3", "same")
    assert members(learner) == {0: (0, 3), own: (1, 4)}
    said = learner.answer("4=3", "same").decided
    assert members(learner) == {0: (0, 1, 3, 4)}
    assert fixed(learner) == {0, 1, 3, 4}
    assert (said[0].moved_to, said[0].moved) == (0, (0, 1, 3, 4))


def test_different_of_one_class_splits_off_the_one_that_fits_worse(learner: Learner) -> None:
    for other in (3, 6, 1):
        learner.answer(f"0={other}", "same")  # the last is wrong
    learner.answer("1=3", "different")
    assert members(learner) == {0: (0, 3, 6), learner.places[1]: (1,)}
    assert learner.places[1] != learner.places[3]


def test_different_of_two_that_wait_places_nothing_but_keeps_them_apart(learner: Learner) -> None:
    before = members(learner)
    learner.answer("3=6", "different")
    assert members(learner) == before
    assert fixed(learner) == set()
    assert learner.places[3] != learner.places[6]
    learner.answer("6=3", "same")  # the last word holds
    assert learner.places[3] == learner.places[6]


def test_what_cannot_be_told_is_not_asked_again(learner: Learner) -> None:
    seen = set()
    for _ in range(60):
        questions = learner.ask(1)
        if not questions:
            break
        assert questions[0].id not in seen
        seen.add(questions[0].id)
        learner.answer(questions[0], "cannot tell")
    assert not learner.ask(5)
    assert members(learner) == {0: (0,)}


def test_answers_end_all_questions_and_give_the_right_classes(learner: Learner) -> None:
    for _ in range(60):
        questions = learner.ask(1)
        if not questions or questions[0].value < 1e-3:
            break
        asked = questions[0]
        alike = [SHOWN[number] == SHOWN[asked.exposure] for number in asked.shown]
        if asked.kind == "same":
            learner.answer(asked, "same" if alike[0] else "different")
        else:
            learner.answer(asked, str(alike.index(True) + 1) if any(alike) else "new")
    groups: dict[int, set[int]] = {}
    for number, place in learner.places.items():
        groups.setdefault(place, set()).add(SHOWN[number])
    assert sorted(map(sorted, groups.values())) == [[0], [3], [5], [8]]  # type: ignore[type-var]


def test_an_answer_looks_again_at_what_waits(lite0: Cached, exposures: Exposures) -> None:
    made = Learner(backbone=lite0, risk=1e-6)
    for label in (3, 8, 3, 8, 3, 8):
        made.observe(exposures[label][len(made.state.sizes) // 2])
    made.loop = type(made.loop)(made.loop.detector, Learner(risk=0.4, caution=0).settings.loop, 0)
    said = made.answer("0=2", "same").settled
    assert any(one.by == "ilap" and one.kind != "unsure" for one in said)


def test_an_answer_that_fails_leaves_everything_as_it_was(
    learner: Learner, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any, **__: Any) -> NoReturn:
        raise MemoryError("out of memory")

    before = learner.state
    monkeypatch.setattr(type(learner.loop), "look_again", broken)
    with pytest.raises(MemoryError):
        learner.answer("0=3", "same")
    assert learner.state is before
    assert [event.kind for event in learner.history()] == ["learn"] * before.seen
    assert learner.place_of(3) == UNSURE


def test_a_batch_is_one_event_that_confirms_some_and_tells_others_apart(learner: Learner) -> None:
    before = learner.places
    learner.answer("0+3,6,1", "not 1")
    assert members(learner)[0] == (0, 3, 6)
    assert fixed(learner) == {0, 3, 6}
    assert (0, 1) in learner.exact.model.apart
    assert learner.places[1] != 0
    assert [event.kind for event in learner.history() if event.by == "person"] == ["answer"]
    learner.undo()
    assert learner.places == before
    assert fixed(learner) == set()


def test_what_is_left_out_of_a_batch_leaves_its_class_and_is_asked_about_again(learner: Learner) -> None:
    learner.merge(0, learner.places[1])
    event = learner.answer("0+3,1", "not 1").event
    assert {(change.exposure, change.before, change.after) for change in event.changes} >= {(1, 0, UNSURE)}
    assert learner.places[1] != 0


def test_a_split_founds_a_class_and_is_never_asked_about_again(learner: Learner) -> None:
    learner.answer("0+3,1,4", "all")
    learner.answer("0-1,4", "all")
    founded = learner.place_of(1)
    assert members(learner) == {0: (0, 3), founded: (1, 4)}
    for question in learner.ask(60, bulk=True):
        assert {0, founded} != {learner.places[question.exposure], *question.places[:1]} or question.because


def test_that_a_place_is_one_confirms_it(learner: Learner) -> None:
    learner.answer("0+3,6", "all")
    learner.answer("0-3,6", "not 3,6")
    assert members(learner)[0] == (0, 3, 6)


def test_answered_pairs_are_never_asked_again(learner: Learner) -> None:
    asked = set()
    for _ in range(12):
        question = next((own for own in learner.ask(20) if not own.because), None)
        if question is None:
            break
        assert question.id not in asked
        asked.add(question.id)
        alike = [SHOWN[other] == SHOWN[question.exposure] for other in question.shown]
        key = str(alike.index(True) + 1) if any(alike) else "new"
        if question.kind == "same":
            key = "same" if alike[0] else "different"
        elif question.kind == "split":
            out = [str(n) for n, one in zip(question.shown, alike, strict=True) if one]
            key = f"not {','.join(out)}" if out else "all"
        learner.answer(question, key)
    assert len(asked) > 3


def test_what_a_person_placed_is_no_longer_tentative(learner: Learner) -> None:
    assert {1, 4} <= set(learner.state.tentative)
    learner.answer("1=4", "same")
    assert not {1, 4} & set(learner.state.tentative)
    assert not {1, 4} & {number for own in learner.groups.values() for number in own}


def test_every_correction_works_in_memory_and_undo_takes_it_back(learner: Learner) -> None:
    learner.answer("0=3", "same")
    learner.answer("1=4", "same")
    known, before = learner.places, learner.predict_samples(learner.store.samples_of(2).rows).probabilities
    first, second = learner.place_of(0), learner.place_of(1)
    learner.rename(first, "three")
    learner.merge(first, second)
    learner.split([1], "another")
    learner.discard([4])
    assert learner.name_of(first) == "three"
    assert learner.place_of(4) == DISCARDED
    for _ in range(4):
        learner.undo()
    assert learner.places == known
    assert learner.names == {}
    np.testing.assert_allclose(
        learner.predict_samples(learner.store.samples_of(2).rows).probabilities, before, atol=1e-9
    )


def test_moves_give_the_classifier_that_was_told_so_at_once(lite0: Cached, exposures: Exposures) -> None:
    told, asked = Learner(backbone=lite0, risk=1e-6), Learner(backbone=lite0, risk=1e-6)
    for label, place, class_id in ((3, 0, None), (8, 0, None), (3, 1, 0), (8, 1, 1)):
        told.teach(exposures[label][place], class_id)
        asked.observe(exposures[label][place])
    asked.answer("1=3", "same")
    asked.answer("2:0", "1")
    rows = told.samples(exposures[3][2].pictures)
    np.testing.assert_allclose(
        asked.predict_samples(rows).probabilities, told.predict_samples(rows).probabilities, atol=1e-9
    )
    assert {own.exposures for own in asked.classes.values()} == {(0, 2), (1, 3)}


@pytest.mark.parametrize(
    ("question", "key", "sentence"),
    [
        ("1=99", "same", "Exposure 99 is not there"),
        ("1=1", "same", "is no question"),
        ("1=2,3", "same", "is no question"),
        ("1", "same", "is no question"),
        ("1=2", "new", "say same, different or cannot"),
        ("1:2,3", "3", "say 1, 2, new or cannot"),
        ("1:2,3", "", "is no answer"),
    ],
)
def test_what_makes_no_sense_is_refused_in_a_sentence(
    learner: Learner, question: str, key: str, sentence: str
) -> None:
    before = learner.state
    with pytest.raises(BadCorrection, match=sentence):
        learner.answer(question, key)
    assert learner.state is before


@given(st.lists(st.integers(0, 999), min_size=2, max_size=6, unique=True), st.booleans())
def test_an_id_names_just_one_question(numbers: list[int], same: bool) -> None:
    shown = tuple(numbers[1:2] if same else numbers[1:])
    question = Question("same" if same else "which", numbers[0], shown)
    assert question_of(question.id) == question
    keys = [key_of(question, word) for word in ("same", "s")] if same else [key_of(question, "1")]
    assert set(keys) == {"same" if same else "1"}


def test_of_very_many_exposures_those_near_an_answer_are_looked_at_and_all_others_stay_where_they_are(
    learner: Learner, monkeypatch: pytest.MonkeyPatch
) -> None:
    """More than are looked at: questions are chosen from some, and an answer regroups what lies around it."""
    before = learner.places
    monkeypatch.setattr(questions, "ASKED", 6)
    monkeypatch.setattr(tentative, "ASKED", 6)
    monkeypatch.setattr(tentative, "AROUND", 2)
    (question, *_) = learner.ask(2)
    assert set(question.shown) <= set(before)
    near = tentative.around(learner.state, (3, 4))
    assert near is not None
    assert {3, 4} <= near < set(before)
    learner.answer("3=4", "same")
    after = learner.places
    assert after[3] == after[4]
    assert after.keys() == before.keys()
    assert all(after[number] == before[number] for number in before.keys() - near)
