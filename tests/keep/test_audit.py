"""A person judges sure decisions: each answer is an event, corrects what is wrong, and is undone exactly."""

from __future__ import annotations

import io
import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from commands import ilap
from ilap import Learner
from ilap.backbones.stored import Cached
from ilap.checks.digits import Exposures
from ilap.core.errors import BadCorrection
from ilap.keep.learner import LearnerInFile
from ilap.keep.overview import overview
from ilap.keep.store.check import problems
from ilap.learner.audit import Audit, in_effect
from ilap.learner.log import ILAP, PERSON, UNSURE, deciders
from pictures_in_file import exposure_of

SHOWN = (3, 1, 4, 3, 1, 4, 3, 1, 4, 7)


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory, exposures: Exposures, lite0: Cached) -> Path:
    """A learner that is sure of everything."""
    folder = tmp_path_factory.mktemp("audit")
    with Learner.open(folder / "a.ilap", backbone=lite0, risk=0.9, caution=0) as made:
        for number, label in enumerate(SHOWN):
            pictures = exposures[label][SHOWN[:number].count(label)].pictures
            made.observe(exposure_of(pictures, folder / f"burst {number}", None))
        assert not made.waiting
    return folder / "a.ilap"


@pytest.fixture
def path(tmp_path: Path, learned: Path) -> Path:
    return Path(shutil.copy(learned, tmp_path / "a.ilap"))


@pytest.fixture
def learner(path: Path, lite0: Cached) -> Iterator[LearnerInFile]:
    with Learner.open(path, backbone=lite0) as made:
        yield made


def where(learner: Learner) -> dict[int, int]:
    return {number: learner.place_of(number) for number in range(learner.state.seen)}


def known(learner: LearnerInFile, audit: Audit) -> int:
    """An exposure of the sample that was called known, and is not alone in its class."""
    return next(own.exposure for own in audit.sample if own.kind == "known" and own.shown)


def test_the_sample_is_of_ilaps_decisions_of_both_kinds_and_stays_until_it_is_answered(
    learner: LearnerInFile,
) -> None:
    learner.move(0, learner.place_of(0))  # a person's word is not ilap's
    audit = learner.audit(5, seed=1)
    assert len(audit.sample) == 5
    assert audit.decisions == len(SHOWN) - 1
    assert {own.kind for own in audit.sample} == {"new", "known"}
    assert 0 not in {own.exposure for own in audit.sample}
    assert learner.audit(5, seed=1) == audit
    assert [own.exposure for own in learner.audit(5, seed=2).sample] != [own.exposure for own in audit.sample]


def test_each_shows_what_it_is_to_be_compared_with(learner: LearnerInFile) -> None:
    for own in learner.audit(20).sample:
        if own.kind == "known":
            assert own.beside == own.class_id
        elif own.beside is not None:
            assert own.beside != own.class_id
        if own.beside is not None:
            earliest = [n for n in learner.classes[own.beside].exposures if n != own.exposure]
            assert own.shown == tuple(earliest[:3])
    assert {own.beside for own in learner.audit(20).sample} - {None}


def test_nothing_is_looked_at_twice(learner: LearnerInFile) -> None:
    seen: list[int] = []
    while sample := learner.audit(4).sample:
        verdicts = ("right", "cannot", "right", "wrong")
        learner.audit(answers={own.exposure: verdicts[at] for at, own in enumerate(sample)})
        seen += [own.exposure for own in sample]
    assert sorted(seen) == sorted(set(seen))
    assert set(seen) >= set(range(len(SHOWN))) - set(learner.waiting)


def test_right_confirms_wrong_waits_apart_from_that_class_and_undo_takes_both_back(
    learner: LearnerInFile,
) -> None:
    audit = learner.audit(20)
    before, told = where(learner), learner.store.decision_of
    number = known(learner, audit)
    place, decision = learner.place_of(number), told(number)
    fine = next(own.exposure for own in audit.sample if own.exposure != number)
    done = learner.audit(answers={fine: "right", number: "wrong"})
    assert (done.right, done.wrong, done.cannot) == (1, 1, 0)
    assert fine in learner.exact.fixed
    assert learner.place_of(number) == UNSURE
    others = set(learner.classes[place].exposures)
    assert {pair for pair in learner.exact.model.apart if number in pair} == {
        (min(number, other), max(number, other)) for other in others
    }
    assert not list(problems(learner.file.connection))
    learner.ask_again()
    assert learner.place_of(number) != place
    learner.undo(with_later=True)
    assert learner.audit(answers={}).wrong == 0
    learner.undo()
    assert learner.audit(answers={}).right == 0
    assert where(learner) == before
    assert told(number) == decision
    assert not learner.exact.model.apart
    assert set(deciders(learner.history()).values()) == {ILAP}
    assert not list(problems(learner.file.connection))


def test_wrong_goes_where_it_belongs(learner: LearnerInFile) -> None:
    number = known(learner, learner.audit(20))
    place = learner.place_of(number)
    other = next(k for k in learner.classes if k != place)
    learner.audit(answers={number: "wrong"}, belongs={number: other})
    assert learner.place_of(number) == other
    assert deciders(learner.history())[number] == PERSON
    learner.undo()
    learner.audit(answers={number: "wrong"}, belongs={number: None})
    assert learner.classes[learner.place_of(number)].exposures == (number,)
    assert (place, learner.place_of(number)) in learner.exact.model.classes_apart
    assert not list(problems(learner.file.connection))


def test_an_answer_that_cannot_be_is_refused_and_none_of_them_is_written(learner: LearnerInFile) -> None:
    audit = learner.audit(20)
    new = next(own for own in audit.sample if own.kind == "new")
    number, before = known(learner, audit), (where(learner), len(learner.history()))
    for answers, belongs, sentence in (
        ({number: "maybe"}, {}, "'maybe' is no answer"),
        ({number: "right", 99: "right"}, {}, "Exposure 99 is not to be looked at now"),
        ({number: "wrong"}, {number: learner.place_of(number)}, "say that it is right"),
        ({number: "wrong"}, {number: 99}, "There is no class 99"),
        ({new.exposure: "wrong"}, {new.exposure: None}, "was called new already"),
    ):
        with pytest.raises(BadCorrection, match=sentence):
            learner.audit(answers=answers, belongs=belongs)
        assert (where(learner), len(learner.history())) == before


def test_a_learner_in_memory_is_audited_too(exposures: Exposures, lite0: Cached) -> None:
    made = Learner(backbone=lite0, risk=0.9, caution=0)
    for label in (3, 1, 3, 1):
        made.observe(exposures[label][made.state.seen // 2])
    assert made.audit(answers={}) == Audit(None)
    sample = made.audit(3).sample
    done = made.audit(answers={own.exposure: "right" for own in sample})
    assert (done.right, done.wrong, done.sample, done.broken) == (3, 0, (), False)
    assert (done.low, done.promised) == (0.0, 0.9)


def test_a_broken_promise_is_said_by_show_until_an_audit_is_better(path: Path, lite0: Cached) -> None:
    with Learner.open(path, backbone=lite0, risk=0.05) as made:
        first = made.audit(4).sample
        bad = made.audit(answers={own.exposure: "wrong" for own in first})
        assert bad.broken
        assert bad.said.startswith("The promise does not hold: 4 of 4 sure decisions are wrong (100%")
        one = made.audit(1).sample[0]
        made.audit(answers={one.exposure: "right"})  # says nothing
        assert overview(made).audit.event == bad.event  # type: ignore[union-attr]
    assert "The promise does not hold: 4 of 4" in ilap("show", str(path)).stdout
    assert json.loads(ilap("show", str(path), "--json").stdout)["audit"]["broken"]
    with Learner.open(path, backbone=lite0, risk=0.05) as made:
        rest = made.audit(4, seed=1).sample
        good = made.audit(answers={own.exposure: "right" for own in rest})
        assert len(rest) == 4
        assert in_effect(made.history()).event == good.event  # type: ignore[union-attr]
    assert "The promise" not in ilap("show", str(path)).stdout
    for _ in rest:
        ilap("undo", str(path))
    assert "The promise does not hold" in ilap("show", str(path)).stdout


def typed(monkeypatch: pytest.MonkeyPatch, lines: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(lines))


def test_the_terminal_asks_by_one_key_each_and_keeps_what_was_answered(
    path: Path, monkeypatch: pytest.MonkeyPatch, learner: LearnerInFile
) -> None:
    sample = learner.audit(4).sample
    learner.close()
    typed(monkeypatch, "r\nx\nc\nq\n")
    done = ilap("audit", str(path), "--number", "4")
    assert done.returncode == 0, done.stderr
    assert [f"{at} of 4  " in done.stdout for at in (1, 2, 3, 4)] == [True, True, True, False]
    assert f"burst {sample[0].exposure}/" in done.stdout  # the pictures' files
    assert "0 of 1 sure decisions are wrong (0%, 95% interval 0% to 97.5%); at most 90% was promised. 1" in (
        done.stdout
    )
    typed(
        monkeypatch, "w\n\n"
    )  # goes on where it was left; wrong, and nobody knows what it is; then the input ends
    assert "1 of 2 sure decisions are wrong" in ilap("audit", str(path), "--number", "4").stdout
    rows = {row["exposure"]: row for row in json.loads(ilap("show", str(path), "--json").stdout)["exposures"]}
    assert rows[sample[2].exposure]["decision"] == "unsure"
    history = ilap("history", str(path)).stdout
    assert "4 decisions drawn" in history
    assert f"{sample[1].exposure} cannot be told" in history
    assert (
        f"{sample[2].exposure} is wrong: {sample[2].exposure} (burst {sample[2].exposure}) to unsure" in history
    )
    assert ilap("undo", str(path)).returncode == 0
    assert "is whole" in ilap("check", str(path)).stdout


def test_on_a_terminal_a_key_is_enough(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keys = iter("rcq")
    typed(monkeypatch, "")
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True)
    monkeypatch.setattr("typer.getchar", lambda: next(keys))
    done = ilap("audit", str(path))
    assert "0 of 1 sure decisions are wrong" in done.stdout
    assert next(keys, None) is None


def test_scripts_list_the_sample_and_answer_it(path: Path) -> None:
    listed = json.loads(ilap("audit", str(path), "--number", "5", "--seed", "3", "--json").stdout)
    numbers = [row["about"]["exposure"] for row in listed["sample"]]
    assert len(numbers) == 5
    assert all(row["about"]["pictures"] and row["about"]["folder"] for row in listed["sample"])
    assert all(row["shown"] for row in listed["sample"] if row["decision"] == "known")
    wrong = next(row for row in listed["sample"] if row["decision"] == "known")["about"]["exposure"]
    words = [f"{n}=wrong:new" if n == wrong else f"{n}=right" for n in numbers]
    done = ilap("audit", str(path), *(part for word in words for part in ("--answer", word)), "--json")
    found = json.loads(done.stdout)
    assert (found["right"], found["wrong"], found["sample"]) == (4, 1, [])
    assert found["low"] < 0.2 < found["high"]
    bad = ilap("audit", str(path), "--answer", "1=perhaps")
    assert bad.returncode == 1
    assert bad.stderr.startswith("ilap: '1=perhaps' is no answer: say 12=right")
    everything = ilap("audit", str(path), "--number", "50", "--json")
    rest = [f"{row['about']['exposure']}=cannot" for row in json.loads(everything.stdout)["sample"]]
    assert "No decision was found right or wrong yet. 5 could not be told." in (
        ilap("audit", str(path), *(part for word in rest for part in ("--answer", word))).stdout
    )
    assert "no sure decision" in ilap("audit", str(path)).stdout
