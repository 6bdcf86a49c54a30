from __future__ import annotations

import numpy as np

from ilap.core.exposure import digest
from ilap.data.contract import Dataset


def test_they_are_pictures_of_ten_digits(digits: Dataset) -> None:
    assert len(digits.train) + len(digits.test) == 1797
    assert set(digits.train.labels) == set(digits.test.labels) == set(range(10))
    assert digits.names == tuple("0123456789")
    assert all(picture.dtype == np.uint8 and picture.shape == (8, 8) for picture in digits.train.pictures)
    assert max(int(picture.max()) for picture in digits.train.pictures) == 255


def test_there_is_enough_of_each_for_the_default_stream(digits: Dataset) -> None:
    assert np.bincount(digits.train.labels).min() >= 3 * 40


def test_no_picture_is_both_learned_from_and_tested_with(digits: Dataset) -> None:
    learned = {digest(picture) for picture in digits.train.pictures}
    assert not learned & {digest(picture) for picture in digits.test.pictures}
