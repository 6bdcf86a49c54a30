"""Looking at everything again, in a file: one event, taken back exactly, all of it or nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ilap import Learner
from ilap.backbones.stored import Cached
from ilap.checks.digits import Exposures
from ilap.core.errors import BadCorrection
from ilap.keep import answers
from ilap.keep.identify import identify
from ilap.keep.learner import LearnerInFile
from ilap.keep.store import events, state
from ilap.keep.store.check import compact, problems


@pytest.fixture
def learner(tmp_path: Path, lite0: Cached, exposures: Exposures) -> Iterator[LearnerInFile]:
    """Four classes, and sixteen small exposures that wait, in the order of arrival."""
    with Learner.open(tmp_path / "a.ilap", backbone=lite0, risk=0.001) as ready:
        for label in range(4):
            ready.teach(exposures[label][0])
        for place in (1, 2):
            for label in range(8):
                ready.observe(exposures[label][place].pictures[: 2 + label % 3])
        assert ready.waiting
        yield ready


def scattered(learner: LearnerInFile) -> dict[int, int]:
    """Every exposure that waits in a group of its own, as if they had come in the worst order."""
    before = learner.state
    places = {number: before.founded + i for i, number in enumerate(sorted(before.tentative))}
    after = replace(before, tentative=places, founded=before.founded + len(places))
    with learner.file.transaction() as connection:
        event = events.append(connection, "ilap", "regroup", {}, (), state.placements(before, after))
        state.save(connection, before, after, (), event, "ilap")
    learner.state = after
    return places


def test_it_is_one_event_that_undo_takes_back_exactly(learner: LearnerInFile) -> None:
    places = scattered(learner)
    sure = {k: own.exposures for k, own in learner.classes.items()}
    done = learner.regroup()
    assert done.moved
    assert done.event == learner.history()[-1].id
    assert {k: own.exposures for k, own in learner.classes.items()} == sure
    founded = learner.state.founded
    assert learner.undo() == [done.event]  # it was asked for by a person
    assert learner.state.tentative == places
    assert learner.state.founded == founded  # no id is given again
    assert not list(problems(learner.file.connection))


def test_where_nothing_changes_nothing_is_written(learner: LearnerInFile) -> None:
    learner.regroup()
    count = len(learner.history())
    assert learner.regroup().event is None
    assert len(learner.history()) == count


def test_a_later_one_has_to_be_undone_first(learner: LearnerInFile) -> None:
    scattered(learner)
    first = learner.regroup().event
    scattered(learner)
    second = learner.history()[-1].id
    with pytest.raises(BadCorrection, match="later ones moved the same"):
        learner.undo(first)
    assert learner.undo(first, with_later=True)[-2:] == [second, first]


def test_reopened_and_compacted_it_is_the_same(learner: LearnerInFile, lite0: Cached) -> None:
    learner.regroup()
    places, founded = learner.places, learner.state.founded
    learner.close()
    with Learner.open(learner.path, backbone=lite0) as again:
        assert (again.places, again.state.founded) == (places, founded)
        compact(again.file)
    with Learner.open(learner.path, backbone=lite0, writable=False) as again:
        assert (again.places, again.state.founded) == (places, founded)
        assert not list(problems(again.file.connection))


def test_whatever_fails_on_the_way_nothing_is_changed(
    learner: LearnerInFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    scattered(learner)
    before, count = learner.state, len(learner.history())

    def full(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(state, "save", full)
    with pytest.raises(KeyboardInterrupt):
        learner.regroup()
    monkeypatch.undo()
    assert learner.state is before
    assert len(learner.history()) == count
    assert not list(problems(learner.file.connection))
    assert learner.regroup().moved


def test_the_check_finds_a_place_that_the_log_does_not_know(learner: LearnerInFile) -> None:
    number = learner.waiting[0]
    learner.file.connection.execute("UPDATE exposures SET tentative = 999 WHERE number = ?", (number,))
    found = list(problems(learner.file.connection))
    assert f"the tentative place of exposure {number} is not the one that the log says" in found
    assert f"the tentative place of exposure {number} has an id that was never given" in found


def test_a_tentative_group_is_renamed_and_confirmed_and_that_is_undone(learner: LearnerInFile) -> None:
    places = scattered(learner)
    number, group = next(iter(places.items()))
    assert learner.name_of(group) == f"group {group}"
    answers.rename(learner, f"group {group}", "heron")
    done = answers.confirm(learner, "heron")
    assert (done.class_id, done.exposures) == (group, (number,))
    assert learner.classes[group].exposures == (number,)
    assert learner.name_of(group) == "heron"
    assert number in learner.exact.fixed
    assert not list(problems(learner.file.connection))
    learner.undo()
    assert group not in learner.classes
    assert learner.state.tentative == places
    assert learner.name_of(group) == "heron"


def test_single_pictures_are_named_as_a_tentative_group_which_teaches_nothing(
    learner: LearnerInFile, exposures: Exposures
) -> None:
    own = max(learner.groups.values(), key=len)
    label = (own[0] - 4) % 8
    counts = {k: total.count for k, total in learner.exact.model.by_class.items()}
    pictures = exposures[label][3].pictures
    named = learner.predict(pictures)
    assert set(named.classes) == {*learner.classes, *learner.groups}
    assert (named.tentative == np.isin(named.class_ids, list(learner.groups))).all()
    assert named.tentative.mean() > 0.5
    shown = exposures[label][1].pictures[:1]
    (one,) = identify(learner, shown)
    assert one.tentative == (one.likeliest in learner.groups)
    assert all(learner.places[number] == one.likeliest for number, _ in one.nearest)
    assert {k: total.count for k, total in learner.exact.model.by_class.items()} == counts


def test_groups_are_merged_and_moved_to_as_classes_are(learner: LearnerInFile) -> None:
    places = scattered(learner)
    (a, first), (b, second), (c, third) = list(places.items())[:3]
    learner.merge(0, first)
    assert a in learner.classes[0].exposures
    learner.merge(second, third)
    assert learner.classes[second].exposures == (b, c)
    rest = list(places)[3]
    learner.move(rest, None)
    assert learner.classes[places[rest]].exposures == (rest,)  # a group that becomes a class keeps its id
    learner.undo()
    learner.undo(learner.history()[-3].id)
    assert not list(problems(learner.file.connection))


def test_what_was_tentatively_of_a_class_follows_it_into_another(learner: LearnerInFile) -> None:
    number = learner.waiting[0]
    before = learner.state
    after = replace(before, tentative={**before.tentative, number: 1})
    with learner.file.transaction() as connection:
        event = events.append(connection, "ilap", "regroup", {}, (), state.placements(before, after))
        state.save(connection, before, after, (), event, "ilap")
    learner.state = after
    learner.merge(0, 1)
    assert learner.places[number] == 0
    learner.undo()
    assert learner.places[number] == 1
