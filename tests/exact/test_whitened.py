from __future__ import annotations

from dataclasses import replace

import numpy as np

from ilap.core.exemplars import Memory
from ilap.core.rule import RULE
from ilap.exact.class_prior import class_prior
from ilap.exact.whitened import whitened
from modelled import BLUR, DIM, FLOOR, SHARE, VARIANCES, shown, world


def test_asking_changes_nothing_and_whitens_an_exposure_once() -> None:
    learned, centres, rng = world(5, 8, 0)
    exposure = shown(99, centres[0], 8, rng)
    before = learned.probabilities(exposure.rows)
    assert learned.whitened(exposure) is learned.whitened(exposure)
    np.testing.assert_array_equal(learned.probabilities(exposure.rows), before)


def test_among_many_classes_the_own_one_is_on_the_shortlist() -> None:
    learned, centres, rng = world(60, 10, 3)
    short_rule = replace(RULE, naming=replace(RULE.naming, shortlist=15))
    model = replace(learned.model, frame=replace(learned.model.frame, rule=short_rule))
    for label, centre in enumerate(centres[:30]):
        columns = whitened(model, shown(99, centre, 10, rng)).columns
        assert len(columns) == 15
        assert label in columns


def test_more_pictures_are_less_noisy_on_average() -> None:
    learned, centres, rng = world(6, 30, 0)
    away = [
        np.mean([np.linalg.norm(learned.whitened(shown(99, centre, n, rng)).mean) for centre in centres])
        for n in (2, 30)
    ]
    assert away[0] > away[1]


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
