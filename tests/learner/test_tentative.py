"""Tentative places: everything is placed, ids last and are never used twice, and nothing is learned from it."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from ilap import Learner
from ilap.backbones.stored import Cached
from ilap.checks.digits import Exposures
from ilap.learner.tentative import groups, with_old_ids

GROUPINGS = st.dictionaries(st.integers(0, 11), st.integers(0, 5), max_size=12)


@given(st.lists(GROUPINGS, max_size=6))
@settings(deadline=None)
def test_a_group_keeps_its_id_while_most_of_it_stays_together_and_no_id_is_used_twice(
    rounds: list[dict[int, int]],
) -> None:
    before: dict[int, int] = {}
    next_id, past = 0, set[int]()
    for labels in rounds:
        before = {number: place for number, place in before.items() if number in labels}
        after = with_old_ids({n: 100 + k for n, k in labels.items()}, before, next_id)
        assert set(after) == set(labels)
        together = {(labels[a] == labels[b], after[a] == after[b]) for a in labels for b in labels}
        assert together <= {(True, True), (False, False)}
        fresh = set(after.values()) - set(before.values())
        assert not fresh & past
        for old, size in Counter(before.values()).items():
            own = [n for n, place in before.items() if place == old]
            label, most = Counter(labels[n] for n in own).most_common(1)[0]
            if 2 * most > size:
                rivals = Counter(before[n] for n in labels if labels[n] == label and n in before)
                kept = after[next(n for n in own if labels[n] == label)]
                assert kept == old or rivals[kept] >= most
        past |= set(after.values())
        next_id = max([next_id, *(place + 1 for place in after.values())])
        before = after


def unsure_stream(lite0: Cached, exposures: Exposures) -> Learner:
    """Ten things twice, a single picture or two of each the second time."""
    learner = Learner(backbone=lite0, risk=0.001)
    for label in range(4):
        learner.observe(exposures[label][0])
    for place in (1, 2):
        for label in range(8):
            learner.observe(exposures[label][place].pictures[: 1 + label % 3])
    return learner


def test_every_exposure_is_placed_and_only_what_is_sure_is_learned(lite0: Cached, exposures: Exposures) -> None:
    learner = unsure_stream(lite0, exposures)
    sure = {number: k for k, own in learner.classes.items() for number in own.exposures}
    waiting = {samples.number for samples in learner.state.waiting}
    assert waiting
    assert set(learner.places) == set(range(20))
    assert {n: learner.places[n] for n in sure} == sure
    assert set(learner.state.tentative) == waiting
    before = learner.predict_samples(learner.samples(exposures[0][3].pictures), tentative=False)
    learner.regroup()
    after = learner.predict_samples(learner.samples(exposures[0][3].pictures), tentative=False)
    np.testing.assert_array_equal(before.probabilities, after.probabilities)
    assert {number: k for k, own in learner.classes.items() for number in own.exposures} == sure


def test_a_decision_says_the_likeliest_place(lite0: Cached, exposures: Exposures) -> None:
    learner = Learner(backbone=lite0, risk=0.001)
    first = learner.observe(exposures[0][0])
    assert (first.class_id, first.place) == (0, 0)
    learner.observe(exposures[1][0])
    found = learner.observe([exposures[0][1].pictures[0]])
    assert (found.kind, found.class_id) == ("unsure", None)
    assert found.place == learner.places[2]
    assert learner.teach(exposures[2][0]).place == learner.state.founded - 1


def test_what_is_taught_as_a_tentative_group_founds_a_class_of_its_id(
    lite0: Cached, exposures: Exposures
) -> None:
    learner = unsure_stream(lite0, exposures)
    group, own = next(iter(learner.groups.items()))
    taught = learner.teach(exposures[5][3], group)
    assert (taught.kind, taught.class_id, taught.place) == ("new", group, group)
    assert group not in learner.groups
    assert all(learner.places[number] == group for number in own)  # tentatively, of a class that is known now


def test_ids_of_groups_and_classes_are_of_one_counter(lite0: Cached, exposures: Exposures) -> None:
    learner = unsure_stream(lite0, exposures)
    ids = {*learner.classes, *groups(learner.state)}
    assert max(ids) < learner.state.founded
    assert not set(learner.classes) & set(learner.groups)
    kept = dict(learner.groups)
    founded = learner.state.founded
    learner.regroup()
    assert all(place in kept or place >= founded for place in learner.groups)
    again = learner.regroup()
    assert again.moved == ()  # the same once more
    assert again.groups == len(learner.groups)


def test_a_group_that_founds_a_class_keeps_its_id(lite0: Cached, exposures: Exposures) -> None:
    learner = Learner(backbone=lite0, risk=1e-9)
    for label in range(3):
        learner.observe(exposures[label][0])
    place = learner.places[2]
    assert place in learner.groups
    learner.loop = type(learner.loop)(learner.loop.detector, Learner(risk=0.9, caution=0).loop.settings, 0)
    settled = {decision.exposure: decision for decision in learner.ask_again()}
    assert settled[2].kind == "new"
    assert settled[2].class_id == place
    assert learner.places[2] == place
