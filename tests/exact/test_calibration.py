from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from ilap.core.errors import BadSetting
from ilap.exact.calibration import read, shipped
from ilap.exact.features import features
from ilap.exact.surroundings import alike, gathering
from modelled import world


def test_the_features_that_it_was_fitted_on_are_named() -> None:
    assert shipped().features == ("lite0-128-7-10",)
    assert 0 < shipped().widen < 1


def test_weights_are_of_features_that_there_are() -> None:
    learned, _, _ = world(5, 12, 0)
    around = gathering(learned.model, alike(learned.model, learned.model.seen))
    assert list(shipped().weights) == list(features(around, np.array([0])).values)


def test_one_from_a_file_is_the_same_and_anything_else_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "own.json"
    fields = {"version": 9, "features": ["a"], "widen": 0.5, "weights": {"one": 1.0}}
    path.write_text(json.dumps(fields))
    assert (read(str(path)).version, read(str(path)).features) == (9, ("a",))
    before = read(str(path)).name
    path.write_text(json.dumps({**fields, "weights": {"one": 2.0}}))
    assert read(str(path)).name != before
    path.write_text("{}")
    with pytest.raises(BadSetting, match="no calibration"):
        read(str(path))
