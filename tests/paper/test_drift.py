"""Figures 3 and 4 from lines worked by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ilap.paper.drift import Drift, best_at_end, wrong
from ilap.paper.figures import figure3 as distance
from ilap.paper.figures import figure4 as tsne
from ilap.paper.similar import Similar


def line(known: int, learned: list[float], novel: float, drops: tuple[float, float]) -> dict[str, Any]:
    confusion = {"learned": [-drops[0]], "novel": [-drops[1]]}
    return {
        "known": known,
        "scores": {"distance": {"learned": learned, "novel": [novel]}, "confusion": confusion},
    }


LINES = [
    line(2, [0.5, 0.2], 0.9, (0.9, 0.1)),
    line(3, [0.6, 0.1], 0.3, (0.3, 0.0)),
    line(4, [0.1, 0.2], 0.6, (1.0, 0.7)),
]


def test_the_threshold_is_the_best_when_all_classes_are_known() -> None:
    assert best_at_end(LINES, "distance") == pytest.approx(0.4)


def test_errors_are_counted_by_kind_and_half() -> None:
    assert wrong(LINES, "distance", 0.4, "learned", early=True) == [True, False]
    assert wrong(LINES, "distance", 0.4, "learned", early=False) == [True, False, False, False]
    assert wrong(LINES, "distance", 0.4, "novel", early=False) == [True, False]
    assert wrong(LINES, "confusion", -0.6, "learned", early=False) == [True, False]
    assert wrong(LINES, "confusion", -0.6, "novel", early=False) == [False, True]


def test_the_finding_has_the_shares_of_both_halves() -> None:
    marks = {"distance": [0.4], "confusion": [-0.6]}
    three = {method: mark * 3 for method, mark in marks.items()}
    said = distance.finding(distance.facts_of([LINES] * 3, three))
    assert said.confirmed == {"repeats taken for new": True, "new classes taken for known": False}
    assert "of the repeats 50% early and 25% late" in said.sentence
    assert not any(distance.finding(distance.facts_of([LINES], marks)).confirmed.values())
    assert distance.finding({}).confirmed == {}


def test_every_method_has_rows_even_where_there_are_no_data() -> None:
    rows = distance.rows_of("toys", [LINES], {"distance": [0.4], "confusion": [-0.6]})
    assert {row[1] for row in rows} == set(distance.METHODS)
    assert all(len(row) == len(distance.HEADER) for row in rows)
    assert [row[1] for row in distance.rows_of("toys", [], {})] == list(distance.METHODS)


def pair(novel: float, repeated: float) -> dict[str, Any]:
    return {
        "k1": 0,
        "k2": 1,
        "k3": 2,
        "novel": {"distance": novel, "confusion": -0.1},
        "repeated": {"distance": repeated, "confusion": -0.9},
        "map": {
            "labels": [0, 1, 2],
            "before": [[0.0, 0.0]] * 3,
            "after": [[1.0, 1.0]] * 3,
            "apart before": 0.1,
            "apart after": 0.6,
        },
    }


def test_similar_classes_are_told_apart_where_distance_is_not_enough() -> None:
    logs = [[pair(0.3, 0.4), pair(0.9, 0.1)]] * 3
    marks = {"distance": tsne.best(logs, "distance"), "confusion": -0.6}
    facts = tsne.facts_of(logs, marks, ("boy", "lamp", "girl"))
    assert facts["confusion"] == {
        "auroc": 1.0,
        "auroc of seeds": [1.0] * 3,
        "new found": 1.0,
        "repeats known": 1.0,
    }
    assert facts["distance"]["auroc of seeds"] == [0.75] * 3
    said = tsne.finding({"toys": facts})
    assert said.confirmed == {"toys": True}
    assert "boy and lamp known, girl new" in said.sentence
    assert "goes from 0.10 to 0.60" in said.sentence
    rows = tsne.rows_of("toys", logs, marks)
    assert {row[1] for row in rows} == {*tsne.METHODS, "map before", "map after"}
    assert all(len(row) == len(tsne.HEADER) for row in rows)


def test_where_both_find_all_nothing_is_shown() -> None:
    logs = [[pair(0.9, 0.1), pair(0.4, 0.2)]] * 3
    facts = tsne.facts_of(logs, {"distance": 0.3, "confusion": -0.6}, ("a", "b", "c"))
    assert tsne.finding({"toys": facts}).verdict == "not shown for toys"


SMALL = {"backbone": "small", "resolution": 16, "epochs": 1, "batch": 64}


def test_a_drift_begins_where_it_stopped_with_the_same_scores() -> None:
    study = Drift("digits", "paper", 0, 20, 5, 1, SMALL, {"confusion": 1})
    lines = list(study.lines([]))
    assert [line["known"] for line in lines] == [2, 3, 4]
    assert len(lines) == study.steps
    (last,) = study.lines([{}] * 2)
    assert last["scores"] == lines[-1]["scores"]
    assert [len(own["learned"]) for own in last["scores"].values()] == [4, 1]


def test_a_similar_pair_is_scored_and_mapped() -> None:
    (line,) = Similar("digits", "paper", 0, 20, 1, SMALL).lines([])
    assert len({line["k1"], line["k2"], line["k3"]}) == 3
    assert np.shape(line["map"]["before"]) == (len(line["map"]["labels"]), 2)
    assert {*line["novel"], *line["repeated"]} == {"distance", "confusion"}
