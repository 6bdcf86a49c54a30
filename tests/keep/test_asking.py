"""Questions and answers of a learner in a file: one event each, kept, told in words, undone exactly."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from commands import ilap
from ilap import Learner
from ilap.backbones.stored import Cached
from ilap.checks.digits import Exposures
from ilap.core.errors import BadCorrection
from ilap.keep import answers
from ilap.keep.learner import LearnerInFile
from ilap.keep.overview import overview
from ilap.keep.store.check import problems
from ilap.learner.log import ILAP, PERSON, UNSURE, deciders
from ilap.learner.step import Loop

SHOWN = (3, 8, 5, 3, 8, 5, 3, 0)


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory, exposures: Exposures, lite0: Cached) -> Path:
    """A learner that is sure of its first exposure alone."""
    file = tmp_path_factory.mktemp("asking") / "a.ilap"
    counts = dict.fromkeys(SHOWN, 0)
    with Learner.open(file, backbone=lite0, risk=1e-6) as made:
        for label in SHOWN:
            made.observe(exposures[label][counts[label]])
            counts[label] += 1
    return file


@pytest.fixture
def path(tmp_path: Path, learned: Path) -> Path:
    return Path(shutil.copy(learned, tmp_path / "a.ilap"))


@pytest.fixture
def learner(path: Path, lite0: Cached) -> Iterator[LearnerInFile]:
    with Learner.open(path, backbone=lite0) as made:
        yield made


def known(learner: LearnerInFile) -> tuple[Any, ...]:
    """All that answers change."""
    model = learner.exact.model
    places = {number: learner.place_of(number) for number in range(len(SHOWN))}
    waiting = sorted(learner.waiting)
    return places, waiting, model.fixed, model.told, model.apart, learner.names, learner.places.keys()


ANSWERS = [("4:1,0", "1"), ("7:0,1,2", "new"), ("3=0", "same"), ("3=6", "different"), ("5=2", "cannot")]


@pytest.mark.parametrize(("question", "key"), ANSWERS)
def test_an_answer_is_one_event_and_undone_exactly_even_after_closing(
    path: Path, lite0: Cached, question: str, key: str
) -> None:
    with Learner.open(path, backbone=lite0) as made:
        before, rows = known(made), made.store.samples_of(2).rows
        named, count = made.exact.probabilities(rows), len(made.history())
        event = made.answer(question, key).event
        more = made.history()[count:]
        assert more[0] == event
        assert all(follows.about["after"] == event.id for follows in more[1:])
        assert (event.kind, event.by, event.about["key"]) == ("answer", PERSON, key)
        after = known(made)
        assert after != before
    with Learner.open(path, backbone=lite0) as made:
        assert known(made) == after
        assert not list(problems(made.file.connection))
        assert made.undo()[-1] == event.id
        assert known(made) == before
        np.testing.assert_allclose(made.exact.probabilities(rows), named, atol=1e-9)
    with Learner.open(path, backbone=lite0) as made:
        assert known(made) == before
        assert not list(problems(made.file.connection))


def test_it_answers_as_a_learner_in_memory_does(
    learner: LearnerInFile, lite0: Cached, exposures: Exposures
) -> None:
    plain, counts = Learner(backbone=lite0, risk=1e-6), dict.fromkeys(SHOWN, 0)
    for label in SHOWN:
        plain.observe(exposures[label][counts[label]])
        counts[label] += 1
    for question, key in [*ANSWERS, ("4=3", "same"), ("1=0", "different")]:
        assert [one.id for one in learner.ask(5)] == [one.id for one in plain.ask(5)]
        learner.answer(question, key)
        plain.answer(question, key)
        assert learner.classes == plain.classes
        assert learner.places == plain.places
        assert learner.exact.fixed == plain.state.classifier.fixed  # type: ignore[attr-defined]


def test_only_what_was_named_is_the_persons_word_when_classes_are_merged(path: Path, lite0: Cached) -> None:
    with Learner.open(path, backbone=lite0, risk=0.4, caution=0) as bold:
        settled = bold.answer("0=3", "same").settled
        (others,) = {one.class_id: one.exposure for one in settled if one.class_id == 0}.values()
        bold.move(1, None)
        bold.rename(bold.place_of(1), "eight")
        before = known(bold)
        bold.answer("1=3", "same")
        assert {bold.place_of(number) for number in (0, 1, 3, others)} == {0}
        assert bold.names[0] == "eight"  # a name is not lost with its class
        by = deciders(bold.history())
        assert (by[1], by[3], by[others]) == (PERSON, PERSON, ILAP)
        assert others not in bold.exact.fixed
        assert not list(problems(bold.file.connection))
        bold.undo()
        assert known(bold) == before
        assert not list(problems(bold.file.connection))


def test_what_became_sure_by_an_answer_goes_with_it(path: Path, lite0: Cached) -> None:
    with Learner.open(path, backbone=lite0, risk=0.4, caution=0) as bold:
        before = known(bold)
        said = bold.answer("0=3", "same")
        event, settled = said.event, said.settled
        assert settled
        assert {one.about["after"] for one in bold.history()[event.id :]} == {event.id}
        assert bold.undo(event.id)[-1] == event.id
        assert known(bold) == before
        assert all(bold.place_of(one.exposure) == UNSURE for one in settled)


def test_an_answer_that_is_interrupted_leaves_nothing_behind(
    learner: LearnerInFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    before = learner.state, learner.history()
    monkeypatch.setattr(Loop, "look_again", broken)
    with pytest.raises(KeyboardInterrupt):
        learner.answer("0=3", "same")
    assert learner.place_of(3) == UNSURE
    assert (learner.state, learner.history()) == before
    assert not list(problems(learner.file.connection))


def test_an_answer_that_comes_late_is_about_what_was_shown_or_refused(learner: LearnerInFile) -> None:
    (late, *_) = (one for one in answers.ask(learner, 9) if one.kind == "which")
    shown = late.shown[0].exposure
    learner.move(shown, None)  # meanwhile it is a class of its own
    done = answers.answer(learner, late.question, "1")
    assert learner.place_of(late.about.exposure) == learner.place_of(shown) == done.class_id
    learner.discard([shown])
    with pytest.raises(BadCorrection, match=f"Exposure {shown} is not there any more"):
        answers.answer(learner, late.question, "1")


def test_classes_told_apart_are_not_said_to_be_likely_one(learner: LearnerInFile) -> None:
    learner.answer("3:0", "new")
    assert not [pair for pair in overview(learner).likely_one if pair.classes == (0, learner.place_of(3))]
    assert learner.exact.model.classes_apart == {(0, learner.place_of(3))}


def test_the_command_line_asks_and_every_command_that_it_prints_is_taken(path: Path) -> None:
    asked = json.loads(ilap("ask", str(path), "--count", "3", "--json").stdout)
    assert len(asked) == 3
    assert all(one["commands"] and one["value"] > 0 for one in asked)
    text = ilap("ask", str(path), "--count", "3").stdout
    for number, one in enumerate(asked, 1):
        assert f"{number}. " in text
        first = next(iter(one["commands"].values()))
        assert first in text
        done = ilap(*first.split()[1:], "--json")
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["event"]
    history = ilap("history", str(path)).stdout
    assert history.count("  answer  ") == 3
    assert "show" in history
    assert ilap("undo", str(path)).returncode == 0
    assert "(undone)" in ilap("history", str(path)).stdout
    assert "is whole" in ilap("check", str(path)).stdout


@pytest.mark.parametrize(
    ("words", "sentence"),
    [(("1=2", "maybe"), "is no answer"), (("one", "same"), "is no question"), (("1=77", "same"), "not there")],
)
def test_a_wrong_answer_is_one_sentence_and_changes_nothing(
    path: Path, words: tuple[str, str], sentence: str
) -> None:
    before = ilap("history", str(path)).stdout
    done = ilap("answer", str(path), *words)
    assert done.returncode != 0
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr
    assert ilap("history", str(path)).stdout == before
