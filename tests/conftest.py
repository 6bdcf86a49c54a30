"""Real small data for every test: scikit-learn's digits, as pixels where a test is about learning, through the
real backbone where it is about pictures."""

from __future__ import annotations

import os
from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from ilap.backbones.cached import Cached
from ilap.backbones.load import load_backbone
from ilap.core.exposure import Exposure, Picture
from ilap.data import digits as digits_file
from ilap.data.contract import Dataset

os.environ["ILAP_OFFLINE"] = "1"  # no test, and no process of one, uses the network


class Pixels:
    """The cheapest backbone: a picture's pixels are its features. It has no prior."""

    key = "pixels"
    dim = 64

    def features(self, pictures: Sequence[Picture]) -> NDArray[np.float32]:
        return np.stack([picture.reshape(-1) for picture in pictures]).astype(np.float32) / 255


@pytest.fixture(scope="session")
def digits() -> Dataset:
    return digits_file.create()


@pytest.fixture(scope="session")
def lite0() -> Cached:
    return Cached(load_backbone("lite0"))


@pytest.fixture
def pixels() -> Pixels:
    return Pixels()


@pytest.fixture(scope="session")
def exposures(digits: Dataset) -> dict[int, list[Exposure]]:
    """Of every digit four exposures of 30 pictures. They are shuffled: neighbours are by the same writer."""
    rng = np.random.default_rng(0)
    cut = {}
    for label in range(10):
        own = rng.permutation(np.flatnonzero(digits.train.labels == label))[:120].reshape(4, 30)
        cut[label] = [Exposure([digits.train.pictures[i] for i in rows]) for rows in own]
    return cut
