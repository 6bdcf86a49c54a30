"""What every learner on the bench has to keep; a new one joins by lying in its folder."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import small_networks
from ilap.bench.learners.load import check, load, names
from ilap.checks import BENCH_CHECKS
from ilap.checks.learners import run_of, task_for
from ilap.core.errors import BadSetting

pytestmark = pytest.mark.filterwarnings("ignore:There is no prior")


@pytest.fixture(autouse=True)
def fast(monkeypatch: pytest.MonkeyPatch) -> None:
    """Networks are adapted by a trainer that takes no time."""
    small_networks.train_by(monkeypatch, small_networks.kernel)


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("keeps", BENCH_CHECKS, ids=lambda keeps: keeps.__name__)
def test_learner(keeps: Callable[[str, dict[str, Any]], None], name: str) -> None:
    keeps(name, {})


@pytest.mark.parametrize("name", ["oracle", "joint", "bic", "replay", "adapted_oracle"])
def test_those_that_are_told_the_labels_are_right_and_have_no_score(name: str) -> None:
    figures = run_of(name).summary()
    assert figures["decisions_right"] == 20
    assert figures["unique_classes"] == figures["learned_classes"] == 10
    assert figures["auroc"] is None
    assert figures["accuracy"] > 0.75


def test_joint_learning_is_no_worse_than_learning_one_by_one() -> None:
    assert run_of("joint").summary()["accuracy"] >= run_of("oracle").summary()["accuracy"] - 0.02


@pytest.mark.parametrize("name", ["cosine", "iolfcv", "iolfcv_means", "iolfcv_initial"])
def test_a_threshold_is_reported(name: str) -> None:
    learner = load(name, task_for(name))
    assert 0 < learner.facts["threshold"] < 2
    assert not learner.labelled


def test_hindsight_is_worth_something() -> None:
    """The threshold of the whole stream sorts it better than one from two classes, or as well."""
    best = run_of("iolfcv").summary()["decisions_right"]
    assert best >= run_of("iolfcv_initial").summary()["decisions_right"]


def test_hyphens_and_underscores_do_not_count() -> None:
    check("iolfcv-means")
    with pytest.raises(BadSetting, match="There is no learner 'iolfcv-modes'"):
        check("iolfcv-modes")


def test_adapted_along_the_stream_it_names_better_before_the_end_and_decides_the_same() -> None:
    at_end, along = run_of("adapted"), run_of("adapted", **{"adapted.every": 1})
    decided = [[(r.decision.kind, r.decision.class_id) for r in work.records] for work in (at_end, along)]
    assert decided[0] == decided[1]
    before, after = ([r.accuracy for r in work.records] for work in (at_end, along))
    assert before[-1] == after[-1]
    assert before[:-1] != after[:-1]


def test_a_stream_of_which_too_little_is_sure_leaves_adapted_as_fast() -> None:
    unsure = {"risk": 1e-6}
    assert run_of("adapted", **unsure).summary()["accuracy"] == run_of("fast", **unsure).summary()["accuracy"]
