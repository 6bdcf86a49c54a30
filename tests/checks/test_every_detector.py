from __future__ import annotations

from collections.abc import Callable

import pytest

from ilap import checks
from ilap.checks.detectors import make_detector, teach_for
from ilap.checks.digits import Exposures
from ilap.core import registry


@pytest.mark.parametrize("name", registry.names("detector"))
@pytest.mark.parametrize("check", checks.DETECTOR_CHECKS, ids=lambda check: check.__name__)
def test_detector(check: Callable[..., None], name: str, exposures: Exposures) -> None:
    detector = make_detector(name)
    check(detector, teach_for(detector), exposures)
