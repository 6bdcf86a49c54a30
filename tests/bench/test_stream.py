from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from ilap.bench.stream import make
from ilap.data.contract import Dataset, Labelled
from ilap.errors import BadStream


def test_every_class_comes_as_often_and_no_picture_twice(digits: Dataset) -> None:
    stream = make(digits, exposure_size=20, repeats=4, seed=0)
    assert Counter(stream.truths) == dict.fromkeys(range(10), 4)
    used = [i for pictures in stream.pictures for i in pictures]
    assert len(used) == len(set(used)) == 800
    for truth, pictures in zip(stream.truths, stream.pictures, strict=True):
        assert set(digits.train.labels[list(pictures)]) == {truth}


def test_a_seed_gives_the_same_stream_and_another_seed_another(digits: Dataset) -> None:
    assert make(digits, 20, 2, seed=5) == make(digits, 20, 2, seed=5)
    assert make(digits, 20, 2, seed=5).truths != make(digits, 20, 2, seed=6).truths


@pytest.mark.parametrize(
    ("size", "repeats", "advice"),
    [(0, 3, "take 1 or more"), (20, 0, "take 1 or more"), (60, 3, "need 180: take smaller or fewer")],
)
def test_a_stream_that_cannot_be_made_says_why(digits: Dataset, size: int, repeats: int, advice: str) -> None:
    with pytest.raises(BadStream, match=advice):
        make(digits, size, repeats, seed=0)


def test_one_class_makes_no_stream(digits: Dataset) -> None:
    ones = np.flatnonzero(digits.train.labels == 1)
    only = Labelled([digits.train.pictures[i] for i in ones], digits.train.labels[ones])
    with pytest.raises(BadStream, match="at least two"):
        make(replace(digits, train=only), 20, 3, seed=0)
