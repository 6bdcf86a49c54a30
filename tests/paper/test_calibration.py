from __future__ import annotations

import json
import subprocess
from pathlib import Path

import numpy as np
import pytest

from commands import ILAP, ilap
from ilap.core.settings import resolve
from ilap.paper.calibration import Calibration, DropCurve, choose, curves, right_at
from ilap.paper.figures.figure2 import facts_of, finding, rows_of


def tried(repeated: list[float], others: list[float], new: list[float]) -> dict[str, list[float]]:
    return {"repeated": repeated, "others": others, "new": new}


LOGS = [
    [
        {"imbalance": 0.0, "once": tried([0.4], [0.0], [0.1]), "twice": tried([0.6], [0.1], [0.1])},
        {"imbalance": 0.5, "once": tried([0.8], [0.0], [0.4]), "twice": tried([1.0], [0.2], [0.6])},
        {"imbalance": 0.9, "once": tried([1.0], [0.5], [0.9]), "twice": tried([1.0], [0.7], [1.0])},
    ]
] * 3
"""Three seeds. Repeated: .5, .9, 1; others: .05, .1, .6; so the gap is widest, .8, at lambda .5, and theta is
.5."""


def test_lambda_is_where_the_curves_lie_farthest_apart_and_theta_half_way_between_them() -> None:
    found = curves(LOGS)
    assert found["repeated"].mean.tolist() == pytest.approx([0.5, 0.9, 1.0])
    assert found["others"].mean.tolist() == pytest.approx([0.05, 0.1, 0.6])
    assert found["repeated"].std[0] == pytest.approx(np.std([0.4, 0.6]))
    chosen = choose(found)
    assert (chosen.imbalance, chosen.theta, chosen.gap) == pytest.approx((0.5, 0.5, 0.8))


def test_what_the_choice_decides_right_is_counted_with_and_without_repeats() -> None:
    assert right_at(LOGS, 0.5, 0.5, "once") == {"repeats_known": 1.0, "new_found": 1.0}
    assert right_at(LOGS, 0.5, 0.5, "twice") == {"repeats_known": 1.0, "new_found": 0.0}


def test_theta_stays_a_threshold_where_the_curves_are_flat() -> None:
    flat = DropCurve(np.array([0.0, 0.5]), np.zeros(2), np.zeros(2))
    assert choose({"repeated": flat, "others": flat}).theta == 0.01


def test_the_finding_says_how_much_wider_the_gap_is() -> None:
    found = curves(LOGS)
    said = finding({"toys, head": facts_of(found, choose(found), LOGS)})
    assert said.confirmed == {"toys, head": True}
    assert "0.45 apart at lambda = 0, 0.80 at 0.50, with theta = 0.50" in said.sentence
    assert finding({}).verdict == "cannot be told"
    two = finding({"toys, head": facts_of(found, choose(found), LOGS[:2])})
    assert two.verdict == "not shown for toys, head", "two seeds show nothing"


def test_every_curve_has_its_rows() -> None:
    rows = rows_of("toys", "head", curves(LOGS), LOGS)
    assert {row[2] for row in rows} == {"repeated", "others", "new"}
    assert rows[0] == ("toys", "head", "repeated", 0.0, 0.5, 0.1, 6)


def test_in_closed_form_a_repeat_takes_half_without_imbalance_and_nearly_all_with_it() -> None:
    study = Calibration("digits", "fast", 0, 40, {"detector": "confusion"}, lambdas=(0.0, 0.5), known=(2,))
    first, second = study.lines([])
    for taught in ("once", "twice"):
        assert np.mean(first[taught]["repeated"]) == pytest.approx(0.5, abs=0.1)
        assert np.mean(second[taught]["repeated"]) > 0.8
        assert np.max(second[taught]["others"]) < 0.05
    assert [line["imbalance"] for line in study.lines([first])] == [0.5]


@pytest.mark.slow
def test_calibrate_writes_a_preset_that_bench_takes(tmp_path: Path) -> None:
    words = [
        "calibrate",
        "--data",
        "digits",
        "--preset",
        "fast",
        "--exposure-size",
        "30",
        "--seeds",
        "1",
        "--json",
    ]
    done = subprocess.run(
        [ILAP, *words, "--out", str(tmp_path / "c")], capture_output=True, text=True, check=True
    )
    report = json.loads(done.stdout)
    settings = resolve(report["preset"], {})
    asked = settings.detector
    assert (asked.parameters.imbalance, asked.parameters.theta) == (report["lambda"], report["theta"])
    assert asked.name == "confusion"
    assert all(Path(file).stat().st_size for file in report["files"])
    words = [
        "bench",
        "--data",
        "digits",
        "--learner",
        report["preset"],
        "--exposure-size",
        "30",
        "--seeds",
        "1",
    ]
    done = subprocess.run(
        [ILAP, *words, "--repeats", "2", "--json", "--out", str(tmp_path / "b")],
        capture_output=True,
        text=True,
        check=True,
    )
    (row,) = json.loads(done.stdout)["rows"]
    assert row["decisions_right"] >= 19


def test_calibrate_says_what_is_wrong(tmp_path: Path) -> None:
    for words, advice in (
        (["--data", "digits", "--exposure-size", "500"], "take smaller or fewer exposures"),
        (["--data", "digits", "--preset", "mine.json"], "start from a preset's name"),
        (["--data", "nothing"], "There is no data set 'nothing'"),
    ):
        done = ilap("calibrate", *words, "--out", str(tmp_path))
        assert done.returncode == 1
        assert advice in done.stderr
