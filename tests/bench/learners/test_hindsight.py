from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ilap.bench.learners.hindsight import best_threshold, f_score


def test_novel_above_and_known_below_are_told_apart_half_way() -> None:
    assert best_threshold([0.1, 0.3, 0.7, 0.8], [False, False, True, True]) == 0.5


def test_the_f_score_is_that_of_the_textbook() -> None:
    # 2 found of 3, 1 false alarm: precision 2/3, recall 2/3
    assert abs(f_score([True, True, False, True], [True, True, True, False]) - 2 / 3) < 1e-12


@given(st.lists(st.tuples(st.floats(0, 2), st.booleans()), min_size=1, max_size=12))
def test_no_other_threshold_is_better(scored: list[tuple[float, bool]]) -> None:
    scores, novel = [score for score, _ in scored], [truth for _, truth in scored]
    best = best_threshold(scores, novel)
    reached = f_score([score > best for score in scores], novel)
    for other in [-1.0, *scores]:
        assert reached >= f_score([score > other for score in scores], novel) - 1e-12
