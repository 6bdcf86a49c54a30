from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from ilap.backbones import stored
from ilap.backbones.stored import Stored
from ilap.core.exposure import Picture
from ilap.data.contract import Dataset


class Counting:
    """Pixels as features, and how many pictures were looked at."""

    key = "pixels"
    dim = 64

    def __init__(self) -> None:
        self.looked_at = 0

    def features(self, pictures: Sequence[Picture]) -> NDArray[np.float32]:
        self.looked_at += len(pictures)
        return np.stack([picture.reshape(-1) for picture in pictures]).astype(np.float32) / 255


def test_no_picture_is_looked_at_twice_even_by_another_process(digits: Dataset, tmp_path: Path) -> None:
    first, second = Counting(), Counting()
    pictures = digits.train.pictures[:50]
    rows = Stored(first, tmp_path).features([*pictures, *pictures])
    again = Stored(second, tmp_path).features(pictures[::-1])
    assert (first.looked_at, second.looked_at) == (50, 0)
    np.testing.assert_array_equal(rows[:50], again[::-1])
    np.testing.assert_allclose(rows[:50], Counting().features(pictures), rtol=1e-3)


def test_pictures_are_known_by_content_not_by_place(digits: Dataset, tmp_path: Path) -> None:
    backbone = Counting()
    cache = Stored(backbone, tmp_path)
    cache.features(digits.train.pictures[:10])
    cache.features([picture.copy() for picture in digits.train.pictures[5:15]])
    assert backbone.looked_at == 15


def test_two_writers_do_not_disturb_each_other(digits: Dataset, tmp_path: Path) -> None:
    one, other = Stored(Counting(), tmp_path), Stored(Counting(), tmp_path)
    one.features(digits.train.pictures[:20])
    other.features(digits.train.pictures[10:40])
    truth = Counting().features(digits.train.pictures[:40])
    for cache in (one, other, Stored(Counting(), tmp_path)):
        np.testing.assert_allclose(cache.features(digits.train.pictures[:40]), truth, rtol=1e-3)
    assert len(Stored(Counting(), tmp_path)) == 40


def test_backbones_do_not_share_rows(digits: Dataset, tmp_path: Path) -> None:
    other = Counting()
    other.key = "other"
    Stored(Counting(), tmp_path).features(digits.train.pictures[:5])
    Stored(other, tmp_path).features(digits.train.pictures[:5])
    assert other.looked_at == 5


@pytest.mark.parametrize("torn", ["rows.f16", "digests"])
@pytest.mark.parametrize("cut", [1, 40, 200])
def test_what_a_crash_left_half_written_is_computed_again(
    digits: Dataset, tmp_path: Path, torn: str, cut: int
) -> None:
    Stored(Counting(), tmp_path).features(digits.train.pictures[:20])
    file = next(tmp_path.glob(f"*/{torn}"))
    file.write_bytes(file.read_bytes()[:-cut])
    backbone = Counting()
    rows = Stored(backbone, tmp_path).features(digits.train.pictures[:30])
    assert 10 < backbone.looked_at <= 30
    np.testing.assert_allclose(rows, Counting().features(digits.train.pictures[:30]), rtol=1e-3)
    rest = Counting()
    Stored(rest, tmp_path).features(digits.train.pictures[:30])
    assert rest.looked_at == 0


def test_preparing_tells_how_far_it_is_and_goes_on_after_an_interruption(
    digits: Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stored, "CHUNK", 16)
    done: list[int] = []

    def advance(count: int) -> None:
        done.append(count)
        if len(done) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Stored(Counting(), tmp_path).prepare(digits.train.pictures[:40], advance)
    assert done == [16, 16]
    backbone = Counting()
    Stored(backbone, tmp_path).prepare(digits.train.pictures[:40])
    assert backbone.looked_at == 8
