"""Table 1 from its log, against figures worked by hand."""

from __future__ import annotations

import csv
import json
import subprocess
from pathlib import Path

import pytest

from commands import ILAP
from ilap.bench import jobs
from ilap.bench.jobs import Line
from ilap.bench.stream import Plan
from ilap.core import registry
from ilap.core.errors import BadSetting
from ilap.core.metrics import aupr, auroc, fpr95
from ilap.paper import table1, table1_curves
from ilap.paper import table1_figures as figures
from ilap.paper.novelty import Detectors, Novelty
from ilap.paper.opened import INSIDE
from ilap.paper.table1_scales import TABLE1, grid_name

NOVEL = [True, False, False, True]
SEEDS = ([0.9, 0.1, 0.2, 0.8], [0.9, 0.95, 0.2, 0.8])
"""Scores of two seeds. The first is perfect. In the second a repeat scores highest: FPR95 is 1/2, two of four
pairs are in request, and precision is 1/2 and 2/3 at the two novel ones."""


def line(score: float, novel: bool, row: str = "msp") -> Line:
    found = {row: {"score": score, "kind": "new", "seconds": 0.03}}
    return {"novel": novel, "taking_in": 0.01, "forward": 0.02, "update": 2.0, "found": found}


def logs(name: str = "network", row: str = "msp") -> figures.Logs:
    model = Detectors(name, "paper", {}, {row: {}})
    return [
        (
            Novelty("mnist", model, seed, Plan(100, 3)),
            [{"novel": True, "update": 1.0, "found": {}}, *map(lambda s, n: line(s, n, row), scores, NOVEL)],
        )
        for seed, scores in enumerate(SEEDS)
    ]


def test_mean_spread_and_pooled_figures_stand_beside_the_paper_s() -> None:
    (row,) = figures.rows(logs(), closed=False)
    assert (row["data"], row["detector"], row["model"], row["seeds"]) == ("mnist", "msp", "network", 2)
    assert (row["exposures"], row["novel"]) == (8, 4)
    assert row["fpr95"] == pytest.approx(0.25)
    assert row["fpr95_std"] == pytest.approx(0.3536, abs=1e-4)
    assert row["auroc"] == pytest.approx(0.75)
    assert row["aupr"] == pytest.approx((1 + (1 / 2 + 2 / 3) / 2) / 2)
    assert row["auroc_pooled"] == pytest.approx(12 / 16)
    assert row["fpr95_pooled"] == pytest.approx(1 / 4)
    assert (row["auroc_paper"], row["auroc_paper_std"]) == (0.98, 0.01)


def test_cost_is_in_forward_passes_and_a_model_of_its_own_is_charged() -> None:
    (shared,) = figures.rows(logs(), closed=False)
    assert shared["cost"] == pytest.approx(2.0)
    assert shared["cost_of_own_model"] is None
    (own,) = figures.rows(logs("confident", "confidence"), closed=False)
    assert own["cost_of_own_model"] == pytest.approx(100.0)
    assert figures.costs(own) == "2.0 + 100"


def test_the_grid_has_the_paper_s_figures_in_brackets_and_says_what_is_missing() -> None:
    grid = figures.grid(figures.rows(logs(), closed=False), {"svhn": "no file"}, closed=False)
    assert grid.rows[0][:4] == ("mnist", "msp", "network", ".25 ± .35 (.14)")
    assert grid.rows[1][:2] == ("svhn", "no data")
    assert len({len(cells) for cells in (grid.header, *grid.rows)}) == 1


def test_of_odin_s_grid_the_best_point_is_a_row() -> None:
    tried = logs(row=grid_name(1.0, 0.0)) + [
        (cell, [line(float(entry["novel"]), entry["novel"], grid_name(2.0, 0.0012)) for entry in lines[1:]])
        for cell, lines in logs(row=grid_name(2.0, 0.0012))
    ]
    (row,) = figures.rows(tried, closed=False)
    assert row["detector"] == "odin-grid T=2 e=0.0012"
    assert row["fpr95"] == 0.0


def test_the_metrics_of_a_published_example() -> None:
    """That of pytorch-ood's own tests: ten scores, those of the five outliers 1, the others 0. It publishes no
    value for a detector."""
    scores, novel = [0.0] * 5 + [1.0] * 5, [False] * 5 + [True] * 5
    assert (auroc(scores, novel), aupr(scores, novel), fpr95(scores, novel)) == (1.0, 1.0, 0.0)


def test_what_there_is_not_is_named() -> None:
    with pytest.raises(BadSetting, match="There is no scale 'huge': take one of quick, cpu, cpu-long, full"):
        table1.chosen("huge", [], [])
    with pytest.raises(BadSetting, match="Scale quick has the data sets digits, not mnist"):
        table1.chosen("quick", ["mnist"], [])
    with pytest.raises(BadSetting, match=r"Scale quick has the detectors .*, not svm"):
        table1.chosen("quick", [], ["svm"])


@pytest.mark.parametrize("scale", TABLE1)
def test_every_row_of_every_scale_has_settings_and_a_model_that_gives_what_it_needs(scale: str) -> None:
    for column in table1.chosen(scale, [], []):
        for model in column.models:
            for row in model.rows:
                needs = registry.find("detector", model.settings(row).detector.name).needs
                looks = needs & INSIDE and model.settings(row).is_frozen
                assert not looks or model.settings(row).backbone.name == "lite0"
    rows = {row for column in TABLE1[scale].columns for model in column.models for row in model.rows}
    assert rows >= {
        "msp",
        "confidence",
        "distance",
        "confusion",
        "confusion-noci",
        "energy",
        "mahalanobis",
        "knn",
    }


def test_figures_are_written_with_their_numbers(tmp_path: Path) -> None:
    files = table1_curves.write(figures.scores(logs()), tmp_path)
    names = {file.name for file in files}
    assert names == {f"mnist-{kind}.{end}" for kind in ("roc", "pr", "scores") for end in ("png", "svg", "csv")}
    assert all(file.stat().st_size > 20 for file in files)
    with (tmp_path / "mnist-roc.csv").open(encoding="utf-8") as file:
        points = list(csv.reader(file))
    assert points[0] == ["model", "detector", "false positive rate", "true positive rate"]
    assert points[-1] == ["network", "msp", "1.0", "1.0"]


def test_the_command_resumes_and_reports_one_json_object(tmp_path: Path) -> None:
    arguments = ["paper", "table1", "--scale", "quick", "--detector", "distance,knn", "--seeds", "1", "--json"]
    command = [ILAP, *arguments, "--jobs", "1", "--out", str(tmp_path)]
    # the cells are there already, as logs of another run would be
    (tmp_path / "logs").mkdir()
    for column in table1.chosen("quick", [], ["distance", "knn"]):
        for model in column.models:
            cell = Novelty(column.data, model, 0, column.plan)
            stream = cell.stream()
            seen: set[int] = set()
            with jobs.path_of(cell, tmp_path).open("w", encoding="utf-8") as file:
                file.write(json.dumps({"log": jobs.spec_of(cell)}) + "\n")
                for number, truth in enumerate(stream.truths):
                    entry = line(float(truth not in seen), truth not in seen, "distance")
                    entry["found"]["knn"] = {"score": number, "kind": "new", "seconds": 0.01}
                    entry["found"] = entry["found"] if len(seen) >= 2 else {}
                    seen.add(truth)
                    file.write(json.dumps(entry) + "\n")
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert [(row["detector"], row["model"]) for row in report["rows"]] == [
        ("distance", "network"),
        ("knn", "network"),
    ]
    assert report["rows"][0]["auroc"] == 1.0
    for key in ("data", "detector", "fpr95", "aupr", "auroc", "cost"):
        assert key in report["rows"][0]
    assert (tmp_path / "table1-quick.md").exists()
    assert (tmp_path / "table1-quick" / "digits-roc.png").exists()
