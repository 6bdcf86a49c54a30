from __future__ import annotations

import warnings
from pathlib import Path

import pytest

from ilap.data.contract import Dataset
from pictures_in_file import Kept, learned


@pytest.fixture(scope="session")
def original(tmp_path_factory: pytest.TempPathFactory, digits: Dataset) -> Kept:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "There is no prior")
        return learned(tmp_path_factory.mktemp("kept"), digits)


@pytest.fixture
def kept(original: Kept, tmp_path: Path) -> Kept:
    return original.copied(tmp_path)
