"""What each correction moves, and that the state after it is that of a learner that never erred."""

from __future__ import annotations

import numpy as np
import pytest

from ilap.core.errors import BadCorrection
from ilap.core.exemplars import empty
from ilap.core.exposure import Samples
from ilap.exact.exact import with_prior
from ilap.exact.statistics import Traits
from ilap.learner import corrections
from ilap.learner.log import DISCARDED, NOWHERE, UNSURE, Change, Event
from ilap.learner.state import State
from modelled import PRIOR, Rows, shown

PLACES = {0: 0, 1: 1, 2: 0, 3: 2, 4: UNSURE, 5: DISCARDED}
"""Three classes of two, one and one exposures; one that is unsure, and one that was discarded."""


def exposures() -> dict[int, Samples]:
    rng = np.random.default_rng(0)
    centres = rng.normal(size=(6, PRIOR.dim)) * 3
    return {n: shown(n, centres[max(place, 0)], 6, rng) for n, place in PLACES.items()}


SHOWN = exposures()


def state_of(places: dict[int, int]) -> State:
    """A learner to which all of this was told, in order."""
    state = State(with_prior(Rows(), PRIOR), empty(20))
    for number, place in places.items():
        state = state.arrived(SHOWN[number])
        if place >= 0:
            state = state.saw(SHOWN[number]).learned(SHOWN[number], place, seed=0)
        elif place == UNSURE:
            state = state.saw(SHOWN[number]).waits([SHOWN[number]], 0)
    return state


class Kept:
    """What was shown, as a file would recall it."""

    def samples_of(self, number: int, whole: bool = False) -> Samples:
        return SHOWN[number]

    def traits_of(self, number: int) -> Traits | None:
        return Traits()


def place_of(number: int) -> int:
    return PLACES[number]


def after(correction: corrections.Correction) -> State:
    return corrections.applied(state_of(PLACES), correction.changes, Kept())


def same(found: State, expected: State) -> None:
    """Classes, exemplars, what waits, and how pictures are named."""
    assert {k: sorted(v) for k, v in found.members.items()} == {
        k: sorted(v) for k, v in expected.members.items()
    }
    assert [s.number for s in found.waiting] == [s.number for s in expected.waiting]
    rows = np.concatenate([samples.rows for samples in SHOWN.values()])
    ours, theirs = found.exact, expected.exact
    assert ours.classes == theirs.classes
    np.testing.assert_allclose(ours.probabilities(rows), theirs.probabilities(rows), atol=1e-9)
    for class_id in found.members:
        pools = [set(map(tuple, s.memory.train[class_id].origins.tolist())) for s in (found, expected)]
        assert pools[0] == pools[1]


def test_a_merge_moves_the_second_class_and_confirms_the_first() -> None:
    made = corrections.merge(state_of(PLACES), {1: "one"}, 0, 1)
    assert made.changes == (Change(0, 0, 0), Change(2, 0, 0), Change(1, 1, 0))
    assert made.names == ((0, None, "one"),)  # a name is not lost with its class
    same(after(made), state_of({**PLACES, 1: 0}))


def test_a_merge_keeps_the_first_name() -> None:
    assert corrections.merge(state_of(PLACES), {0: "zero", 1: "one"}, 0, 1).names == ()
    with pytest.raises(BadCorrection, match="cannot be merged with itself"):
        corrections.merge(state_of(PLACES), {}, 0, 0)
    with pytest.raises(BadCorrection, match="There is no class 9"):
        corrections.merge(state_of(PLACES), {}, 0, 9)


def test_a_split_founds_a_class() -> None:
    made = corrections.split(state_of(PLACES), {}, [2, 2], "two", place_of)
    assert made.changes == (Change(2, 0, 3),)
    assert made.names == ((3, None, "two"),)
    assert made.about == {"founds": 3}
    same(after(made), state_of({**PLACES, 2: 3}))


@pytest.mark.parametrize(
    ("numbers", "advice"),
    [([0, 1], "of one class"), ([4], "of one class"), ([0, 2], "leave at least one in it")],
)
def test_a_split_that_parts_nothing_is_refused(numbers: list[int], advice: str) -> None:
    with pytest.raises(BadCorrection, match=advice):
        corrections.split(state_of(PLACES), {}, numbers, None, place_of)


@pytest.mark.parametrize("number", [0, 4, 5])
def test_a_move_takes_an_exposure_from_wherever_it_is(number: int) -> None:
    made = corrections.move(state_of(PLACES), [number], 1, place_of)
    assert (made.kind, made.changes) == ("move", (Change(number, PLACES[number], 1),))
    same(after(made), state_of({**PLACES, number: 1}))


def test_a_move_to_nowhere_named_founds_and_one_to_its_own_class_confirms() -> None:
    founds = corrections.move(state_of(PLACES), [4], None, place_of)
    assert (founds.changes[0].after, founds.about) == (3, {"founds": 3})
    confirms = corrections.move(state_of(PLACES), [0], 0, place_of)
    assert confirms.kind == "confirm"
    same(after(confirms), state_of(PLACES))


def test_what_is_discarded_is_forgotten_and_discarding_it_again_changes_nothing() -> None:
    made = corrections.discard([5, 3], place_of)
    assert made.changes == (Change(3, 2, DISCARDED),)
    same(after(made), state_of({**PLACES, 3: DISCARDED}))


def test_what_is_unsure_waits_in_the_order_in_which_it_came() -> None:
    made = corrections.Correction("undo", (Change(1, 1, UNSURE),))
    assert [samples.number for samples in after(made).waiting] == [1, 4]


def test_the_inverse_takes_back_what_moved_and_leaves_what_was_confirmed() -> None:
    moved = (Change(0, 0, 0), Change(1, 1, 0), Change(4, UNSURE, 0))
    event = Event(7, "", "person", "merge", {"names": [[0, None, "one"]]}, moved)
    back = corrections.inverse(event, event.id)
    assert back.changes == (Change(4, 0, UNSURE), Change(1, 0, 1))
    assert back.names == ((0, "one", None),)
    assert back.about == {"event": 7, "of": 7, "spoken_of": [0]}
    assert back.spoken_of == (0, 1, 4)


def test_undoing_what_was_learned_leaves_nothing_of_it() -> None:
    made = corrections.Correction("undo", (Change(3, 2, NOWHERE),))
    found = after(made)
    assert 2 not in found.members
    assert 2 not in found.memory.train
    assert found.founded == 3  # an id is never used twice
