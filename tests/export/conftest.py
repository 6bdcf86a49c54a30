from __future__ import annotations

from pathlib import Path

import pytest

from ilap.data.contract import Dataset
from kept_pictures import Kept, learned


@pytest.fixture
def kept(tmp_path: Path, digits: Dataset) -> Kept:
    return learned(tmp_path, digits)
