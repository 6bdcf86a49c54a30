from __future__ import annotations

from collections.abc import Callable

import pytest

import checks
from ilap import registry
from ilap.backbones.cached import Cached
from ilap.settings import PRESETS


@pytest.mark.parametrize("name", registry.names("detector"))
@pytest.mark.parametrize("check", checks.DETECTOR_CHECKS, ids=lambda check: check.__name__)
def test_detector(check: Callable[..., None], name: str, lite0: Cached, exposures: checks.Cut) -> None:
    detector = registry.find("detector", name)(PRESETS["fast"])
    check(detector, checks.make_classifier("exact", lite0), exposures)
