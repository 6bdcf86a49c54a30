from __future__ import annotations

import csv
import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from commands import ILAP, ilap
from ilap.bench import tables
from ilap.core.errors import BadOutput, BadSetting
from ilap.paper import report, table1
from ilap.paper import tables_2_and_3 as paper
from ilap.paper.contract import ClaimCheck, MadeTable, Request, gaps_of
from ilap.paper.figures import early
from ilap.paper.figures import figure1 as method
from ilap.paper.figures import figure3 as distance
from ilap.paper.figures import figure4 as tsne
from ilap.paper.report import Report, figure, figures
from ilap.paper.scales import TABLES, WITHOUT_PRETRAINING

EVERY = (*report.TABLES, *figures())


def table(name: str) -> MadeTable:
    grid = tables.Grid(("ours (the paper)", "mnist"), (("fast", ".99 (.98)"),))
    said = ClaimCheck("It <helps>", {"fast": True}, "By .1.")
    return MadeTable(
        name, name, grid, f"ilap paper {name}", "2, from 0", 65.0, ("Less.",), {"svhn": "a.mat"}, (said,)
    )


def test_the_page_needs_no_other_file_and_the_markdown_has_the_tables(tmp_path: Path) -> None:
    request = Request("quick", tmp_path)
    made = Report(request, (table("table1"), table("table2")), (method.make(request),))
    page = report.render(made)
    assert {"table1", "table2", "figure1"} <= set(re.findall(r'<section id="(\w+)"', page))
    assert not re.search(r'(src|href)="(?!data:|#)', page)
    assert "It &lt;helps&gt;" in page
    assert "a.mat" in page
    text = report.markdown(made)
    assert "| fast | .99 (.98) |" in text
    assert "**It <helps>: confirmed for fast.** By .1. (Table 1)" in text
    assert json.dumps(report.summary(made))


def test_the_diagram_has_its_arrows_as_numbers(tmp_path: Path) -> None:
    made = method.make(Request("quick", tmp_path))
    assert sorted(file.suffix for file in made.files) == [".csv", ".png", ".svg"]
    assert all(file.stat().st_size > 100 for file in made.files)
    with next(file for file in made.files if file.suffix == ".csv").open(encoding="utf-8") as file:
        arrows = list(csv.DictReader(file))
    assert {"from": "drop", "to": "decision", "label": ""} in arrows
    assert {row["from"] for row in arrows} == {row["to"] for row in arrows} | {"exposure"}


def test_a_diagram_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "figures").write_text("", encoding="utf-8")
    with pytest.raises(BadOutput, match="cannot be written"):
        method.make(Request("quick", tmp_path))


def test_a_data_set_that_is_not_run_has_the_paper_s_column() -> None:
    view = paper.VIEWS["table2"]
    rows = [paper.row_of(view, "digits", learner, [{"accuracy": 0.9}]) for learner in TABLES["quick"].learners]
    result = paper.LearnersTable(rows, {}, tables.Grid((), ()))
    grid = paper.beside_paper("table2", result, TABLES["quick"])
    assert grid.header[1:] == ("digits", "mnist", "svhn", "cifar10", "cifar100", "crib")
    assert "not run (.980 ± .002)" in grid.markdown()


def test_imbalance_helps_by_auroc_on_models_that_are_trained() -> None:
    rows = [
        detected("network", "confusion", 0.9),
        detected("network", "confusion-noci", 0.8),
        detected("exact", "confusion", 1.0),
        detected("exact", "confusion-noci", 1.0),
    ]
    said = table1.by_auroc(rows)
    assert said.confirmed == {"MNIST, network": True}
    assert "0.90 with and 0.80 without" in said.sentence
    assert table1.by_auroc([{**row, "auroc_of_seeds": [row["auroc"]] * 2} for row in rows]).confirmed == {
        "MNIST, network": False
    }


def detected(model: str, detector: str, value: float) -> dict[str, Any]:
    """A row of table 1, with three seeds alike."""
    named = {"data": "mnist", "model": model, "detector": detector}
    return {**named, "auroc": value, "auroc_of_seeds": [value] * 3, "auroc_paper": None}


def test_confusion_leads_where_no_rival_of_the_paper_is_as_good() -> None:
    rows = [detected("network", "confusion", 0.9), detected("network", "msp", 0.8)]
    assert table1.leads([*rows, detected("network", "knn", 1.0)]).confirmed == {"MNIST": True}
    said = table1.leads([*rows, detected("network", "distance", 0.9)])
    assert said.confirmed == {"MNIST": False}
    assert "0.90, the best rival 0.90 (distance (IOLfCV))" in said.sentence


def test_a_gap_names_the_file_and_no_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ILAP_DATA", str(tmp_path))
    gaps = gaps_of(["svhn", "digits", "mnist", "crib"])
    assert gaps["svhn"] == "train_32x32.mat"
    assert "digits" not in gaps
    assert not any(str(tmp_path) in file for file in gaps.values())


def test_what_there_is_not_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match="There is no 'figure13': take one of all, table1"):
        figure("figure13", Request("quick", tmp_path))
    with pytest.raises(BadSetting, match="There is no scale 'huge'"):
        figure("figure1", Request("huge", tmp_path))


def test_one_figure_is_one_command(tmp_path: Path) -> None:
    words = ["paper", "figure1", "--scale", "quick", "--out", str(tmp_path), "--json"]
    done = ilap(*words)
    made = json.loads(done.stdout)
    assert made["figure"] == "figure1"
    assert all(Path(file).exists() for file in made["files"])


@pytest.mark.slow
def test_everything_from_embedded_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The whole report of scale quick: every table and figure, and in every figure's numbers every method."""
    monkeypatch.delenv("ILAP_DATA", raising=False)
    words = ["paper", "all", "--scale", "quick", "--out", str(tmp_path), "--json"]
    done = subprocess.run([ILAP, *words], capture_output=True, text=True, check=True)
    made = json.loads(done.stdout)
    page = Path(made["report"]).read_text(encoding="utf-8")
    assert set(EVERY) <= set(re.findall(r'<section id="(\w+)"', page))
    assert page.count("data:image/svg+xml;base64,") == len(figures())
    assert not re.search(r'(src|href)="(?!data:|#)', page)
    learners = set(TABLES["quick"].learners)
    methods = {
        **dict.fromkeys(figures(), learners),
        "figure2": {"paper-cpu", "paper-cpu-drop"},
        "figure3": set(distance.METHODS),
        "figure4": set(tsne.METHODS),
        "figure12": set(WITHOUT_PRETRAINING["quick"].learners),
        "early": set(early.METHODS),
    }
    for name, drawn in made["figures"].items():
        files = {Path(file).suffix: Path(file) for file in drawn["files"]}
        assert set(files) == {".png", ".svg", ".csv"}
        if name != "figure1":
            with files[".csv"].open(encoding="utf-8") as file:
                assert methods[name] <= {row["method"] for row in csv.DictReader(file)}
    assert "train_32x32.mat" in made["gaps"]["SVHN"]
    assert "crib" in made["gaps"]["CRIB"]
    assert len(made["findings"]) >= 4
    assert "| digits |" in (tmp_path / "tables.md").read_text(encoding="utf-8")
