"""Whatever is observed, corrected, undone and reopened, in any order, in memory or in a file: the learner
agrees with a simple model of where every exposure is, and its predictions with a classifier of just that."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from ilap import Exposure, Learner
from ilap.checks.digits import Pixels
from ilap.core.errors import BadCorrection
from ilap.core.exemplars import empty
from ilap.data import digits
from ilap.keep.learner import LearnerInFile
from ilap.keep.store.check import problems
from ilap.learner.answers import keys_of
from ilap.learner.log import DISCARDED, NOWHERE, PERSON, answers_of, deciders, in_force

DATA = digits.create()
SIZE = 6


class InMemory(RuleBasedStateMachine):
    """The learner beside its model."""

    learner: Learner

    def open(self) -> Learner:
        return Learner(backbone=Pixels())

    @initialize()
    def start(self) -> None:
        self.learner = self.open()
        self.place: dict[int, int] = {}  # of every exposure
        self.said: dict[int, int] = {}  # where a person put it
        self.past: list[dict[int, int]] = []  # the places before every event that can be undone
        self.drawn = 0
        self.founded, self.given = 0, set[int]()  # the next id, and all ids that there ever were

    def follow(self, person: bool = False) -> None:
        """Take over where everything is now; what a person has said must hold."""
        now = {number: self.learner.place_of(number) for number in range(len(self.learner.state.sizes))}
        if not person:
            assert all(now[number] == place for number, place in self.said.items())
        self.past.append(self.place)
        self.place = now

    def members(self) -> dict[int, list[int]]:
        classes: dict[int, list[int]] = {}
        for number, place in self.place.items():
            if place >= 0:
                classes.setdefault(place, []).append(number)
        return classes

    @rule(label=st.integers(0, 9), size=st.integers(1, SIZE))
    def observe(self, label: int, size: int) -> None:
        own = np.flatnonzero(DATA.train.labels == label)
        rows = own[(self.drawn * SIZE + np.arange(size)) % len(own)]
        self.drawn += 1
        self.learner.observe(Exposure([DATA.train.pictures[int(i)] for i in rows]))
        self.follow()

    @precondition(lambda self: len(self.members()) > 1)
    @rule(data=st.data())
    def merge(self, data: st.DataObject) -> None:
        into, other = data.draw(st.permutations(sorted(self.members())))[:2]
        moved = self.members()[into] + self.members()[other]
        self.learner.merge(into, other)
        self.follow(person=True)
        assert all(self.place[number] == into for number in moved)
        self.said |= dict.fromkeys(moved, into)

    @precondition(lambda self: any(len(own) > 1 for own in self.members().values()))
    @rule(data=st.data())
    def split(self, data: st.DataObject) -> None:
        source = data.draw(st.sampled_from([k for k, own in self.members().items() if len(own) > 1]))
        own = self.members()[source]
        some = data.draw(st.lists(st.sampled_from(own), min_size=1, max_size=len(own) - 1, unique=True))
        founded = self.learner.split(some)
        assert founded not in self.place.values()
        self.follow(person=True)
        self.said |= dict.fromkeys(some, founded)

    @precondition(lambda self: self.place)
    @rule(data=st.data())
    def move(self, data: st.DataObject) -> None:
        number = data.draw(st.sampled_from(sorted(self.place)))
        target = data.draw(st.sampled_from([None, *sorted(self.members())]))
        self.said[number] = self.learner.move(number, target)
        self.follow(person=True)
        assert self.place[number] == self.said[number]

    @rule()
    def regroup(self) -> None:
        before = dict(self.learner.state.tentative)
        events_before = len(self.learner.history())
        done = self.learner.regroup()
        self.follow()
        assert bool(done.moved) == (self.learner.state.tentative != before)
        assert len(self.learner.history()) == events_before + bool(done.moved)

    @precondition(lambda self: self.learner.groups)
    @rule(data=st.data())
    def confirm(self, data: st.DataObject) -> None:
        group = data.draw(st.sampled_from(sorted(self.learner.groups)))
        own = self.learner.groups[group]
        self.learner.confirm(group)
        self.follow(person=True)
        assert set(self.members()[group]) == set(own)
        self.said |= dict.fromkeys(own, group)

    @precondition(lambda self: self.place)
    @rule(data=st.data())
    def discard(self, data: st.DataObject) -> None:
        number = data.draw(st.sampled_from(sorted(self.place)))
        self.learner.discard([number])
        self.follow(person=True)
        self.said[number] = DISCARDED

    @precondition(lambda self: len(self.learner.exact.model.seen) > 1)
    @rule(data=st.data())
    def answer(self, data: st.DataObject) -> None:
        questions = self.learner.ask(3)
        if not questions:
            return
        question = data.draw(st.sampled_from(questions))
        key = data.draw(st.sampled_from(keys_of(question)))
        done = self.learner.answer(question, key).effect
        self.follow(person=True)
        assert all(self.place[number] == place for number, place in done.moves.items())
        self.hear()
        assert {number for number in done.named if self.said[number] == done.moves[number]} == set(done.named)

    @precondition(lambda self: self.place)
    @rule(data=st.data())
    def undo(self, data: st.DataObject) -> None:
        log = self.learner.history()
        event = data.draw(st.sampled_from([*in_force(log), None]) if in_force(log) else st.none())
        before, tentative = dict(self.place), dict(self.learner.state.tentative)
        try:
            undone = self.learner.undo(None if event is None else event.id)
        except BadCorrection:
            assert before == {n: self.learner.place_of(n) for n in before}
            return
        self.follow(person=True)
        for taken_back in (e for e in log if e.id in undone):
            for change in taken_back.changes:
                stays = change.before == change.after  # it was only confirmed, and may be elsewhere by now
                assert self.place[change.exposure] == (before[change.exposure] if stays else change.before)
            if taken_back.kind == "regroup":
                moved = {
                    c.exposure: c.before for c in taken_back.tentative if tentative.get(c.exposure) == c.after
                }
                assert self.learner.state.tentative == tentative | moved
        self.hear()

    def hear(self) -> None:
        """Take over what people said: whose word holds follows from the log."""
        by = deciders(self.learner.history())
        for number in self.place:
            assert deciders(self.learner.store.said_of([number])).get(number) == by.get(number)
        self.said = {number: self.place[number] for number in self.place if by.get(number) == PERSON}

    @invariant()
    def it_agrees_with_the_model(self) -> None:
        if not hasattr(self, "learner"):
            return
        classes = self.members()
        found = {k: sorted(own.exposures) for k, own in self.learner.classes.items()}
        assert found == classes, (found, classes, self.place)
        logged = {c.exposure: c.after for event in self.learner.history() for c in event.changes}
        assert logged == self.place
        exact = self.learner.exact
        assert {k: total.count for k, total in exact.model.by_class.items()} == {
            k: sum(len(self.learner.store.samples_of(number)) for number in own) for k, own in classes.items()
        }
        assert {number for number in self.said if self.said[number] >= 0} <= exact.fixed

    @invariant()
    def all_that_waits_is_placed_and_no_id_is_given_twice(self) -> None:
        if not hasattr(self, "learner"):
            return
        now = self.learner.state
        assert set(now.tentative) == {own.number for own in now.waiting}
        given = {*now.members, *now.tentative.values()}
        assert all(place < now.founded for place in given)
        assert now.founded >= self.founded
        fresh = given - self.given
        assert all(place >= self.founded for place in fresh)
        self.founded, self.given = now.founded, self.given | given

    @invariant()
    def predictions_are_those_of_what_it_holds(self) -> None:
        if not hasattr(self, "learner") or not self.members():
            return
        exact = self.learner.exact
        anew, memory = Learner(backbone=Pixels()).state.exact, empty(20)
        for number in exact.model.seen:
            anew = anew.see(self.learner.store.samples_of(number, whole=True), exact.model.seen[number].traits)
        for class_id, own in sorted(self.members().items()):
            for number in own:
                anew = anew.learn(self.learner.store.samples_of(number), class_id, memory, 0)
        rows = exact.samples(DATA.test.pictures[:10])
        np.testing.assert_allclose(exact.probabilities(rows), anew.probabilities(rows), atol=1e-9)

    @invariant()
    def what_was_told_apart_is_never_placed_together_unless_it_is_sure(self) -> None:
        if not hasattr(self, "learner"):
            return
        log, model = self.learner.history(), self.learner.exact.model
        assert model.told == answers_of(log)
        places = self.learner.exact.places(self.learner.state.founded)
        for one, other in model.apart:
            sure = self.place[one] == self.place[other] >= 0
            assert sure or places[one] != places[other]

    @rule()
    def undo_everything(self) -> None:
        """Back to the empty learner, and forth again."""
        log = in_force(self.learner.history())
        for event in reversed(log):
            self.learner.undo(event.id)
        assert not self.learner.classes
        exact = self.learner.exact
        assert exact.model.metric.freedom == 0
        assert not exact.model.metric.scatter.any()
        self.place = dict.fromkeys(self.place, NOWHERE)
        self.said = {}


class InFile(InMemory):
    """The same of a learner in a file, which may be closed and opened at any time."""

    learner: LearnerInFile

    def open(self) -> LearnerInFile:
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name) / "a.ilap"
        return Learner.open(self.path, backbone=Pixels())

    def teardown(self) -> None:
        if hasattr(self, "learner"):
            self.learner.close()
            self.folder.cleanup()

    @rule()
    def reopen(self) -> None:
        before = self.learner.state
        self.learner.close()
        self.learner = Learner.open(self.path, backbone=Pixels())
        assert self.learner.state.tentative == before.tentative
        assert self.learner.state.founded == before.founded

    @invariant()
    def the_file_is_whole(self) -> None:
        if hasattr(self, "learner"):
            assert not list(problems(self.learner.file.connection))


TestInMemory, TestInFile = InMemory.TestCase, InFile.TestCase
TestInMemory.settings = TestInFile.settings = settings(
    max_examples=12,
    derandomize=True,
    stateful_step_count=25,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
