"""A learner that lives in a file decides as one in memory does, and can be corrected exactly."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ilap import Learner
from ilap.backbones.stored import Cached
from ilap.core.errors import (
    BadCorrection,
    BadSetting,
    DamagedLearner,
    LearnerInUse,
    MissingFile,
    NewerLearner,
    NotALearner,
)
from ilap.core.exposure import Exposure
from ilap.data.contract import Dataset
from ilap.keep.learner import LearnerInFile
from ilap.keep.store.check import problems
from ilap.learner.log import DISCARDED, NOWHERE, PERSON, deciders

ORDER = (3, 1, 3, 4, 1, 1, 4, 0, 3, 0, 4, 0)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "digits.ilap"


def shown(exposures: dict[int, list[Exposure]]) -> Iterator[Exposure]:
    counts = dict.fromkeys(ORDER, 0)
    for label in ORDER:
        yield exposures[label][counts[label]]
        counts[label] += 1


@pytest.fixture(scope="module")
def learned(
    tmp_path_factory: pytest.TempPathFactory, exposures: dict[int, list[Exposure]], lite0: Cached
) -> Path:
    file = tmp_path_factory.mktemp("learned") / "digits.ilap"
    with Learner.open(file, backbone=lite0, risk=0.5, caution=0) as made:
        for exposure in shown(exposures):
            made.observe(exposure)
    return file


@pytest.fixture
def learner(path: Path, learned: Path, lite0: Cached) -> Iterator[LearnerInFile]:
    shutil.copy(learned, path)
    with Learner.open(path, backbone=lite0) as made:
        yield made


def named(learner: Any, digits: Dataset) -> np.ndarray:
    """Probabilities of some pictures, by class id."""
    got = learner.predict([digits.test.pictures[i] for i in range(60)])
    return got.probabilities[:, np.argsort(got.classes)]


def healthy(learner: LearnerInFile) -> bool:
    return not list(problems(learner.file.connection))


def test_it_decides_as_a_learner_in_memory_does_whenever_it_is_reopened(
    path: Path, exposures: dict[int, list[Exposure]], lite0: Cached, digits: Dataset
) -> None:
    plain = Learner(backbone=lite0)
    for exposure in shown(exposures):
        with Learner.open(path, backbone=lite0) as kept:
            ours, theirs = kept.observe(exposure), plain.observe(exposure)
        assert (ours.kind, ours.class_id) == (theirs.kind, theirs.class_id)
        assert ours.error == pytest.approx(theirs.error, rel=1e-9)
        assert ours.p_known == pytest.approx(theirs.p_known, rel=1e-9)
    with Learner.open(path, backbone=lite0) as kept:
        np.testing.assert_allclose(named(kept, digits), named(plain, digits), atol=1e-9)
        assert kept.classes == plain.classes
        assert healthy(kept)


def test_a_merge_that_is_split_again_leaves_the_classifier_as_it_was(
    learner: LearnerInFile, digits: Dataset
) -> None:
    before = named(learner, digits)
    a, b = list(learner.classes)[:2]
    gone = learner.classes[b].exposures
    learner.merge(a, b)
    assert len(learner.classes) == 3
    assert learner.split(gone) == 4
    order = [k for k in (0, 1, 2, 3) if k != b]
    after = named(learner, digits)
    np.testing.assert_allclose(after[:, :3], before[:, order], atol=1e-9)
    np.testing.assert_allclose(after[:, 3], before[:, b], atol=1e-9)
    assert healthy(learner)


def test_every_correction_can_be_undone_in_any_order_that_does_not_conflict(
    learner: LearnerInFile, digits: Dataset
) -> None:
    before = named(learner, digits)
    discarded = learner.discard([2])
    learner.rename(1, "one")
    learner.move(4, None)
    assert learner.place_of(2) == DISCARDED
    assert learner.names == {1: "one"}
    learner.undo(discarded)
    learner.undo()
    learner.undo()
    assert learner.names == {}
    np.testing.assert_allclose(named(learner, digits), before, atol=1e-9)
    with pytest.raises(BadCorrection, match="no correction to undo"):
        learner.undo()
    assert healthy(learner)


def test_undoing_a_merge_leaves_alone_what_was_split_off_since(learner: LearnerInFile) -> None:
    first = learner.merge(0, 1)
    stayed = learner.classes[0].exposures[0]
    founded = learner.split([stayed])
    learner.undo(first)
    assert learner.place_of(stayed) == founded
    assert healthy(learner)


def test_an_undo_can_be_undone(learner: LearnerInFile) -> None:
    learner.rename(0, "zero")
    learner.undo()
    learner.undo(learner.history()[-1].id)
    assert learner.names == {0: "zero"}


def test_an_event_that_others_build_on_names_them(learner: LearnerInFile) -> None:
    first = learner.merge(0, 1)
    learner.discard([learner.classes[0].exposures[-1], 1])
    with pytest.raises(BadCorrection, match=rf"Event {first} cannot be undone alone.*{first + 1} \(discard\)"):
        learner.undo(first)
    assert learner.undo(first, with_later=True) == [first + 1, first]


def test_undoing_all_that_was_learned_gives_the_empty_learner(learner: LearnerInFile) -> None:
    for event in reversed(learner.history()):
        learner.undo(event.id)
    assert learner.classes == {}
    assert {learner.place_of(number) for number in range(len(ORDER))} == {NOWHERE}
    assert not learner.exact.model.metric.scatter.any()
    assert healthy(learner)


def test_what_a_person_said_survives_reopening_and_is_never_parted(
    learner: LearnerInFile, path: Path, exposures: dict[int, list[Exposure]], lite0: Cached
) -> None:
    a, b = 0, 1
    learner.merge(a, b)
    together = set(learner.classes[a].exposures)
    learner.rename(a, "both")
    learner.close()
    with Learner.open(path, backbone=lite0) as again:
        assert again.names == {a: "both"}
        assert again.exact.fixed == together
        for label in (3, 1):  # a class of two digits falls in two for anyone but the person
            again.observe(exposures[label][3])
        assert together <= set(again.classes[a].exposures)
        assert deciders(again.history())[min(together)] == PERSON


def test_a_class_of_which_a_person_spoke_is_not_given_up(
    learner: LearnerInFile, exposures: dict[int, list[Exposure]], monkeypatch: pytest.MonkeyPatch
) -> None:
    from ilap.exact.exact import Exact

    learner.move(0, 0)
    monkeypatch.setattr(Exact, "accuracies", lambda self, memory, classes: np.zeros(len(classes)))
    decision = learner.observe(exposures[4][3])
    assert 0 in learner.classes
    assert 0 not in decision.discarded
    assert decision.discarded


def test_exposures_of_a_class_that_was_given_up_wait(
    learner: LearnerInFile, path: Path, exposures: dict[int, list[Exposure]], lite0: Cached
) -> None:
    from ilap.exact.exact import Exact

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Exact, "accuracies", lambda self, memory, classes: np.zeros(len(classes)))
        decision = learner.observe(exposures[4][3])
    assert decision.discarded
    assert learner.waiting
    assert healthy(learner)
    waiting = learner.waiting
    learner.close()
    with Learner.open(path, backbone=lite0) as again:
        assert again.waiting == waiting


def test_whatever_fails_while_it_writes_nothing_is_lost_or_half_there(
    learner: LearnerInFile,
    exposures: dict[int, list[Exposure]],
    digits: Dataset,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from ilap.keep.store import state

    before, events_before = named(learner, digits), len(learner.history())

    def full(*args: object) -> None:
        error = sqlite3.OperationalError("database or disk is full")
        error.sqlite_errorcode = sqlite3.SQLITE_FULL
        raise error

    with monkeypatch.context() as patch:
        patch.setattr(state, "save_exemplars", full)
        with pytest.raises(OSError, match=r"disk of .* is full"):
            learner.observe(exposures[4][3])
        with pytest.raises(OSError, match="nothing is lost"):
            learner.merge(0, 1)
    assert len(learner.history()) == events_before
    np.testing.assert_array_equal(named(learner, digits), before)
    assert healthy(learner)
    learner.observe(exposures[4][3])
    assert healthy(learner)


def test_one_writes_and_others_read(learner: LearnerInFile, path: Path, lite0: Cached) -> None:
    with pytest.raises(LearnerInUse, match="another process"):
        Learner.open(path, backbone=lite0)
    with (
        learner.file.transaction(),
        LearnerInFile(path, backbone=lite0, writable=False) as reader,  # type: ignore[arg-type]
    ):
        assert reader.classes == learner.classes
        with pytest.raises(OSError, match="cannot be written"):
            reader.rename(0, "x")
    learner.close()
    assert sorted(file.name for file in path.parent.iterdir()) == [".digits.ilap.lock", "digits.ilap"]


def test_settings_are_the_file_s_own(learner: LearnerInFile, path: Path, lite0: Cached) -> None:
    learner.close()
    with Learner.open(path, backbone=lite0, risk=0.01) as again:
        assert again.settings.risk == 0.01
    with pytest.raises(BadSetting, match=r"made with calibrated\.imbalance"):
        Learner.open(path, backbone=lite0, imbalance=0.1)
    with pytest.raises(BadSetting, match="needs the classifier exact"):
        Learner.open(path.with_name("n.ilap"), "paper-cpu")


@pytest.mark.parametrize("content", [b"", b"SQLite", b"x" * 10_000])
def test_what_is_not_a_learner_is_refused_and_left_alone(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(NotALearner):
        LearnerInFile(path, create=False)
    assert path.read_bytes() == content or not content
    with pytest.raises(MissingFile):
        LearnerInFile(path.with_name("other"), create=False)
    with pytest.raises(NotALearner, match="folder"):
        LearnerInFile(path.parent)


def test_a_newer_format_and_a_file_cut_short_are_refused(
    learner: LearnerInFile, path: Path, lite0: Cached
) -> None:
    learner.file.connection.execute("PRAGMA user_version = 99")
    learner.close()
    with pytest.raises(NewerLearner, match="update ilap"):
        Learner.open(path, backbone=lite0)
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])
    with pytest.raises((DamagedLearner, NotALearner)):
        Learner.open(path, backbone=lite0)


def test_damage_is_found(learner: LearnerInFile) -> None:
    connection = learner.file.connection
    for damage, told in (
        ("UPDATE features SET row = zeroblob(length(row)) WHERE picture = 1", "not those that were written"),
        ("UPDATE exposures SET place = place + 1 WHERE number = 3", "not where the log says"),
        ("DELETE FROM pictures WHERE id = 5", "not all of its"),
        ("UPDATE exemplars SET class_id = 99 WHERE class_id = 1 AND rank = 0", "no exemplar"),
    ):
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.execute("SAVEPOINT damage")
        connection.execute(damage.replace("INSERT", "INSERT OR REPLACE"))
        assert any(told in sentence for sentence in problems(connection)), told
        connection.execute("ROLLBACK TO damage")
    assert healthy(learner)
