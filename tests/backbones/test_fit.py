from __future__ import annotations

import json
import subprocess
import warnings
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from commands import ILAP
from ilap import Learner
from ilap.backbones import fit, prior
from ilap.core.errors import BadData
from ilap.core.exposure import Exposure
from ilap.data.contract import Dataset


def write_folders(root: Path, digits: Dataset, classes: int, each: int) -> None:
    for label in range(classes):
        (root / f"digit-{label}").mkdir(parents=True)
        for place in np.flatnonzero(digits.train.labels == label)[:each]:
            Image.fromarray(digits.train.pictures[int(place)]).save(root / f"digit-{label}" / f"{place}.png")


@pytest.mark.slow
def test_a_prior_is_made_by_one_command_and_found_by_itself(
    digits: Dataset, exposures: dict[int, list[Exposure]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ILAP_CACHE", str(tmp_path / "cache"))
    write_folders(tmp_path / "pictures", digits, 10, 12)
    words = [
        ILAP,
        "prior",
        str(tmp_path / "pictures"),
        "--backbone",
        "lite0",
        "--resolution",
        "64",
        "--dim",
        "32",
    ]
    finished = subprocess.run([*words, "--json"], capture_output=True, text=True, check=False)
    assert finished.returncode == 0, finished.stderr
    report = json.loads(finished.stdout)
    assert report["dim"] == 32
    assert Path(report["file"]).exists()
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # no word of a missing prior
        learner = Learner(resolution=64)
    assert learner.observe(exposures[0][0]).kind == "new"
    assert learner.observe(exposures[0][1]).place == 0


def test_what_is_written_is_read_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ILAP_CACHE", str(tmp_path))
    rng = np.random.default_rng(0)
    labels = np.repeat(np.arange(12), 20)
    made = prior.make(rng.normal(size=(12, 30))[labels] * 3 + rng.normal(size=(240, 30)), labels, 16)
    fit.save(made, prior.own_file("hf:some/model-96"))
    again = prior.load("hf:some/model-96", 30)
    assert again.known
    np.testing.assert_allclose(again.between, made.between)
    np.testing.assert_allclose(again.projection, made.projection, atol=1e-2)


def test_too_few_classes_make_no_prior(digits: Dataset, tmp_path: Path) -> None:
    write_folders(tmp_path, digits, 3, 4)
    with pytest.raises(BadData, match="10 classes or more"):
        fit.fit(object(), tmp_path, 16, lambda done, of: None)  # type: ignore[arg-type]
