from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ilap import Exposure, Learner
from ilap.backbones.stored import Cached
from ilap.core.errors import BadExposure
from ilap.core.exposure import digest, validation_mask
from ilap.data.contract import Dataset


def grey(value: int, rows: int = 4, columns: int = 4) -> np.ndarray:
    return np.full((rows, columns), value, np.uint8)


@pytest.mark.parametrize(
    ("pictures", "advice"),
    [
        ([], "at least one"),
        (np.zeros((4, 4), np.uint8), "put a single picture in a list"),
        ([np.zeros((4, 4))], "convert it to uint8"),
        ([grey(0), np.zeros((4, 4), np.int64)], "Picture 1 holds int64"),
        ([np.zeros((4, 4, 2), np.uint8)], "1, 3 or 4 channels"),
        ([np.zeros((4,), np.uint8)], "rows x columns"),
        ([np.zeros((0, 4), np.uint8)], "no pixel"),
        ([[[1, 2], [3, 4]]], "numpy.asarray"),
        (None, "not a NoneType"),
        ("abc", "numpy.asarray"),
    ],
)
def test_what_is_no_exposure_is_refused_with_advice(pictures: object, advice: str) -> None:
    with pytest.raises(BadExposure, match=advice):
        Exposure(pictures)  # type: ignore[arg-type]


def test_pictures_may_differ_in_size_and_kind() -> None:
    exposure = Exposure([grey(0), grey(1, 9, 5), np.zeros((6, 7, 3), np.uint8), np.zeros((6, 7, 4), np.uint8)])
    assert len(exposure) == 4


def test_an_array_of_pictures_is_an_exposure() -> None:
    assert len(Exposure(np.zeros((5, 8, 8, 3), np.uint8))) == 5


def test_pictures_are_put_in_order_of_content() -> None:
    pictures = [grey(value) for value in range(10)]
    assert Exposure(pictures).digests == Exposure(pictures[::-1]).digests


def test_capture_order_is_kept_where_there_is_one() -> None:
    pictures = [grey(value) for value in range(10)]
    kept = Exposure(pictures, ordered=True)
    assert [int(picture[0, 0]) for picture in kept.pictures] == list(range(10))
    assert kept.digests != Exposure(pictures[::-1], ordered=True).digests


def test_a_digest_tells_shape_from_content() -> None:
    assert digest(grey(1, 2, 8)) != digest(grey(1, 8, 2))
    assert digest(grey(1)) == digest(grey(1, 8, 4)[::2])


@given(st.integers(1, 600))
def test_a_fifth_is_held_out_and_something_is_left_to_train_on(count: int) -> None:
    held_out = int(validation_mask(count).sum())
    assert held_out == (0 if count == 1 else max(1, round(count / 5)))
    assert held_out < count


def test_different_sizes_and_kinds_are_learned_together(lite0: Cached, digits: Dataset) -> None:
    pictures: list[np.ndarray] = list(digits.train.pictures[:6])
    pictures += [np.repeat(np.repeat(p, 5, 0), 3, 1) for p in digits.train.pictures[6:9]]
    pictures += [np.stack([p] * 3, 2) for p in digits.train.pictures[9:12]]
    assert Learner(backbone=lite0).observe(pictures).kind == "new"
