"""A file of an earlier rule: ilap's own decisions are decided again, as one event; people's words hold."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pytest

from ilap import Exposure, Learner
from ilap.checks.digits import Pixels
from ilap.core.rule import RULE
from ilap.data.contract import Dataset
from ilap.exact.calibration import shipped
from ilap.keep.learner import LearnerInFile
from ilap.keep.redecide import redecide
from ilap.keep.store import state, view
from ilap.keep.store.check import problems
from ilap.learner.log import ILAP

pytestmark = pytest.mark.filterwarnings("ignore:There is no prior")
FILES = Path(__file__).parent / "files"


@pytest.fixture(params=["corrected", "given-up"])
def older(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A file that version 1 made of digits."""
    path = tmp_path / "a.ilap"
    path.write_bytes(gzip.decompress((FILES / f"{request.param}.v1.ilap.gz").read_bytes()))
    return path


def everything(learner: LearnerInFile) -> Any:
    """All that a person sees of it."""
    rows = view.exposures(learner.file.connection)
    return learner.places, {k: own.exposures for k, own in learner.classes.items()}, rows, learner.names


def test_it_is_one_event_that_undo_takes_back_and_that_is_not_repeated(older: Path) -> None:
    with Learner.open(older, backbone=Pixels()) as learner:
        said = {n: learner.place_of(n) for n in learner.exact.fixed}
        before, log, founded = everything(learner), learner.history(), learner.state.founded
        own = sum(learner.place_of(n) >= 0 for n in range(learner.state.seen)) - len(said)
        done = redecide(learner)
        assert done is not None
        assert done.exposures == own
        assert str(done.event) in done.said
        assert [event.id for event in learner.history()[len(log) :]] == [done.event]
        assert {n: learner.place_of(n) for n in said} == said
        assert learner.state.founded >= founded
        assert not list(problems(learner.file.connection))
        rules = state.meta(learner.file.connection, "rules")
        assert rules[-1][0] == f"{RULE.name}/{shipped().name}"
        assert redecide(learner) is None

        learner.undo(done.event)
        assert everything(learner) == before
        assert not list(problems(learner.file.connection))
        assert redecide(learner) is None  # what a person undid stays


def test_reopened_it_is_the_same_to_the_bit(older: Path) -> None:
    with Learner.open(older, backbone=Pixels()) as learner:
        redecide(learner)
        there = learner.state
    with Learner.open(older, backbone=Pixels()) as learner:
        assert learner.state.tentative == there.tentative
        assert learner.state.members == there.members
        assert learner.state.founded == there.founded
        ours, theirs = learner.exact.model, there.classifier.model  # type: ignore[attr-defined]
        assert list(ours.exposures) == list(theirs.exposures)
        assert all((ours.by_class[k].total == theirs.by_class[k].total).all() for k in ours.by_class)


def test_what_the_rule_of_today_decided_is_left_alone(older: Path, digits: Dataset) -> None:
    with Learner.open(older, backbone=Pixels(), risk=0.9, caution=0) as learner:
        sure = learner.observe(Exposure(digits.train.pictures[:1]))
        assert sure.class_id is not None
        done = redecide(learner)
        assert done is not None
        assert learner.place_of(sure.exposure) == sure.class_id


def test_killed_on_the_way_nothing_has_happened(older: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Learner.open(older, backbone=Pixels()) as learner:
        before = everything(learner)

        def killed(*_: Any) -> None:
            raise KeyboardInterrupt

        monkeypatch.setattr(state, "note_rule", killed)
        with pytest.raises(KeyboardInterrupt):
            redecide(learner)
        monkeypatch.undo()
        assert everything(learner) == before
        assert not list(problems(learner.file.connection))
        assert redecide(learner) is not None


def test_a_file_of_this_rule_is_left_alone(tmp_path: Path, digits: Dataset) -> None:
    with Learner.open(tmp_path / "a.ilap", backbone=Pixels()) as learner:
        assert redecide(learner) is None
        learner.observe(Exposure(digits.train.pictures[:5]))
        assert redecide(learner) is None
        assert [event.by for event in learner.history()] == [ILAP]
