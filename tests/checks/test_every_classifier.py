from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from ilap import checks
from ilap.checks.classifiers import make_classifier, make_learner
from ilap.checks.digits import Exposures, Pixels
from ilap.core import registry

pytestmark = pytest.mark.filterwarnings("ignore:There is no prior")
EVERY = pytest.mark.parametrize("name", registry.names("classifier"))


@EVERY
@pytest.mark.parametrize("check", checks.CLASSIFIER_CHECKS, ids=lambda check: check.__name__)
def test_classifier(check: Callable[..., None], name: str, pixels: Pixels, exposures: Exposures) -> None:
    check(make_classifier(name, pixels), exposures)


@EVERY
@pytest.mark.parametrize("check", checks.LEARNER_CHECKS, ids=lambda check: check.__name__)
def test_learner_with(check: Callable[..., None], name: str, pixels: Pixels, exposures: Exposures) -> None:
    check(partial(make_learner, name, pixels), exposures)
