"""What an exposure is believed to be: right in a world as modelled, and less sure of what was never fitted."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from ilap.core.exemplars import Memory
from ilap.core.exposure import Samples
from ilap.core.rule import RULE
from ilap.exact.belief import beliefs, log_odds, softmax
from ilap.exact.calibration import shipped
from ilap.exact.exact import Exact
from ilap.exact.surroundings import alike, gathering
from ilap.exact.told import Told
from modelled import shown, world

MEMORY = Memory(40, 10)


def weighed(learned: Exact, exposure: Samples, fits: bool = True) -> np.ndarray:
    around = learned.around(exposure)
    (found,) = beliefs(learned.model, around, [exposure.number], shipped(), fits)
    return np.array([found.new, *found.known])


def test_nothing_known_nothing_believed() -> None:
    learned, _, rng = world(0, 12, 0)
    assert learned.belief(shown(0, rng.normal(size=40), 12, rng)) is None


@pytest.mark.parametrize("seed", range(4))
def test_probabilities_sum_to_one_and_a_repeat_is_likeliest_what_it_is(seed: int) -> None:
    learned, centres, rng = world(8, 12, seed)
    for label in range(8):
        shares = weighed(learned, shown(99, centres[label], 12, rng))
        assert shares.sum() == pytest.approx(1)
        assert shares.argmax() == 1 + label


def test_on_features_that_nothing_was_fitted_on_every_answer_is_less_sure() -> None:
    learned, centres, rng = world(8, 12, 0)
    for label in range(8):
        exposure = shown(99, centres[label], 12, rng)
        assert weighed(learned, exposure, fits=False).max() < weighed(learned, exposure).max()


def test_an_exposure_that_waits_tells_of_the_stream_and_of_no_class() -> None:
    learned, centres, rng = world(6, 12, 1)
    waits = shown(50, centres[0] + 6, 12, rng)
    before = learned.classes, learned.model.by_class
    seen = learned.see(waits)
    assert (seen.classes, seen.model.by_class) == before
    assert seen.model.metric.freedom == learned.model.metric.freedom + 11
    assert set(seen.model.seen) == {*range(6), 50}
    found = seen.belief(shown(51, centres[0] + 6, 12, rng))
    assert found is not None
    assert found.around.compared.numbers[-2:] == (50, 51)


def test_asking_about_one_that_waits_is_the_same_whoever_else_was_asked() -> None:
    learned, centres, rng = world(6, 12, 1)
    first, second = shown(50, centres[0], 12, rng), shown(51, centres[1], 12, rng)
    seen = learned.see(first).see(second)
    shares = weighed(seen, first)
    weighed(seen, second)
    np.testing.assert_array_equal(weighed(replace(seen), first), shares)


def test_to_doubt_an_exposure_and_to_learn_it_again_changes_nothing() -> None:
    learned, centres, rng = world(5, 12, 2)
    extra = shown(50, centres[1], 12, rng)
    once = learned.learn(extra, 1, MEMORY, 0)
    again = once.doubt([50]).learn(extra, 1, MEMORY, 0)
    rows = shown(60, centres[1], 20, rng).rows
    np.testing.assert_allclose(again.probabilities(rows), once.probabilities(rows), atol=1e-12)
    assert once.doubt([50]).model.by_class.keys() == learned.model.by_class.keys()


def test_an_exposure_is_new_while_those_of_its_thing_only_wait() -> None:
    learned, centres, rng = world(8, 12, 0)
    learned = learned.doubt([3])
    shares = weighed(learned, shown(99, centres[3], 12, rng))
    assert shares.argmax() == 0
    assert len(shares) == 1 + 7


def test_an_exposure_is_compared_once_for_all_questions_about_it() -> None:
    learned, centres, rng = world(6, 12, 1)
    first, second = (shown(50, centres[label], 12, rng) for label in (0, 1))
    around = learned.around(first)
    found = learned.belief(first)
    assert found is not None
    assert found.around is around is learned.around(first)
    assert learned.around(second) is not around  # another one of the same number and size


def test_several_asked_at_once_are_believed_as_each_by_itself() -> None:
    learned, centres, rng = world(6, 12, 1)
    asked = [shown(50 + label, centres[label], 12, rng) for label in range(3)]
    for one in asked:
        learned = learned.see(one)
    around = gathering(learned.model, alike(learned.model, learned.model.seen))
    found = beliefs(learned.model, around, [one.number for one in asked], shipped(), True)
    for one, own in zip(asked, found, strict=True):
        np.testing.assert_allclose([own.new, *own.known], weighed(learned, one), atol=1e-9)
    assert learned.surest_first([50, 51, 52]) == sorted(
        [50, 51, 52], key=lambda number: -max(weighed(learned, asked[number - 50]))
    )


def test_new_is_one_answer_among_many() -> None:
    assert softmax(np.array([[2.0, -5.0], [-3.0, -5.0]])).argmax(1).tolist() == [1, 0]
    assert softmax(np.array([[900.0, -np.inf]])).sum() == pytest.approx(1)


def test_what_a_person_told_apart_from_an_exposure_is_never_its_class() -> None:
    learned, centres, rng = world(8, 12, 0)
    exposure = shown(99, centres[3], 12, rng)
    assert weighed(learned, exposure).argmax() == 4
    apart = weighed(learned.see(exposure).hear([Told(apart=((3, 99),))]), exposure)
    assert apart[4] == 0
    assert apart.sum() == pytest.approx(1)


def test_where_more_were_seen_than_are_compared_the_own_class_is_among_them_and_likeliest() -> None:
    learned, centres, rng = world(30, 20, 0)
    for number, centre in enumerate(centres, 30):
        learned = learned.learn(shown(number, centre, 20, rng), number - 30, Memory(40, 10), 0)
    few = replace(RULE, pairs=replace(RULE.pairs, compared=20))
    model = replace(learned.model, frame=replace(learned.model.frame, rule=few))
    limited = replace(learned, model=model)
    right = 0
    for label, centre in enumerate(centres):
        exposure = shown(99, centre, 20, rng)
        compared = limited.around(exposure).compared.numbers
        assert len(compared) <= 21
        assert {label, label + 30} & set(compared)
        found = limited.belief(exposure)
        assert found is not None
        right += limited.classes[int(found.columns[found.known.argmax()])] == label
    assert right >= 29


def told_random(learned: Exact) -> Exact:
    return replace(learned, model=replace(learned.model, sampling="random"))


@pytest.mark.parametrize("seed", range(3))
def test_where_pictures_are_said_to_be_drawn_at_random_the_odds_of_the_model_decide(seed: int) -> None:
    learned, centres, rng = world(8, 40, seed)
    told = told_random(learned)
    for label in range(8):
        shares = weighed(told, shown(99, centres[label], 40, rng))
        assert shares.argmax() == 1 + label
        more = weighed(told, shown(99, centres[label], 400, rng))
        assert more[1 + label] > shares[1 + label]  # more pictures are more evidence
    assert weighed(told, shown(99, -centres[0] - centres[1], 40, rng)).argmax() == 0


def test_few_pictures_are_weighed_as_if_nobody_had_said_how_they_were_drawn() -> None:
    learned, centres, rng = world(8, 12, 0)
    told = told_random(learned)
    few, enough = shown(99, centres[0], 12, rng), shown(99, centres[0], RULE.bands.enough, rng)
    assert not told.counts_in_full(len(few))
    assert told.counts_in_full(len(enough))
    for exposure, same in ((few, True), (enough, False)):
        around = told.around(exposure)
        rows = np.array([around.row(99)])
        by_weights = log_odds(learned.model, around, rows, learned.calibration, True)
        assert np.array_equal(log_odds(told.model, around, rows, told.calibration, True), by_weights) == same


def test_a_class_that_nobody_else_is_in_takes_nothing_where_pictures_are_drawn_at_random() -> None:
    learned, centres, rng = world(3, 12, 0)
    only = shown(50, centres[0] + 8, 12, rng)
    alone = told_random(learned.learn(only, 50, MEMORY, 0))
    shares = weighed(alone, only)
    assert shares[-1] == 0
    assert shares.argmax() == 0
