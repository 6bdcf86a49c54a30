from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from sklearn.base import clone, is_classifier
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import FunctionTransformer

from ilap import Exposure, Learner
from ilap.checks.digits import Pixels
from ilap.core.errors import BadExposure, BadSetting
from ilap.core.exposure import Picture
from ilap.data.contract import Dataset
from ilap.estimator import ExposureClassifier

pytestmark = pytest.mark.filterwarnings("ignore:There is no prior")

Digits = dict[int, list[Exposure]]


def test_exposure_by_exposure_it_is_the_learner(exposures: Digits, digits: Dataset, pixels: Pixels) -> None:
    learner = Learner(backbone=pixels)
    estimator = ExposureClassifier(backbone=pixels)
    for label in (0, 1, 0, 2):
        pictures = list(exposures[label][1 if 0 in learner.classes else 0].pictures)
        assert estimator.partial_fit(pictures) is estimator
        decision = learner.observe(pictures)
        assert (estimator.decision_.kind, estimator.decision_.class_id) == (decision.kind, decision.class_id)
    named = learner.predict(digits.test.pictures[:50])
    assert estimator.classes_.tolist() == list(named.classes)
    assert (estimator.predict_proba(digits.test.pictures[:50]) == named.probabilities).all()
    assert (estimator.predict(digits.test.pictures[:50]) == named.class_ids).all()


def test_fit_forgets_and_takes_one_exposure_or_several(exposures: Digits, pixels: Pixels) -> None:
    one, two = (np.stack(exposures[label][0].pictures) for label in (0, 1))
    estimator = ExposureClassifier(backbone=pixels)
    assert len(estimator.fit([one, two]).classes_) == 2
    assert [decision.kind for decision in estimator.decisions_] == ["new", "new"]
    assert len(estimator.fit([list(one), list(two)]).classes_) == 2
    assert len(estimator.fit(exposures[0][:1] + exposures[1][:1]).classes_) == 2
    assert len(estimator.fit(np.stack([one, two])).classes_) == 2
    for single in (one, list(one), exposures[0][0]):
        assert len(estimator.fit(single).classes_) == 1
    estimator.set_params(warm_start=True)
    assert len(estimator.fit(two).classes_) == 2


def test_labels_teach_and_are_what_it_answers_with(exposures: Digits, pixels: Pixels) -> None:
    estimator = ExposureClassifier(backbone=pixels)
    estimator.fit([exposures[label][0] for label in (7, 3, 7)], [7, 3, 7])
    assert estimator.classes_.tolist() == [7, 3]
    pictures = [*exposures[3][1].pictures, *exposures[7][1].pictures]
    assert estimator.score(pictures, [3] * 30 + [7] * 30) > 0.95
    estimator.partial_fit(exposures[5][0])
    assert list(estimator.classes_) == [7, 3, "class 2"]
    estimator.partial_fit(exposures[3][2], ["three"] * 30)
    assert estimator.decision_.kind == "new"
    with pytest.raises(BadExposure, match="give one label, not several"):
        estimator.partial_fit(exposures[3][3], [3, 4])
    with pytest.raises(BadExposure, match="2 exposures and 1 labels"):
        estimator.fit(exposures[3][:2], ["three"])


def test_it_is_an_estimator_like_any_other(exposures: Digits, pixels: Pixels) -> None:
    estimator = ExposureClassifier(seed=3, risk=0.01, backbone=pixels, settings={"exemplars": 50})
    assert is_classifier(estimator)
    with pytest.raises(NotFittedError):
        estimator.predict(exposures[0][0].pictures)
    estimator.fit(exposures[0][0])
    copy = clone(estimator)
    assert copy.get_params()["risk"] == 0.01
    assert copy.get_params()["settings"] == {"exemplars": 50}
    assert not hasattr(copy, "learner_")
    assert copy.set_params(risk=0.1).risk == 0.1
    assert copy.fit(exposures[0][0]).learner_.settings.loop.exemplars == 50
    assert "ExposureClassifier(" in repr(copy)


def halved(pictures: list[Picture]) -> list[Picture]:
    """Large pictures scaled to what the learner takes."""
    return [picture[::2, ::2] for picture in pictures]


def test_it_is_the_last_step_of_a_pipeline(exposures: Digits, pixels: Pixels) -> None:
    def large(label: int, part: int) -> list[Picture]:
        return [np.kron(p, np.ones((2, 2), np.uint8)) for p in exposures[label][part].pictures]

    pipeline = make_pipeline(FunctionTransformer(halved), ExposureClassifier(backbone=pixels, warm_start=True))
    kinds = [pipeline.fit(large(label, part))[-1].decision_.kind for part in (0, 1) for label in (0, 1)]
    assert kinds == ["new", "new", "known", "known"]
    assert pipeline.predict_proba(large(1, 2)).shape == (30, 2)
    assert (pipeline.predict(large(1, 2)) == 1).mean() > 0.95
    assert isinstance(clone(pipeline), Pipeline)


def test_in_a_file_it_goes_on_and_labels_are_names(exposures: Digits, pixels: Pixels, tmp_path: Path) -> None:
    path = tmp_path / "digits.ilap"
    first = ExposureClassifier(backbone=pixels, path=path)
    first.fit(exposures[0][0], "nought")
    first.partial_fit(exposures[1][0])
    first.close()
    again = ExposureClassifier(backbone=pixels, path=path)
    with pytest.raises(BadSetting, match="which fit would forget"):
        again.fit(exposures[0][1])
    again.partial_fit(exposures[0][1], "nought")
    assert again.classes_.tolist() == ["nought", "class 1"]
    assert again.predict(exposures[0][2].pictures[:3]).tolist() == ["nought"] * 3
    again.close()
    with Learner.open(path, backbone=pixels) as learner:
        assert learner.names == {0: "nought"}
        assert learner.classes[0].exposures == (0, 2)


def test_the_package_offers_it_without_importing_scikit_learn_first() -> None:
    lines = [
        "import sys, ilap",
        "assert 'sklearn' not in sys.modules",
        "assert ilap.ExposureClassifier.__name__ == 'ExposureClassifier'",
    ]
    done = subprocess.run([sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
