"""A detector says what it needs, and a classifier that cannot give it is named in one sentence."""

from __future__ import annotations

import pytest

import tiny
from ilap.checks.classifiers import make_classifier
from ilap.checks.detectors import make_detector
from ilap.checks.digits import Exposures, Pixels
from ilap.core import registry
from ilap.core.errors import BadSetting
from ilap.detect.capabilities import ADVICE, missing
from ilap.learner.learner import Learner
from ilap.network.confident import Confident

pytestmark = pytest.mark.filterwarnings("ignore:There is no prior")


@pytest.mark.parametrize(
    ("detector", "sentence"),
    [
        (
            "odin",
            r"odin needs gradients at the pixels, which this classifier \(exact\) cannot give: take classif",
        ),
        (
            "gram",
            r"gram needs feature maps, which this classifier \(exact\) cannot give: take classifier=network",
        ),
        (
            "energy",
            r"energy needs logits, which this classifier \(exact\) cannot give: take classifier=network",
        ),
        ("confidence", r"confidence needs a confidence branch, .* take classifier=confident"),
    ],
)
def test_what_exact_cannot_give_is_an_error(
    detector: str, sentence: str, pixels: Pixels, exposures: Exposures
) -> None:
    with pytest.raises(BadSetting, match=sentence):
        Learner(detector=detector, backbone=pixels).observe(exposures[0][0])


def test_a_network_whose_backbone_is_frozen_whole_has_no_gradients(
    pixels: Pixels, exposures: Exposures
) -> None:
    learner = Learner("paper", detector="odin", trainable="head", backbone=pixels)
    with pytest.raises(BadSetting, match="trainable=all or a stage's name"):
        learner.observe(exposures[0][0])


@pytest.mark.parametrize("name", registry.names("detector"))
def test_every_need_has_a_word_and_a_classifier(name: str, pixels: Pixels) -> None:
    needs = make_detector(name).needs
    assert needs <= {"probabilities", "features", "trial", *ADVICE}
    able = (tiny.network(Confident), make_classifier("exact", pixels))
    assert any(not missing(needs, classifier) for classifier in able)
