"""Real small data for every test: scikit-learn's digits, as pixels where a test is about learning, through the
real backbone where it is about pictures."""

from __future__ import annotations

import os

import pytest

from ilap.backbones.stored import Cached
from ilap.checks.digits import Exposures, Pixels
from ilap.checks.digits import exposures as cut_digits
from ilap.checks.digits import lite0 as cached_lite0
from ilap.data import digits as digits_file
from ilap.data.contract import Dataset

os.environ.pop("ILAP_PATH", None)
os.environ["ILAP_OFFLINE"] = "1"  # no test, and no process of one, uses the network


@pytest.fixture(scope="session")
def digits() -> Dataset:
    return digits_file.create()


@pytest.fixture(scope="session")
def lite0() -> Cached:
    return cached_lite0()


@pytest.fixture
def pixels() -> Pixels:
    return Pixels()


@pytest.fixture(scope="session")
def exposures() -> Exposures:
    return cut_digits()
