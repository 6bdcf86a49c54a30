from __future__ import annotations

import numpy as np
import pytest

from ilap.bench.learners.grouping import Grouping
from ilap.bench.learners.load import load
from ilap.checks.digits import without_prior
from ilap.checks.learners import stream, task_for

RIVALS = ["hdbscan", "immich", "plda_ahc", "vbx"]


def made(name: str, **changes: object) -> Grouping:
    with without_prior():
        learner = load(name, task_for(name, **changes))
    assert isinstance(learner, Grouping)
    return learner


@pytest.mark.parametrize("name", RIVALS)
def test_where_nothing_is_known_pictures_are_named_as_nothing(name: str) -> None:
    learner = made(name)
    named = learner.predict_samples(learner.samples(stream().exposure(0).pictures))
    assert set(named.class_ids) == {-1}
    assert named.classes == ()


@pytest.mark.parametrize("name", RIVALS)
def test_an_exposure_is_its_mean_around_the_mean_of_all(name: str) -> None:
    learner = made(name)
    for number in range(4):
        learner.observe(stream().exposure(number))
    rows = learner.samples(stream().exposure(2).pictures)
    np.testing.assert_allclose(learner.means[2], rows.mean(0), atol=1e-5)
    np.testing.assert_allclose(learner.centred().mean(0), 0, atol=1e-9)
    assert learner.counts == [20] * 4


@pytest.mark.parametrize(
    ("name", "setting"),
    [
        ("hdbscan", "hdbscan.cluster_selection_epsilon"),
        ("immich", "immich.eps"),
        ("plda_ahc", "plda_ahc.threshold"),
        ("vbx", "vbx.fb"),
    ],
)
def test_each_has_one_threshold_that_can_be_set(name: str, setting: str) -> None:
    assert made(name, **{setting: 0.25}).facts == {"threshold": 0.25}
