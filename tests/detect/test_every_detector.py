from __future__ import annotations

from collections.abc import Callable

import pytest

import checks
from ilap import registry
from ilap.backbones import prior
from ilap.backbones.cached import Cached
from ilap.settings import PRESETS


@pytest.mark.parametrize("name", registry.names("detector"))
@pytest.mark.parametrize("check", checks.DETECTOR_CHECKS, ids=lambda check: check.__name__)
def test_detector(check: Callable[..., None], name: str, lite0: Cached, exposures: checks.Cut) -> None:
    settings = PRESETS["fast"]
    detector = registry.find("detector", name)(settings.imbalance, settings.theta)
    classifier = registry.find("classifier", settings.classifier)(lite0, prior.load(lite0.key, lite0.dim))
    check(detector, classifier, exposures)
