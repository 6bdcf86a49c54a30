from __future__ import annotations

import json

import numpy as np
import pytest

from ilap import Learner
from ilap.backbones.stored import Cached
from ilap.bench import records
from ilap.bench.cell import Cell
from ilap.bench.learners.preset import Preset
from ilap.bench.person import RIGHT, Person
from ilap.bench.run import Run
from ilap.bench.stream import Plan, Stream, make
from ilap.bench.summary import summary
from ilap.core.errors import BadStream
from ilap.data.contract import Dataset
from ilap.exact.questions import Question


def test_a_person_is_mostly_right_and_never_says_nonsense() -> None:
    person = Person([0, 1, 0, 2], np.random.default_rng(0))
    which, alone, same = Question("which", 0, (1, 2)), Question("which", 3, (0, 1)), Question("same", 0, (2,))
    for question, right, keys in (
        (which, "2", {"1", "2", "new"}),
        (alone, "new", {"1", "2", "new"}),
        (same, "same", {"same", "different"}),
    ):
        said = [person.says(question) for _ in range(2000)]
        assert set(said) <= keys
        assert abs(said.count(right) / 2000 - RIGHT) < 0.01


def work(lite0: Cached, stream: Stream, answers: int, asking: str = "ask") -> Run:
    learner = Preset(Learner(backbone=lite0, risk=0.001))
    person = Person(stream.truths, np.random.default_rng(0), asking)  # type: ignore[arg-type]
    run = Run(learner, stream, person=person, answers=answers)
    list(run)
    return run


@pytest.fixture(scope="module")
def stream(digits: Dataset) -> Stream:
    return make(digits.untested(), exposure_size=1, repeats=4, seed=0)


def test_answers_are_in_the_last_record_and_help(lite0: Cached, stream: Stream) -> None:
    plain, asked = (work(lite0, stream, count).summary() for count in (0, 12))
    run = work(lite0, stream, 12)
    last = run.records[-1]
    assert len(last.answers) == 12
    assert last.answers[-1].ari == pytest.approx(asked["ari"], abs=0.1)  # what is unsure was asked again since
    assert (plain["answers"], plain["asked"], asked["answers"]) == (0, 0, 12)
    assert asked["ari"] > plain["ari"]
    line = json.loads(json.dumps(records.to_line(records.Entry("digits", "fast", 0, last, (1,)))))
    assert records.from_line(line).record.answers == last.answers


def test_what_a_person_placed_counts_neither_way(lite0: Cached, stream: Stream) -> None:
    run = work(lite0, stream, 12, "random")
    first: dict[int, str] = {}  # who was the first to be sure of each exposure
    for one in (one for r in run.records for one in (r.decision, *r.decision.settled)):
        if one.kind != "unsure":
            first.setdefault(one.exposure, one.by)
    found = summary(run.records)
    assert found["asked"] == list(first.values()).count("person") > 0
    assert found["sure_answers"] == list(first.values()).count("ilap")
    assert run.truth_of == run.followed.truth_of
    assert set(run.truth_of) >= set(run.learner.classes)


def test_random_questions_are_about_exposures_that_nobody_answered(lite0: Cached, stream: Stream) -> None:
    asked = [one.question.partition(":")[0] for one in work(lite0, stream, 12, "random").records[-1].answers]
    assert len(set(asked)) == len(asked) == 12


def test_another_number_of_answers_is_another_log_and_none_is_the_old_one() -> None:
    plan = Plan(20, 2)
    plain, some = Cell("digits", "fast", 0, plan), Cell("digits", "fast", 0, plan, answers=3)
    assert "answers" not in plain.inputs
    assert some.inputs == {**plain.inputs, "answers": 3, "questions": "ask"}


def test_a_learner_that_asks_nobody_says_so(lite0: Cached, digits: Dataset) -> None:
    from ilap.bench.learners.contract import Task
    from ilap.bench.learners.load import load

    small = make(digits.untested(), exposure_size=4, repeats=1, seed=0)
    learner = load("cosine", Task(small, frozen=lambda _: lite0))
    person = Person(small.truths, np.random.default_rng(0))
    with pytest.raises(BadStream, match="asks nobody"):
        list(Run(learner, small, person=person, answers=1))
