from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

import checks
from conftest import Pixels
from ilap import registry
from ilap.backbones import prior
from ilap.learner import Learner

pytestmark = pytest.mark.filterwarnings("ignore:There is no prior")


@pytest.mark.parametrize("name", registry.names("classifier"))
@pytest.mark.parametrize("check", checks.CLASSIFIER_CHECKS, ids=lambda check: check.__name__)
def test_classifier(check: Callable[..., None], name: str, pixels: Pixels, exposures: checks.Cut) -> None:
    check(registry.find("classifier", name)(pixels, prior.load(pixels.key, pixels.dim)), exposures)


@pytest.mark.parametrize("name", registry.names("classifier"))
def test_a_classifier_knows_nothing_at_first(name: str, pixels: Pixels) -> None:
    classifier = registry.find("classifier", name)(pixels, prior.load(pixels.key, pixels.dim))
    checks.knows_nothing_at_first(classifier)


@pytest.mark.parametrize("name", registry.names("classifier"))
@pytest.mark.parametrize("check", checks.LEARNER_CHECKS, ids=lambda check: check.__name__)
def test_learner_with(check: Callable[..., None], name: str, pixels: Pixels, exposures: checks.Cut) -> None:
    check(partial(Learner, classifier=name, backbone=pixels), exposures)
