from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ilap.core import metrics
from ilap.core.decision import Decision


def said(kind: str, class_id: int | None = None) -> Decision:
    return Decision(kind, class_id, 0.0, {}, "", 0, 0.0)  # type: ignore[arg-type]


def test_new_is_right_if_no_class_stands_for_the_truth() -> None:
    assert metrics.decision_is_right(said("new", 0), 5, {})
    assert metrics.decision_is_right(said("new", 1), 5, {0: 4})
    assert not metrics.decision_is_right(said("new", 1), 5, {0: 5})


def test_known_is_right_if_the_class_was_founded_by_the_truth() -> None:
    assert metrics.decision_is_right(said("known", 0), 5, {0: 5, 1: 4})
    assert metrics.decision_is_right(said("known", 2), 5, {0: 5, 2: 5})
    assert not metrics.decision_is_right(said("known", 1), 5, {0: 5, 1: 4})


def test_unsure_is_never_right() -> None:
    assert not metrics.decision_is_right(said("unsure"), 5, {0: 5})
    assert not metrics.decision_is_right(said("unsure"), 5, {})


@given(st.lists(st.integers(0, 4), min_size=1), st.lists(st.integers(0, 4), min_size=1))
def test_with_one_class_for_each_truth_accuracy_is_the_usual_one(named: list[int], truths: list[int]) -> None:
    length = min(len(named), len(truths))
    named, truths = named[:length], truths[:length]
    truth_of = {k: k for k in range(5)}
    assert metrics.accuracy(named, truths, truth_of) == pytest.approx(np.mean(np.equal(named, truths)))


def test_a_class_split_in_two_counts_half_and_a_lost_one_nothing() -> None:
    assert metrics.accuracy([0, 1, 0, 1], [9, 9, 9, 9], {0: 9, 1: 9}) == 0.5
    assert metrics.accuracy([0, 0], [8, 8], {0: 9}) == 0.0


def test_unique_classes_are_counted_once() -> None:
    assert metrics.unique_classes({0: 9, 1: 9, 4: 2}) == 2


def test_novelty_metrics_take_novel_as_positive() -> None:
    scores, novel = [3.0, 2.0, 1.0, 0.0], [True, True, False, False]
    assert (metrics.auroc(scores, novel), metrics.aupr(scores, novel), metrics.fpr95(scores, novel)) == (
        1,
        1,
        0,
    )
    turned = [-score for score in scores]
    assert metrics.auroc(turned, novel) == 0
    assert metrics.fpr95(turned, novel) == 1


def test_fpr95_is_the_share_of_repeats_above_the_lowest_novel_where_there_are_few() -> None:
    assert metrics.fpr95([0.9, 0.2, 0.5, 0.3, 0.1, 0.0], [True, True, False, False, False, False]) == 0.5


def test_ties_count_half() -> None:
    assert metrics.auroc([1.0, 1.0], [True, False]) == 0.5


def test_without_both_kinds_there_is_no_novelty_metric() -> None:
    assert metrics.auroc([1.0, 2.0], [True, True]) is None
    assert metrics.fpr95([], []) is None


def test_every_unsure_exposure_is_a_group_of_its_own() -> None:
    assert metrics.ari([0, 0, 1, 1], [3, 3, 4, 4]) == 1
    assert metrics.ari([None, None, 1, 1], [3, 3, 4, 4]) < 1


def test_probabilities_too_small_to_be_told_cost_as_much_as_the_smallest_that_is() -> None:
    assert metrics.log_loss([0.0]) == metrics.log_loss([1e-3])
    assert metrics.log_loss([1.0, 1.0]) == 0
    assert metrics.log_loss([]) is None


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=30))
def test_the_calibration_error_is_a_share_and_no_smaller_than_the_gap_of_the_means(
    answers: list[tuple[float, bool]],
) -> None:
    stated, right = [share for share, _ in answers], [was for _, was in answers]
    error = metrics.ece(stated, right)
    assert error is not None
    assert abs(np.mean(stated) - np.mean(right)) - 1e-9 <= error <= 1
    assert metrics.ece([], []) is None


@given(st.integers(0, 50), st.integers(1, 50))
def test_the_interval_holds_the_share_and_narrows_with_more_cases(part: int, rest: int) -> None:
    count = part + rest
    low, high = metrics.wilson(part / count, count)
    assert 0 <= low <= part / count <= high <= 1
    wider = metrics.wilson(part / count, count / 2)
    assert wider[1] - wider[0] >= high - low
