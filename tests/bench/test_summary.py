from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from ilap.bench import records
from ilap.bench.records import Entry, Record
from ilap.bench.summary import summary
from ilap.core.decision import Decision


def said(kind: str, class_id: int | None, exposure: int, **more: Any) -> Decision:
    return Decision(kind, class_id, 0.0, {}, "", exposure, 0.5, **more)  # type: ignore[arg-type]


def figures(*answers: tuple[Decision, int], places: Mapping[int, int] | None = None) -> dict[str, Any]:
    """Those of a run that said this, as its log tells them."""
    entries = []
    for number, (decision, truth) in enumerate(answers):
        last = number == len(answers) - 1
        record = Record(decision, truth, False, False, None, None, 1, 1, places=places if last else None)
        line = json.loads(json.dumps(records.to_line(Entry("toys", "toy", 0, record, (number,)))))
        entries.append(records.from_line(line))
    return summary([entry.record for entry in entries])


def test_every_answer_that_is_ever_sure_counts() -> None:
    found = figures(
        (said("new", 0, 0), 7),
        (said("unsure", None, 1), 8),
        (said("known", 0, 2), 8),  # wrong
        (said("new", 1, 3, settled=(said("known", 0, 1),)), 9),  # right, and wrong later
    )
    assert found["sure"] == 3 / 4
    assert found["sure_at_end"] == 1
    assert (found["sure_answers"], found["wrong_of_sure"]) == (4, 2 / 4)
    assert found["asked"] == 0


def test_an_exposure_that_waited_again_is_counted_once_and_its_answers_both() -> None:
    found = figures(
        (said("new", 0, 0), 7),
        (said("new", 1, 1, discarded=(0,)), 8),
        (said("known", 1, 2, settled=(said("known", 1, 0),)), 8),
    )
    assert (found["sure"], found["sure_at_end"]) == (1, 1)
    assert (found["sure_answers"], found["wrong_of_sure"]) == (4, 1 / 4)


def test_what_a_person_answered_counts_neither_way() -> None:
    found = figures(
        (said("new", 0, 0), 7),
        (said("new", 1, 1, by="person"), 8),
        (said("unsure", None, 2), 8),
        (said("known", 1, 3, settled=(said("known", 0, 2, by="person"),)), 7),  # wrong
    )
    assert found["asked"] == 2
    assert (found["sure"], found["sure_at_end"]) == (1, 1)
    assert (found["sure_answers"], found["wrong_of_sure"]) == (2, 1 / 2)


def test_a_run_of_which_all_was_told_has_no_such_shares() -> None:
    found = figures((said("new", 0, 0, by="person"), 7), (said("known", 0, 1, by="person"), 7))
    assert found["asked"] == 2
    assert [found[name] for name in ("sure", "sure_at_end", "wrong_of_sure", "log_loss", "ece")] == [None] * 5


def test_places_that_the_learner_told_go_before_its_answers() -> None:
    answers = [(said("new", n, n), truth) for n, truth in enumerate([7, 7, 8, 8])]
    assert figures(*answers)["ari"] == 0
    assert figures(*answers, places={0: 5, 1: 5, 2: 6, 3: 6})["ari"] == 1
    assert 0 < figures(*answers, places={0: 5, 1: 5})["ari"] < 1  # the others are groups of their own


def test_probabilities_are_scored_at_the_first_time_of_asking() -> None:
    sure = {"p_new": 1.0, "error": 0.0}
    found = figures(
        (said("new", 0, 0, **sure), 7),
        (said("unsure", None, 1, p_new=0.5, p_known={0: 0.5}, error=0.5), 7),
        (said("new", 1, 2, settled=(said("new", 2, 1, **sure),), **sure), 8),
    )
    assert found["log_loss"] == pytest.approx(0.6931 / 3, abs=1e-3)
    assert found["ece"] == pytest.approx(0.5 / 3)  # the likeliest answer was new, by a hair, and wrong
