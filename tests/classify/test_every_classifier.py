from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

import checks
from conftest import Pixels
from ilap.core import registry

pytestmark = pytest.mark.filterwarnings("ignore:There is no prior")
EVERY = pytest.mark.parametrize("name", registry.names("classifier"))


@EVERY
@pytest.mark.parametrize("check", checks.CLASSIFIER_CHECKS, ids=lambda check: check.__name__)
def test_classifier(check: Callable[..., None], name: str, pixels: Pixels, exposures: checks.Cut) -> None:
    check(checks.make_classifier(name, pixels), exposures)


@EVERY
def test_a_classifier_knows_nothing_at_first(name: str, pixels: Pixels) -> None:
    checks.knows_nothing_at_first(checks.make_classifier(name, pixels))


@EVERY
@pytest.mark.parametrize("check", checks.LEARNER_CHECKS, ids=lambda check: check.__name__)
def test_learner_with(check: Callable[..., None], name: str, pixels: Pixels, exposures: checks.Cut) -> None:
    check(partial(checks.make_learner, name, pixels), exposures)
