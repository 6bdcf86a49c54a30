"""What is damaged in a learner's file is named, with the command that mends it; what can be derived is derived
again; and of the rest repair saves what can be saved."""

from __future__ import annotations

import json
import shutil
import sqlite3
from pathlib import Path

import pytest
from typer.testing import CliRunner

from damaged_files import Whole, made
from ilap.checks.digits import Pixels
from ilap.cli import app
from ilap.core.errors import BadOutput, DamagedLearner, Defect, NotALearner
from ilap.data.contract import Dataset
from ilap.keep.learner import LearnerInFile
from ilap.keep.overview import overview
from ilap.keep.store import schema
from ilap.keep.store.check import checked, compact
from ilap.keep.store.file import LearnerFile
from ilap.keep.store.repair import Repaired, repair

pytestmark = pytest.mark.filterwarnings("ignore:There is no prior")


@pytest.fixture(scope="module")
def wholes(tmp_path_factory: pytest.TempPathFactory, digits: Dataset) -> list[Whole]:
    return made(tmp_path_factory.mktemp("made"), digits)


@pytest.fixture
def path(wholes: list[Whole], tmp_path: Path) -> Path:
    return wholes[0].put(tmp_path / "learner")


def damage(path: Path, statement: str) -> None:
    """Change rows behind ilap's back, as a broken disk would: nothing keeps their checksums."""
    with sqlite3.connect(path) as connection:
        connection.execute(statement)
    connection.close()


def repaired(path: Path) -> tuple[Path, Repaired]:
    def never() -> dict[str, object]:
        raise AssertionError("its settings are whole")

    fixed = path.with_name("fixed.ilap")
    return fixed, repair(path, fixed, never)


OWN = {
    "features": "UPDATE features SET row = zeroblob(length(row)) WHERE picture = 3",
    "pictures": "UPDATE pictures SET sha256 = 'x' WHERE id = 3",
    "thumbnails": "UPDATE thumbnails SET jpeg = x'00' WHERE picture = (SELECT min(picture) FROM thumbnails)",
    "exposures": "UPDATE exposures SET size = size + 1 WHERE number = 1",
    "events": "UPDATE events SET by = 'ilap' WHERE by = 'person'",
    "changes": "UPDATE changes SET after = after + 1 WHERE event = 2",
    "placements": "DELETE FROM placements WHERE rowid = (SELECT max(rowid) FROM placements)",
    "classes": "UPDATE classes SET name = 'the old dog' WHERE name = 'the old fox'",
    "meta": "UPDATE meta SET value = replace(value, '0', '1') WHERE key = 'settings'",
}
DERIVED = {
    "derived of": "UPDATE exposures SET place = 1 WHERE number = 0",
    "exemplars": "UPDATE exemplars SET place = 0",
    "checkpoint": "UPDATE checkpoint SET freedom = freedom + 1",
}


@pytest.mark.parametrize("what", OWN)
def test_whatever_is_not_as_it_was_written_is_found_and_nothing_is_answered(path: Path, what: str) -> None:
    damage(path, OWN[what])
    found = checked(path)
    assert what in found.problems[0].said
    assert "ilap repair" in str(found.mend)
    for writable in (True, False):
        with pytest.raises(DamagedLearner, match="ilap repair"):
            LearnerInFile(path, backbone=Pixels(), writable=writable)


@pytest.mark.parametrize("writable", [True, False])
@pytest.mark.parametrize("what", DERIVED)
def test_what_is_derived_is_derived_again_with_a_word(path: Path, what: str, writable: bool) -> None:
    with LearnerInFile(path, backbone=Pixels(), writable=False) as learner:
        places = learner.places
    damage(path, DERIVED[what])
    found = checked(path)
    assert what in found.problems[0].said
    assert "ilap compact" in str(found.mend)
    with (
        pytest.warns(UserWarning, match="derived again"),
        LearnerInFile(path, backbone=Pixels(), writable=writable) as learner,
    ):
        assert learner.places == places
    assert not checked(path).problems


def test_where_a_file_cannot_be_written_to_a_reader_derives_in_memory(path: Path) -> None:
    damage(path, DERIVED["checkpoint"])
    content = path.read_bytes()
    with LearnerFile(path, verify=False) as held:  # holds the lock
        with (
            pytest.warns(UserWarning, match="derived again"),
            LearnerInFile(path, backbone=Pixels(), writable=False) as learner,
        ):
            assert overview(learner).classes
        assert held.writable
    assert path.read_bytes() == content


def test_compact_derives_again_what_does_not_follow_from_the_log(path: Path) -> None:
    file = LearnerFile(path)
    with file.transaction() as connection:  # a defect, not damage: the checksums fit
        connection.execute("UPDATE exposures SET place = 1 WHERE number = 0")
    assert any("not where the log says" in problem.said for problem in checked(path).problems)
    compact(file)
    file.close()
    assert not checked(path).problems


def test_repair_of_a_whole_file_loses_nothing_and_leaves_it_as_it_is(path: Path) -> None:
    before = path.read_bytes()
    fixed, done = repaired(path)
    assert done.lost == ()
    assert path.read_bytes() == before
    with (
        LearnerInFile(path, backbone=Pixels(), writable=False) as learner,
        LearnerInFile(fixed, backbone=Pixels(), writable=False) as other,
    ):
        assert other.places == learner.places
        assert other.names == learner.names
        assert other.history() == learner.history()
        assert other.waiting == learner.waiting
    with pytest.raises(BadOutput, match="exists"):
        repaired(path)


def test_an_event_that_is_lost_leaves_everything_where_it_was(path: Path) -> None:
    with LearnerInFile(path, backbone=Pixels(), writable=False) as learner:
        places, fixed_by_people = learner.places, learner.exact.model.fixed
    damage(path, "DELETE FROM events WHERE id IN (1, 4)")
    damage(path, "DELETE FROM changes WHERE event = 4")
    fixed, done = repaired(path)
    assert [one.number for one in done.lost if one.kind == "event"] == [1, 4]
    with LearnerInFile(fixed, backbone=Pixels(), writable=False) as learner:
        assert learner.places == places
        assert learner.exact.model.fixed == fixed_by_people
        log = learner.history()
        assert [event.id for event in log if event.kind == "lost"] == [1, 4]
        assert log[0].time == log[1].time
    assert not checked(fixed).problems


def test_where_the_place_is_lost_too_an_exposure_is_unsure(path: Path) -> None:
    damage(path, "DELETE FROM changes WHERE exposure = 2")
    damage(path, "UPDATE exposures SET place = 7 WHERE number = 2")
    fixed, _ = repaired(path)
    with LearnerInFile(fixed, backbone=Pixels()) as learner:
        assert 2 in learner.waiting
        assert learner.history()[-1].kind == "repair"


def test_an_exposure_that_is_lost_is_named_by_its_number_and_folder(path: Path) -> None:
    with LearnerFile(path) as file, file.transaction() as connection:
        connection.execute("UPDATE exposures SET folder = '/cards/A' WHERE number = 1")
    damage(path, "DELETE FROM features WHERE picture IN (SELECT id FROM pictures WHERE exposure = 1)")
    damage(path, "DELETE FROM features WHERE picture = 1")
    fixed, done = repaired(path)
    lost = {one.kind: one.said for one in done.lost}
    assert "exposure 1 of /cards/A" in lost["exposure"]
    assert lost["picture"] == "1 of 6 pictures of exposure 0"
    with LearnerInFile(fixed, backbone=Pixels()) as learner:
        assert 1 not in learner.places
        assert learner.size_of(0) == 5
        assert len(overview(learner).exposures) == done.exposures


def test_a_name_that_is_lost_is_taken_from_the_log(path: Path) -> None:
    damage(path, OWN["classes"])
    fixed, _ = repaired(path)
    with LearnerInFile(fixed, backbone=Pixels(), writable=False) as learner:
        assert "the old fox" in learner.names.values()


def test_the_head_of_a_file_and_the_definitions_of_its_tables_are_written_anew(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[:100] = bytes(100)
    at = data.index(b"CREATE TABLE features")
    data[at + 13 : at + 21] = b"xeatures"
    path.write_bytes(data)
    with pytest.raises(NotALearner, match="ilap repair"):
        checked(path)
    _, done = repaired(path)
    assert done.lost == ()


@pytest.mark.parametrize("first", [0, 100])
def test_without_its_first_page_the_rest_of_a_file_is_found(path: Path, first: int) -> None:
    data = bytearray(path.read_bytes())
    data[first:8192] = bytes(8192 - first)
    path.write_bytes(data)
    _, done = repaired(path)
    assert done.lost == ()
    assert done.exposures == 9


def test_of_a_file_that_is_cut_short_the_log_is_saved_and_lost_pictures_are_named(path: Path) -> None:
    with LearnerInFile(path, backbone=Pixels(), writable=False) as learner:
        events = len(learner.history())
    path.write_bytes(path.read_bytes()[: 15 * 8192 + 100])
    fixed, done = repaired(path)
    assert [one.number for one in done.lost if one.kind == "exposure"] == list(range(done.exposures))
    with LearnerInFile(fixed, backbone=Pixels()) as learner:
        assert [event.id for event in learner.history()][:events] == list(range(1, events + 1))
        assert "the old fox" in learner.names.values()


def test_a_write_ahead_log_that_is_damaged_is_not_passed_over(wholes: list[Whole], tmp_path: Path) -> None:
    path = wholes[1].put(tmp_path / "killed")
    log = Path(f"{path}-wal")
    data = bytearray(log.read_bytes())
    data[32 + 24 + 100] ^= 1
    log.write_bytes(data)
    with pytest.raises(DamagedLearner, match="write-ahead log"):
        LearnerInFile(path, backbone=Pixels())
    assert "write-ahead log" in checked(path).problems[0].said


def test_an_error_of_our_own_sql_is_not_called_damage(path: Path) -> None:
    with (
        LearnerFile(path) as file,
        pytest.raises(Defect, match=r"no such column: colour.*report"),
        file.snapshot() as connection,
    ):
        connection.execute("SELECT colour FROM exposures")


def test_a_file_of_version_3_is_looked_at_before_it_gets_checksums(tmp_path: Path, path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("DROP TABLE totals")
        connection.execute("DROP TABLE networks")
        for table, columns in (("exposures", ("crc", "derived_crc")), *((name, ("crc",)) for name in TABLES)):
            for column in columns:
                connection.execute(f"ALTER TABLE {table} DROP COLUMN {column}")
        connection.execute("PRAGMA user_version = 3")
    connection.close()
    other = tmp_path / "damaged.ilap"
    shutil.copy(path, other)
    damage(other, OWN["features"])
    with pytest.raises(DamagedLearner, match="features of exposure 0"):
        LearnerFile(other)
    _, done = repaired(path)
    assert [one.said for one in done.lost] == ["the note of how many rows there were, so there may be more"]
    LearnerFile(path).close()
    assert not checked(path).problems
    assert schema.VERSION == 6


TABLES = ("meta", "pictures", "features", "thumbnails", "classes", "events", "changes", "placements")
TABLES += ("exemplars", "checkpoint")


def test_the_commands_say_what_is_damaged_and_what_to_do(path: Path) -> None:
    damage(path, OWN["features"])
    run = CliRunner().invoke
    told = run(app, ["check", str(path), "--json"])
    assert told.exit_code == 1
    assert "ilap repair" in json.loads(told.stdout)["mend"]
    fixed = path.with_name("fixed.ilap")
    done = json.loads(run(app, ["repair", str(path), "--out", str(fixed), "--json"]).stdout)
    assert [one["kind"] for one in done["lost"]] == ["picture", "rows"]
    assert run(app, ["check", str(fixed)]).exit_code == 0
    assert "is whole" in run(app, ["check", str(fixed)]).stdout
