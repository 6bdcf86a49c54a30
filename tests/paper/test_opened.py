"""A frozen backbone that is looked into is the one whose features were stored."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

from ilap.bench.data import dataset
from ilap.bench.run import Taught, untaught
from ilap.core.exposure import Exposure
from ilap.core.settings import resolve
from ilap.detect.gram import Gram, row_sums
from ilap.detect.gram import Parameters as GramParameters
from ilap.detect.odin import Odin
from ilap.detect.odin import Parameters as OdinParameters
from ilap.paper.opened import Inside, Opened, inside_of, opened

SETTINGS = resolve("paper", {"backbone": "lite0", "trainable": "head", "epochs": 5})
COUNT = 8


def shown(label: int, time: int) -> Exposure:
    """An exposure of a digit."""
    train = dataset("digits").train
    places = np.flatnonzero(train.labels == label)[time * COUNT : (time + 1) * COUNT]
    return Exposure([train.pictures[int(i)] for i in places])


@pytest.fixture(scope="module")
def taught() -> tuple[Taught, Inside]:
    """A head that knows two digits, and its backbone."""
    inside, model = inside_of(SETTINGS), untaught(SETTINGS, 0)
    for label in (0, 1):
        exposure = shown(label, 0)
        samples, seed = model.samples(exposure, label)
        inside.see(samples.rows, exposure.pictures)
        model = model.learn(samples, label, seed)
    return model, inside


def test_logits_from_pixels_are_those_of_the_stored_features(taught: tuple[Taught, Inside]) -> None:
    model, inside = taught
    whole: Opened = opened(model.classifier, inside)
    samples, _ = model.samples(shown(1, 0), 9)
    logits = whole.from_pixels(whole.pixels(samples)).detach().numpy()
    stored = model.classifier.logits(samples.rows)
    assert np.abs(logits - stored).max() < 0.02 * np.abs(stored).max()


def test_maps_are_made_once_a_picture_and_in_the_order_that_is_asked(taught: tuple[Taught, Inside]) -> None:
    model, inside = taught
    rows = model.memory.train[0].samples
    reduce = partial(row_sums, powers=2)
    first = inside.maps(rows, reduce)
    assert len(first) == len(inside.backbone.blocks)
    known = len(inside.reduced)
    turned = inside.maps(rows[::-1], reduce)
    assert len(inside.reduced) == known
    assert all(np.array_equal(a, b[::-1]) for a, b in zip(first, turned, strict=True))


def test_odin_and_gram_find_a_third_digit_more_novel_than_a_known_one(taught: tuple[Taught, Inside]) -> None:
    model, inside = taught
    whole = opened(model.classifier, inside)
    for detector in (Odin(OdinParameters()), Gram(GramParameters(powers=2))):
        scores = []
        for label in (0, 4):
            exposure = shown(label, 1)
            samples, seed = model.samples(exposure, label + 10)
            inside.see(samples.rows, exposure.pictures)
            scores.append(detector(whole, samples, model.memory, seed).score)
        assert scores[1] > scores[0]
