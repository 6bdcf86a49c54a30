from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import pytest

import checks
from ilap.backbones.cached import Cached
from ilap.core import registry
from ilap.core.classifier import Classifier
from ilap.core.exemplars import Memory
from ilap.core.settings import PRESETS

Taught = Callable[[str, tuple[int, ...]], tuple[Classifier, Memory]]


@pytest.fixture(scope="session")
def taught(lite0: Cached, exposures: checks.Cut) -> Taught:
    """Classifiers are values, so each is taught once for all checks."""

    @lru_cache
    def teach(name: str, labels: tuple[int, ...]) -> tuple[Classifier, Memory]:
        return checks.taught(checks.make_classifier(name, lite0), exposures, list(labels))

    return teach


@pytest.mark.parametrize("name", registry.names("detector"))
@pytest.mark.parametrize("check", checks.DETECTOR_CHECKS, ids=lambda check: check.__name__)
def test_detector(check: Callable[..., None], name: str, taught: Taught, exposures: checks.Cut) -> None:
    detector = registry.find("detector", name)(PRESETS["fast"])
    classifier = checks.classifier_for(detector)
    check(detector, lambda labels: taught(classifier, tuple(labels)), exposures)
