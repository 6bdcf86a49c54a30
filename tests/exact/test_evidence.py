from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from ilap.core.exemplars import Memory
from ilap.core.exposure import Samples
from ilap.core.rule import RULE
from ilap.exact.class_prior import class_prior
from ilap.exact.evidence import evidence
from modelled import BLUR, DIM, FLOOR, SHARE, VARIANCES, shown, world


def test_in_a_world_as_modelled_the_probabilities_are_right() -> None:
    """Of the answers given with 90 to 99 % about so many are right, and nearly all of those over 99 %."""
    sure, right = [], []
    for seed in range(40):
        learned, centres, rng = world(8, 6, seed)
        for label in range(8):
            for known in (True, False):
                centre = centres[label] if known else rng.normal(size=DIM) * np.sqrt(SHARE * VARIANCES + FLOOR)
                shares = learned.evidence(shown(99, centre, 6, rng)).posterior(8)
                sure.append(shares.max())
                right.append(shares.argmax() == (1 + label if known else 0))
    surely, rightly = np.array(sure), np.array(right)
    assert rightly.mean() > 0.9
    assert rightly[surely > 0.99].mean() > 0.97
    between_them = (surely > 0.9) & (surely <= 0.99)
    assert between_them.sum() > 20
    assert 0.8 < rightly[between_them].mean() <= 1


def test_more_pictures_make_an_answer_surer() -> None:
    few, many = [], []
    for seed in range(10):
        learned, centres, rng = world(6, 30, seed)
        few.append(learned.evidence(shown(99, centres[2], 2, rng)).posterior(6)[3])
        many.append(learned.evidence(shown(99, centres[2], 30, rng)).posterior(6)[3])
    assert np.mean(many) > 0.99
    assert np.mean(few) < np.mean(many)


def test_probabilities_sum_to_one_and_asking_changes_nothing() -> None:
    learned, centres, rng = world(5, 8, 0)
    exposure = shown(99, centres[0], 8, rng)
    before = learned.probabilities(exposure.rows)
    shares = learned.evidence(exposure).posterior(5)
    assert shares.sum() == pytest.approx(1)
    np.testing.assert_array_equal(learned.probabilities(exposure.rows), before)
    assert learned.evidence(exposure) is learned.evidence(exposure)


def test_a_shortlist_gives_the_same_answers() -> None:
    learned, centres, rng = world(60, 10, 3)
    exposures = [shown(99, centre, 10, rng) for centre in centres[:30]]
    full = [learned.evidence(exposure).posterior(60) for exposure in exposures]
    short_rule = replace(RULE, naming=replace(RULE.naming, shortlist=15))
    model = replace(learned.model, frame=replace(learned.model.frame, rule=short_rule))
    for exposure, whole in zip(exposures, full, strict=True):
        fresh = Samples(98, exposure.rows, exposure.held_out)
        seen = evidence(model, fresh)
        assert len(seen.columns) == 15
        short = seen.posterior(60)
        best = int(short.argmax())
        assert (0 if best == 0 else 1 + seen.columns[best - 1]) == whole.argmax()


def test_weights_say_what_a_mean_of_so_many_pictures_tells() -> None:
    model = class_prior(np.eye(DIM), VARIANCES, RULE.class_prior)
    view = model.view(BLUR / 10)
    order = np.sort(SHARE * VARIANCES + FLOOR)
    np.testing.assert_allclose(np.sort(view.leading), order / (order + 0.15), rtol=1e-6)
    assert model.view(BLUR / 1000).total > view.total > model.view(BLUR).total


def test_moving_an_exposure_equals_never_having_erred() -> None:
    learned, centres, rng = world(3, 10, 4)
    extra = shown(50, centres[1], 10, rng)
    right = learned.learn(extra, 1, Memory(40, 10), 0)
    moved = learned.learn(extra, 0, Memory(40, 10), 0).move([50], 1)
    rows = shown(60, centres[1], 20, rng).rows
    np.testing.assert_allclose(moved.probabilities(rows), right.probabilities(rows), atol=1e-9)
    assert moved.classes == right.classes
