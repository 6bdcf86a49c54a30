"""The protocol of table 1: all detectors see the same model, before it learns, on the same exposures."""

from __future__ import annotations

from pathlib import Path

import pytest

from ilap.bench import jobs
from ilap.bench.jobs import carry_out
from ilap.bench.stream import Plan
from ilap.core.settings import resolve
from ilap.learner.learner import Learner
from ilap.paper.novelty import Detectors, Novelty

CHANGES = {"backbone": "small", "resolution": 16, "epochs": 2, "exemplars": 10}
NOCI = {"detector": "confusion", "imbalance": 0.0, "theta": 0.4}
ROWS = {"msp": {}, "confusion": {}, "confusion-noci": NOCI, "knn": {"neighbours": 2}}
NETWORK = Detectors("network", "paper", CHANGES, ROWS)
PLAN = Plan(10, 2, classes=4)
CELL = Novelty("digits", NETWORK, 3, PLAN)


@pytest.fixture(scope="module")
def lines() -> list[dict]:
    return list(CELL.lines([]))


def test_an_exposure_is_scored_by_all_detectors_from_the_second_class_on(lines: list[dict]) -> None:
    for line in lines:
        assert set(line["found"]) == (set(ROWS) if line["known"] >= 2 else set())
    assert [line["truth"] for line in lines] == list(CELL.stream().truths)
    assert sum(line["novel"] for line in lines) == 4


def test_scores_are_those_of_a_learner_that_is_taught(lines: list[dict]) -> None:
    """Each detector alone, by Learner.detect and Learner.teach, gives the same numbers: asking changes nothing
    and all see the same model."""
    for row in ("msp", "confusion-noci"):
        settings = {"detector": row, **CHANGES, **ROWS[row]}
        learner, ids = Learner("paper", seed=3, **settings), {}
        for line, (exposure, truth) in zip(lines, CELL.stream(), strict=True):
            if line["found"]:
                assert learner.detect(exposure).score == line["found"][row]["score"]
            ids.setdefault(truth, learner.teach(exposure, ids.get(truth)).class_id)


def test_costs_are_measured_with_the_scores(lines: list[dict]) -> None:
    for line in lines:
        assert line["update"] >= 0
        if line["found"]:
            assert line["forward"] >= line["taking_in"] >= 0
            assert all(found["seconds"] > 0 for found in line["found"].values())


def scores(lines: list[dict]) -> list[dict[str, float]]:
    return [{row: found["score"] for row, found in line["found"].items()} for line in lines]


def test_a_finished_job_is_not_run_again_and_one_that_was_killed_goes_on(
    tmp_path: Path, lines: list[dict]
) -> None:
    carry_out(CELL, tmp_path)
    log = jobs.read(CELL, tmp_path)
    assert len(log.lines) == 8
    assert log.lines[0]["pictures"] == list(CELL.stream().pictures[0])
    assert scores(log.lines) == scores(lines)
    before = log.path.stat().st_mtime_ns
    carry_out(CELL, tmp_path)
    assert log.path.stat().st_mtime_ns == before
    whole = log.path.read_bytes()
    log.path.write_bytes(whole[: -len(whole) // 4])  # as if it had been killed
    left = len(jobs.read(CELL, tmp_path).lines)
    assert 0 < left < 8
    carry_out(CELL, tmp_path)
    assert scores(jobs.read(CELL, tmp_path).lines) == scores(lines)


def test_every_other_setting_is_another_cell() -> None:
    others = [
        Novelty("digits", NETWORK, 4, PLAN),
        Novelty("digits", NETWORK, 3, Plan(10, 2)),
        Novelty("digits", NETWORK, 3, PLAN, "msp", 0.5),
        Novelty("digits", Detectors("network", "paper", CHANGES, {"msp": {}}), 3, PLAN),
    ]
    assert len({jobs.path_of(cell, Path()) for cell in (CELL, *others)}) == 5
    assert NETWORK.settings("confusion-noci") == resolve("paper", {**CHANGES, **NOCI})


def test_in_the_closed_loop_two_classes_are_told_and_then_the_detector_decides(tmp_path: Path) -> None:
    always_new, never_new = (Novelty("digits", NETWORK, 3, PLAN, "msp", mark) for mark in (-1.0, 2.0))
    for cell, kind in ((always_new, "new"), (never_new, "known")):
        carry_out(cell, tmp_path)
        lines = jobs.read(cell, tmp_path).lines
        assert {line["found"]["msp"]["kind"] for line in lines if line["found"]} == {kind}
        assert all(bool(line["found"]) == (line["known"] >= 2) for line in lines)
        for line in lines:
            if line["found"] and kind == "new":
                assert line["found"]["msp"]["right"] == line["novel"]
    assert jobs.read(never_new, tmp_path).lines[-1]["classes"] == 2


def test_a_row_may_be_asked_about_every_other_exposure_only(lines: list[dict]) -> None:
    thin = Detectors("network", "paper", CHANGES, {"msp": {}, "confusion": {}}, {"confusion": 2})
    for own, line in zip(Novelty("digits", thin, 3, PLAN).lines([]), lines, strict=True):
        wanted = {"msp"} if own["number"] % 2 else {"msp", "confusion"}
        assert set(own["found"]) == (wanted if own["known"] >= 2 else set())
        assert all(own["found"][row]["score"] == line["found"][row]["score"] for row in own["found"])
