"""A person says yes or no without being asked, and takes many proposals at once: events like all others."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from commands import ilap
from ilap import Learner
from ilap.backbones.stored import Cached
from ilap.checks.digits import Exposures
from ilap.core.errors import BadCorrection
from ilap.core.exposure import Exposure
from ilap.keep.learner import LearnerInFile
from ilap.keep.overview import overview
from ilap.keep.store.check import problems
from ilap.learner.log import PERSON
from ilap.learner.proposals import Proposal, accept

SHOWN = (3, 8, 5, 3, 8, 5, 3, 0)


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory, exposures: Exposures, lite0: Cached) -> Path:
    """A learner that is sure of its first exposure alone."""
    file = tmp_path_factory.mktemp("said") / "a.ilap"
    counts = dict.fromkeys(SHOWN, 0)
    with Learner.open(file, backbone=lite0, risk=1e-6) as made:
        for number, label in enumerate(SHOWN):
            made.observe(Exposure(exposures[label][counts[label]].pictures, name=f"burst {number}"))
            counts[label] += 1
    return file


@pytest.fixture
def path(tmp_path: Path, learned: Path) -> Path:
    return Path(shutil.copy(learned, tmp_path / "a.ilap"))


@pytest.fixture
def learner(path: Path, lite0: Cached) -> Iterator[LearnerInFile]:
    with Learner.open(path, backbone=lite0) as made:
        yield made


def where(learner: LearnerInFile) -> dict[int, int]:
    return {number: learner.place_of(number) for number in range(learner.state.seen)}


def test_same_and_different_are_the_answers_to_a_question(learner: LearnerInFile) -> None:
    before = where(learner)
    said = learner.same(4, 1).event
    assert (said.kind, said.by, said.about["question"], said.about["key"]) == ("answer", PERSON, "4=1", "same")
    assert learner.place_of(4) == learner.place_of(1) >= 0
    told = learner.different(0, 7).event
    assert (told.kind, told.about["key"]) == ("answer", "different")
    assert (0, 7) in learner.exact.model.apart
    assert not list(problems(learner.file.connection))
    learner.undo(told.id)
    assert (0, 7) not in learner.exact.model.apart
    learner.undo(said.id)
    assert where(learner) == before


def test_two_of_one_class_that_are_different_are_parted(learner: LearnerInFile) -> None:
    learner.same(0, 7)
    assert learner.place_of(0) == learner.place_of(7)
    learner.different(0, 7)
    assert learner.place_of(0) != learner.place_of(7)
    with pytest.raises(BadCorrection, match="cannot be compared with itself"):
        learner.different(7, 7)
    learner.discard([7])
    with pytest.raises(BadCorrection, match="Exposure 7 is not there any more"):
        learner.same(0, 7)


def test_the_command_line_says_same_and_different(path: Path) -> None:
    done = ilap("same", str(path), "burst 4", "1")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("4 shows the same as 1: 4 and 1 are ")
    no = json.loads(ilap("different", str(path), "burst 0", "name:burst 7", "--json").stdout)
    assert no["said"].startswith("0 and 7 are different (event ")
    assert ilap("history", str(path)).stdout.count("  answer  ") == 2
    assert ilap("undo", str(path)).stdout == f"event {no['event']} undone\n"
    assert ilap("same", str(path), "1", "1").stderr == (
        "ilap: Exposure 1 cannot be compared with itself: name two exposures.\n"
    )


def test_all_unsure_exposures_that_are_likely_known_are_taken_by_one_event(learner: LearnerInFile) -> None:
    before, places, count = where(learner), learner.places, len(learner.history())
    likely = {
        row.exposure: row.nearest[0].class_id
        for row in overview(learner).unsure
        if row.nearest and row.nearest[0].probability >= 0.6
    }
    assert len(likely) > 1
    done = learner.accept("known", above=0.6)
    assert {change.exposure: change.after for change in done.changes} == likely
    assert len(learner.history()) == count + 1
    assert all(learner.place_of(number) == k for number, k in likely.items())
    assert set(likely) <= learner.exact.fixed
    assert not list(problems(learner.file.connection))
    assert learner.undo() == [done.event]
    assert (where(learner), learner.places) == (before, places)


def test_new_ones_are_those_that_are_alone(learner: LearnerInFile) -> None:
    alone = {own[0] for own in learner.groups.values() if len(own) == 1}
    done = learner.accept("new", above=0.51)
    assert done.proposals
    assert {change.exposure for change in done.changes} <= alone
    assert all(learner.classes[change.after].exposures == (change.exposure,) for change in done.changes)


def test_a_kind_is_asked_for_where_there_are_several(learner: LearnerInFile) -> None:
    count = len(learner.history())
    with pytest.raises(BadCorrection, match=r"several kinds \(\d+ known, \d+ new\): name one by --kind"):
        learner.accept(above=0.51)
    with pytest.raises(BadCorrection, match=r"not 0.3: say more than 0\.5"):
        learner.accept(above=0.3)
    assert len(learner.history()) == count


def test_what_was_told_apart_is_not_accepted(learner: LearnerInFile) -> None:
    (first, *_) = learner.accept("known", above=0.6).proposals
    learner.undo()
    (number,), (class_id,) = first.exposures, first.classes
    learner.different(number, learner.classes[class_id].exposures[0])
    accepted = learner.accept("known", above=0.6).proposals
    assert (number,) not in [one.exposures for one in accepted]


def test_classes_that_are_likely_one_are_merged_at_once_and_parted_by_one_undo(
    tmp_path: Path, exposures: Exposures, lite0: Cached
) -> None:
    path = tmp_path / "a.ilap"
    with Learner.open(path, backbone=lite0) as made:
        for label, number in ((3, 0), (1, 0), (4, 0), (1, 1), (4, 1)):
            made.teach(exposures[label][number])
        made.rename(3, "one")
        before = where(made)
        expected = {pair.classes for pair in overview(made).likely_one}
        assert (1, 3) in expected
    done = json.loads(ilap("accept", str(path), "--above", ".51", "--kind", "merge", "--json").stdout)
    with Learner.open(path, backbone=lite0) as made:
        assert made.classes[1].exposures == (1, 3)
        assert made.name_of(1) == "one"
        assert len(made.classes) == 5 - len(expected)
        assert made.history()[-1].id == done["event"]
        assert not list(problems(made.file.connection))
    assert ilap("undo", str(path)).stdout == f"event {done['event']} undone\n"
    with Learner.open(path, backbone=lite0) as made:
        assert where(made) == before
        made.different(1, 3)
        made.accept("merge", above=0.51)
        assert made.place_of(1) != made.place_of(3)


def test_of_three_classes_in_a_chain_those_told_apart_stay_two(
    tmp_path: Path, exposures: Exposures, lite0: Cached
) -> None:
    made = Learner(backbone=lite0)
    for number in range(3):
        made.teach(exposures[3][number])
    likely = [Proposal("merge", 0.8, (1,), (0, 1)), Proposal("merge", 0.9, (2,), (1, 2))]
    whole = accept(made.state, {}, likely, set(), 0.7)
    assert {change.exposure: change.after for change in whole.changes} == {0: 0, 1: 0, 2: 0}
    parted = accept(made.state, {2: "b"}, likely, {(0, 2)}, 0.7)
    assert {change.exposure: change.after for change in parted.changes} == {1: 1, 2: 1}
    assert parted.names == ((1, None, "b"),)


def test_a_class_that_is_likely_two_is_split(tmp_path: Path, exposures: Exposures, lite0: Cached) -> None:
    with Learner.open(tmp_path / "a.ilap", backbone=lite0, risk=0.95, caution=0) as made:
        first = made.teach(exposures[3][0]).class_id
        for label, number in ((3, 1), (3, 2), (1, 0)):
            made.teach(exposures[label][number], first)
        for event in made.history()[1:]:  # as if ilap had put them there
            with made.file.transaction() as connection:
                connection.execute("UPDATE events SET by = 'ilap' WHERE id = ?", (event.id,))
                connection.execute("UPDATE exposures SET decided_by = 'ilap' WHERE number > 0")
        made.reload()
        done = made.accept("split", above=0.6)
        assert [one.exposures for one in done.proposals] == [(3,)]
        assert made.place_of(3) != made.place_of(0)
        assert made.undo() == [done.event]
        assert made.place_of(3) == first


def test_nothing_that_likely_is_said_and_no_error(path: Path) -> None:
    done = ilap("accept", str(path), "--above", "1", "--kind", "merge")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "no proposal of kind merge is at least 100% likely: nothing was changed\n"
    assert json.loads(ilap("accept", str(path), "--above", "1", "--json").stdout)["event"] is None
    some = ilap("accept", str(path), "--above", ".6", "--kind", "known").stdout
    assert "exposures are known now (event " in some
