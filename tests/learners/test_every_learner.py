"""What every learner on the bench has to keep; a new one joins by lying in its folder."""

from __future__ import annotations

import pytest

from conftest import Pixels
from ilap.bench.learners.contract import Task
from ilap.bench.learners.load import load, names, settings_of
from ilap.bench.run import Run
from ilap.bench.stream import Stream, make
from ilap.core.settings import PRESETS
from ilap.data.contract import Dataset

pytestmark = pytest.mark.filterwarnings("ignore:There is no prior")
CHANGES = {"trainable": "head", "epochs": 8, "head_rate": 0.05}
EVERY = pytest.mark.parametrize("name", names())


@pytest.fixture(scope="module")
def stream(digits: Dataset) -> Stream:
    return make(digits, exposure_size=20, repeats=2, seed=3)


def task(stream: Stream, name: str, seed: int = 0) -> Task:
    ours = name in PRESETS and PRESETS[name].classifier == "exact"
    return Task(stream, seed, {} if ours else CHANGES, lambda settings: Pixels())


def run(name: str, stream: Stream) -> Run:
    work = Run(load(name, task(stream, name)), stream)
    for _ in work:
        pass
    return work


@EVERY
def test_it_goes_through_a_stream_and_the_same_seed_says_the_same(name: str, stream: Stream) -> None:
    first, second = run(name, stream), run(name, stream)
    figures = first.summary()
    assert figures["exposures"] == 20
    assert figures["unique_classes"] == len(set(first.truth_of.values()))
    assert 0.1 <= figures["accuracy"] <= 1
    said = [
        [(r.decision.kind, r.decision.class_id, r.accuracy) for r in work.records] for work in (first, second)
    ]
    assert said[0] == said[1]


@EVERY
def test_the_preset_that_it_starts_from_takes_the_settings(name: str) -> None:
    settings = settings_of(name, CHANGES)
    assert settings is not None
    assert settings.epochs == 8
    assert settings.is_frozen


@pytest.mark.parametrize("name", ["oracle", "joint", "bic"])
def test_those_that_are_told_the_labels_are_right_and_have_no_score(name: str, stream: Stream) -> None:
    figures = run(name, stream).summary()
    assert figures["decisions_right"] == 20
    assert figures["unique_classes"] == figures["learned_classes"] == 10
    assert figures["auroc"] is None
    assert figures["accuracy"] > 0.75


def test_joint_learning_is_no_worse_than_learning_one_by_one(stream: Stream) -> None:
    assert run("joint", stream).summary()["accuracy"] >= run("oracle", stream).summary()["accuracy"] - 0.02


@pytest.mark.parametrize("name", ["cosine", "iolfcv", "iolfcv_initial"])
def test_a_threshold_is_reported(name: str, stream: Stream) -> None:
    learner = load(name, task(stream, name))
    assert 0 < learner.facts["threshold"] < 2
    assert not learner.labelled


def test_hindsight_is_worth_something(stream: Stream) -> None:
    """The threshold of the whole stream sorts it better than one from two classes, or as well."""
    best = run("iolfcv", stream).summary()["decisions_right"]
    assert best >= run("iolfcv_initial", stream).summary()["decisions_right"]
