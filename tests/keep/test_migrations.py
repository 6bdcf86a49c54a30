"""Files of older versions open, know what they knew, and are mended where their version went wrong."""

from __future__ import annotations

import gzip
import json
import sqlite3
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from ilap import Exposure, Learner
from ilap.checks.digits import Pixels
from ilap.cli import app
from ilap.core.errors import DamagedLearner, LearnerInUse
from ilap.core.rule import RULE
from ilap.data.contract import Dataset
from ilap.exact.calibration import shipped
from ilap.keep.learner import LearnerInFile
from ilap.keep.overview import overview
from ilap.keep.store import file, schema, state
from ilap.keep.store.check import problems
from ilap.keep.store.schema import RULE_OF_VERSION_1

pytestmark = pytest.mark.filterwarnings("ignore:There is no prior")
FILES = Path(__file__).parent / "files"


def unpacked(name: str, folder: Path, version: int = 1) -> tuple[Path, dict[str, Any]]:
    """A file that version 1 made of digits, perhaps brought to a later one, and what version 1 said of it."""
    path = folder / f"{name}.ilap"
    path.write_bytes(gzip.decompress((FILES / f"{name}.v{version}.ilap.gz").read_bytes()))
    said: dict[str, Any] = json.loads((FILES / f"{name}.json").read_text(encoding="utf-8"))
    return path, said


def version_of(path: Path) -> int:
    with sqlite3.connect(path) as connection:
        return schema.version(connection)


@pytest.mark.parametrize("writable", [True, False])
def test_a_file_of_version_1_knows_what_it_knew(writable: bool, tmp_path: Path) -> None:
    path, said = unpacked("corrected", tmp_path)
    with LearnerInFile(path, backbone=Pixels(), writable=writable) as learner:
        assert {str(k): list(own.exposures) for k, own in learner.classes.items()} == said["classes"]
        assert {str(k): name for k, name in learner.names.items()} == said["names"]
        assert list(learner.waiting) == sorted(said["waiting"])
        assert len(learner.history()) == said["events"]
        rows = np.stack([learner.store.samples_of(n).rows[0] for n in range(learner.state.seen)])
        named = learner.predict_samples(rows, tentative=False)
        assert named.class_ids.tolist() == said["named"]
        waiting = sum(learner.size_of(number) - 1 for number in learner.waiting)
        assert learner.exact.model.metric.freedom == said["freedom"] + waiting  # these tell of noise, too
        assert not list(problems(learner.file.connection))
    assert version_of(path) == schema.VERSION


def test_a_file_of_version_4_gets_a_table_of_networks_and_is_whole(tmp_path: Path) -> None:
    path, said = unpacked("corrected", tmp_path, 4)
    with LearnerInFile(path, backbone=Pixels()) as learner:
        assert {str(k): list(own.exposures) for k, own in learner.classes.items()} == said["classes"]
        assert learner.state.adapted is None
        assert not list(problems(learner.file.connection))
    assert version_of(path) == schema.VERSION


def test_a_damaged_file_of_version_4_is_not_brought_up_to_date(tmp_path: Path) -> None:
    path, _ = unpacked("corrected", tmp_path, 4)
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE events SET kind = 'merge' WHERE id = 1")
    connection.close()
    with pytest.raises(DamagedLearner, match="events 1"):
        LearnerInFile(path, backbone=Pixels())
    assert version_of(path) == 4


def test_its_settings_have_full_names_and_its_rule_is_noted(tmp_path: Path, digits: Dataset) -> None:
    path, _ = unpacked("corrected", tmp_path)
    with Learner.open(path, backbone=Pixels()) as learner:
        assert learner.settings.risk == 1e-3
        kept = state.meta(learner.file.connection, "settings")
        assert kept["calibrated.imbalance"] == 0.5
        assert "theta" not in kept  # of a detector that was not chosen
        assert state.meta(learner.file.connection, "rules") == [[RULE_OF_VERSION_1, 0]]
        learner.observe(Exposure(digits.train.pictures[:5]))
        rules = state.meta(learner.file.connection, "rules")
    assert rules[-1][0] == f"{RULE.name}/{shipped().name}"
    assert rules[0] == [RULE_OF_VERSION_1, 0]


def test_what_a_person_taught_is_not_said_to_be_decided_by_ilap(tmp_path: Path) -> None:
    path, _ = unpacked("corrected", tmp_path)
    with Learner.open(path, backbone=Pixels()) as learner:
        told = [row.name for row in overview(learner).exposures if row.told]
    assert told == ["taught"]


def test_what_version_1_lost_when_it_gave_up_classes_is_found_again(tmp_path: Path) -> None:
    """45 exposures were unsure and none of them waited."""
    path, said = unpacked("given-up", tmp_path)
    with Learner.open(path, backbone=Pixels()) as learner:
        assert said["waiting"] == []
        unsure = [n for n in range(learner.state.seen) if learner.place_of(n) < 0]
        assert sorted(learner.waiting) == unsure
        assert len(unsure) == 45
        assert learner.exact.model.metric.freedom == sum(size - 1 for size in learner.state.sizes)
        assert not list(problems(learner.file.connection))
        assert {str(k): list(own.exposures) for k, own in learner.classes.items()} == said["classes"]


def test_it_goes_on_learning_and_can_be_corrected(tmp_path: Path, digits: Dataset) -> None:
    for name in ("corrected", "given-up"):
        path, said = unpacked(name, tmp_path)
        with Learner.open(path, backbone=Pixels()) as learner:
            for label in range(4):
                rows = np.flatnonzero(digits.train.labels == label)[:12]
                learner.observe(Exposure([digits.train.pictures[i] for i in rows]))
            first, second = list(learner.classes)[:2]
            learner.merge(first, second)
            learner.undo()
            assert len(learner.history()) > said["events"]
            assert not list(problems(learner.file.connection))


def test_a_reader_of_a_file_that_cannot_be_written_to_reads_a_copy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, said = unpacked("corrected", tmp_path)

    def refused(path: str) -> None:
        raise LearnerInUse("another process writes to it")

    monkeypatch.setattr(file, "lock", refused)
    with LearnerInFile(path, backbone=Pixels(), writable=False) as learner:
        assert len(learner.history()) == said["events"]
    assert version_of(path) == 1


def test_a_migration_that_fails_leaves_the_file_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, _ = unpacked("given-up", tmp_path)

    def failing(connection: sqlite3.Connection) -> None:
        connection.execute("DELETE FROM changes")
        raise KeyboardInterrupt

    monkeypatch.setattr(schema, "MIGRATIONS", {1: failing})
    with pytest.raises(KeyboardInterrupt):
        Learner.open(path, backbone=Pixels())
    monkeypatch.undo()
    assert version_of(path) == 1
    with Learner.open(path, backbone=Pixels()) as learner:
        assert len(learner.history()) == 94
        assert not list(problems(learner.file.connection))


def test_commands_that_only_read_take_an_older_file(tmp_path: Path) -> None:
    path, said = unpacked("corrected", tmp_path)
    done = CliRunner().invoke(app, ["history", str(path), "--json"])
    assert done.exit_code == 0
    assert len(json.loads(done.stdout)) == said["events"]
    assert CliRunner().invoke(app, ["check", str(path)]).exit_code == 0
