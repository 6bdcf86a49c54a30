"""A learner in a file is adapted: by one event, which names pictures and is undone to the last digit."""

from __future__ import annotations

import shutil
import signal
import sqlite3
import subprocess
import time
from pathlib import Path

import numpy as np
import pytest

import small_networks
from commands import ILAP, ilap
from digit_folders import bursts, printed, told
from ilap.core.exposure import Picture
from ilap.data.contract import Dataset
from ilap.errors import DamagedLearner
from ilap.keep.learner import LearnerInFile
from ilap.keep.store.check import problems
from ilap.keep.store.file import checkpoint_of

LABELS = [0, 1, 2, 3, 4, 6] * 4


@pytest.fixture(scope="module")
def sorted_digits(tmp_path_factory: pytest.TempPathFactory, digits: Dataset) -> Path:
    """A learner of four bursts of each of six digits, and the folder of the bursts beside it."""
    home = tmp_path_factory.mktemp("sorted")
    told("learn", home / "digits.ilap", bursts(home / "in", digits, LABELS, size=12))
    return home / "digits.ilap"


@pytest.fixture
def learner(sorted_digits: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    small_networks.train_by(monkeypatch, small_networks.kernel)
    return Path(shutil.copy(sorted_digits, tmp_path / "digits.ilap"))


@pytest.fixture(scope="module")
def pictures(digits: Dataset) -> list[Picture]:
    rows = np.flatnonzero(np.isin(digits.test.labels, LABELS))[:40]
    return [digits.test.pictures[int(row)] for row in rows]


def probabilities(path: Path, pictures: list[Picture]) -> np.ndarray:
    with LearnerInFile(path, writable=False) as ready:
        return ready.predict(pictures).probabilities


def places(path: Path) -> dict[int, int]:
    with LearnerInFile(path, writable=False) as ready:
        return ready.places


def test_it_is_one_event_that_names_pictures_and_moves_no_exposure(
    learner: Path, pictures: list[Picture]
) -> None:
    frozen, before = probabilities(learner, pictures), places(learner)
    found = told("adapt", learner)
    assert found["kept"], found
    assert found["missing"] == 0
    assert found["adapted_right"] >= found["frozen_right"]
    assert np.abs(probabilities(learner, pictures) - frozen).max() > 0.01
    assert places(learner) == before
    assert told("history", learner)[-1]["kind"] == "adapt"
    assert f"held-out pictures right, {found['frozen_right']} before" in printed("history", learner)
    assert "named with an adapted network" in printed("show", learner)
    assert ilap("check", str(learner)).returncode == 0


def test_undone_it_names_as_before_to_the_last_digit_and_redone_as_adapted(
    learner: Path, pictures: list[Picture]
) -> None:
    frozen = probabilities(learner, pictures)
    told("adapt", learner)
    adapted = probabilities(learner, pictures)
    told("undo", learner)
    np.testing.assert_array_equal(probabilities(learner, pictures), frozen)
    told("redo", learner)
    np.testing.assert_array_equal(probabilities(learner, pictures), adapted)
    assert ilap("check", str(learner)).returncode == 0


def test_a_second_network_takes_the_place_of_the_first_until_it_is_undone(
    learner: Path, pictures: list[Picture]
) -> None:
    told("adapt", learner)
    first = probabilities(learner, pictures)
    with LearnerInFile(learner) as ready:
        ready.seed = 1
        assert ready.adapt().kept
    assert np.abs(probabilities(learner, pictures) - first).max() > 0
    told("undo", learner)
    np.testing.assert_array_equal(probabilities(learner, pictures), first)


def test_a_network_that_knows_nothing_is_refused_and_nothing_changes(
    learner: Path, pictures: list[Picture], monkeypatch: pytest.MonkeyPatch
) -> None:
    small_networks.train_by(monkeypatch, small_networks.noise)
    before, events = probabilities(learner, pictures), len(told("history", learner))
    assert not told("adapt", learner)["kept"]
    assert "nothing was changed" in printed("adapt", learner)
    np.testing.assert_array_equal(probabilities(learner, pictures), before)
    assert len(told("history", learner)) == events


@pytest.mark.parametrize("where", ["ilap.network.adapt.train_groups", "ilap.keep.store.networks.add"])
def test_stopped_at_any_moment_it_leaves_the_old_state(
    where: str, learner: Path, pictures: list[Picture], monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    before = probabilities(learner, pictures)
    with monkeypatch.context() as patch:
        patch.setattr(where, stop)
        done = ilap("adapt", str(learner))
    assert done.returncode == 130
    assert "run the same command again" in done.stderr
    assert ilap("check", str(learner)).returncode == 0
    np.testing.assert_array_equal(probabilities(learner, pictures), before)


@pytest.mark.slow
def test_killed_at_ten_moments_it_holds_the_old_state_or_the_new_one(
    sorted_digits: Path, tmp_path: Path, pictures: list[Picture]
) -> None:
    """Nine moments from the start to the end of the training, each in a file of its own, and the moment at
    which the network is written."""
    frozen, whole = probabilities(sorted_digits, pictures), copied(sorted_digits, tmp_path / "whole.ilap")
    started = time.monotonic()
    subprocess.run([ILAP, "adapt", str(whole)], check=True)
    lasts = time.monotonic() - started
    assert adapted(whole)

    moments, went_on = 10, 0
    for moment in range(moments):
        learner = copied(sorted_digits, tmp_path / f"{moment}.ilap")
        process = subprocess.Popen([ILAP, "adapt", str(learner)])
        if moment < moments - 1:
            time.sleep(lasts * (moment + 0.5) / (moments - 1))
        else:
            log = Path(f"{learner}-wal")
            while process.poll() is None and not (log.exists() and log.stat().st_size > 1e6):
                time.sleep(0.001)
        process.kill()
        assert process.wait() == -signal.SIGKILL
        assert ilap("check", str(learner)).returncode == 0
        if not adapted(learner):
            np.testing.assert_array_equal(probabilities(learner, pictures), frozen)
            if not went_on and checkpoint_of(learner).exists():
                went_on += 1
                subprocess.run([ILAP, "adapt", str(learner)], check=True)
                same = probabilities(learner, pictures), probabilities(whole, pictures)
                np.testing.assert_allclose(*same, atol=1e-9)
        if adapted(learner):
            told("undo", learner)
            np.testing.assert_allclose(probabilities(learner, pictures), frozen, atol=1e-9)
    assert went_on


def copied(path: Path, to: Path) -> Path:
    return Path(shutil.copy(path, to))


def adapted(path: Path) -> bool:
    return any(event["kind"] == "adapt" for event in told("history", path))


def test_pictures_that_are_gone_or_changed_are_told_and_left_out(learner: Path, sorted_digits: Path) -> None:
    gone, changed, other = sorted((sorted_digits.parent / "in" / "burst 0").iterdir())[:3]
    before = {path: path.read_bytes() for path in (gone, changed)}
    try:
        gone.unlink()
        shutil.copy(other, changed)
        assert told("adapt", learner)["missing"] == 2
    finally:
        for path, content in before.items():
            path.write_bytes(content)


def test_too_few_pictures_are_a_sentence(tmp_path: Path, digits: Dataset) -> None:
    told("learn", tmp_path / "few.ilap", bursts(tmp_path / "in", digits, [0, 1], size=6))
    done = ilap("adapt", str(tmp_path / "few.ilap"))
    assert done.returncode
    assert "too little to adapt to" in done.stderr


def test_a_class_founded_later_is_named_and_adapting_again_is_proposed(
    learner: Path, tmp_path: Path, digits: Dataset
) -> None:
    told("adapt", learner)
    rows = [int(row) for row in np.flatnonzero(digits.train.labels == 9)]
    with LearnerInFile(learner) as ready:
        founded = ready.teach([digits.train.pictures[row] for row in rows[:30]]).class_id
        named = ready.predict([digits.train.pictures[row] for row in rows[30:60]])
        assert (named.class_ids == founded).mean() > 0.8
        np.testing.assert_allclose(named.probabilities.sum(1), 1)
    assert "adapting again would pay" in printed("show", learner)


def test_merged_classes_are_named_as_one_at_once(learner: Path, pictures: list[Picture]) -> None:
    told("adapt", learner)
    with LearnerInFile(learner) as ready:
        first, second = sorted(ready.classes)[:2]
        before = ready.predict(pictures, tentative=False)
        ready.merge(first, second)
        after = ready.predict(pictures, tentative=False)
        gone = [before.classes.index(k) for k in (first, second)]
        likely = before.probabilities[:, gone].sum(1) > 0.9
        assert likely.sum() > 5
        assert (after.class_ids[likely] == first).all()


def test_a_class_that_is_split_is_told_apart_by_frozen_features(learner: Path, pictures: list[Picture]) -> None:
    told("adapt", learner)
    with LearnerInFile(learner) as ready:
        before = ready.predict(pictures, tentative=False)
        whole = max(ready.classes, key=lambda k: len(ready.classes[k].exposures))
        part = ready.split(ready.classes[whole].exposures[:2])
        after = ready.predict(pictures, tentative=False)
        assert set(after.class_ids[before.class_ids == whole]) <= {whole, part}
        others = ~np.isin(before.class_ids, [whole])
        assert (after.class_ids[others] == before.class_ids[others]).mean() > 0.9


def test_a_damaged_network_is_noticed_and_repair_saves_the_rest(
    learner: Path, tmp_path: Path, pictures: list[Picture]
) -> None:
    frozen = probabilities(learner, pictures)
    told("adapt", learner)
    with sqlite3.connect(learner) as connection:
        connection.execute("UPDATE networks SET graph = zeroblob(length(graph))")
    connection.close()
    with pytest.raises(DamagedLearner, match="networks"):
        LearnerInFile(learner, writable=False)
    assert "adapted network" in str(told("repair", learner, "--out", tmp_path / "fixed.ilap")["lost"])
    with LearnerInFile(tmp_path / "fixed.ilap") as ready:
        assert not list(problems(ready.file.connection))
    np.testing.assert_allclose(probabilities(tmp_path / "fixed.ilap", pictures), frozen, atol=1e-9)


def test_repair_keeps_a_network_that_is_whole(learner: Path, tmp_path: Path, pictures: list[Picture]) -> None:
    told("adapt", learner)
    adapted = probabilities(learner, pictures)
    assert not told("repair", learner, "--out", tmp_path / "fixed.ilap")["lost"]
    np.testing.assert_allclose(probabilities(tmp_path / "fixed.ilap", pictures), adapted, atol=1e-9)
