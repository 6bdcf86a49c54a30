from __future__ import annotations

import json
import os
import subprocess
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from commands import ILAP, ilap
from ilap.bench import jobs, records
from ilap.bench.bench import run
from ilap.bench.cell import Cell
from ilap.bench.stream import Plan
from ilap.core import settings
from ilap.core.errors import BadData
from ilap.core.presets import PRESETS
from ilap.core.rule import RULE
from ilap.core.settings import resolve
from ilap.exact.calibration import shipped

SMALL = ["--data", "digits", "--exposure-size", "10", "--repeats", "2", "--seeds", "2"]

TOY_DATA = '''
"""Eight grey tones."""

import numpy as np

from ilap.data.contract import Dataset, Labelled


def create() -> Dataset:
    """Noisy squares, one tone a class."""
    rng = np.random.default_rng(0)

    def part(each: int) -> Labelled:
        labels = np.repeat(np.arange(8), each)
        noise = rng.integers(0, 12, (len(labels), 6, 6))
        return Labelled(list((labels[:, None, None] * 30 + noise).astype(np.uint8)), labels)

    return Dataset("tones", part(40), part(10), tuple(f"tone {k}" for k in range(8)))
'''

TOY_LEARNER = '''
"""Nearest mean grey, new if more than 20 away."""

import numpy as np

from ilap.core.decision import Decision
from ilap.learner.naming import Prediction


class MeanGrey:
    labelled, facts = False, {}

    def __init__(self):
        self.classes, self.seen = {}, 0

    def samples(self, pictures):
        return np.array([picture.mean() for picture in pictures])

    def observe(self, exposure, label):
        grey = self.samples(exposure.pictures).mean()
        away = {k: abs(grey - mean) for k, mean in self.classes.items()}
        nearest = min(away, key=away.get, default=None)
        known = nearest is not None and away[nearest] < 20
        class_id = nearest if known else len(self.classes)
        self.classes.setdefault(class_id, grey)
        self.seen += 1
        score = away[nearest] if away else 0.0
        return Decision("known" if known else "new", class_id, score, {}, "", self.seen - 1, 0.0)

    def predict_samples(self, samples):
        away = -np.abs(samples[:, None] - np.array(list(self.classes.values())))
        return Prediction(away.argmax(1), away, tuple(self.classes))


def create(task):
    """It needs nothing."""
    return MeanGrey()
'''


def bench(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [ILAP, "bench", *words], capture_output=True, text=True, env={**os.environ, **environment}, check=False
    )


def rows(finished: subprocess.CompletedProcess[str]) -> list[dict[str, Any]]:
    """The rows without their times."""
    assert finished.returncode == 0, finished.stderr
    timed = ("seconds", "seconds_per_exposure")
    return [{k: v for k, v in row.items() if k not in timed} for row in json.loads(finished.stdout)["rows"]]


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[dict[str, Any]]]:
    """A run that nothing disturbed, one process at a time."""
    out = tmp_path_factory.mktemp("reference")
    return out, rows(bench(*SMALL, "--learner", "fast,cosine", "--jobs", "1", "--json", "--out", str(out)))


def test_rows_have_the_figures_that_a_table_needs(reference: tuple[Path, list[dict[str, Any]]]) -> None:
    _, found = reference
    assert [(row["data"], row["learner"], row["seed"]) for row in found] == [
        ("digits", learner, seed) for learner in ("fast", "cosine") for seed in (0, 1)
    ]
    for row in found:
        assert row["exposures"] == 20
        assert 0 <= row["decisions_right"] <= 20
        assert row["true_classes"] == 10
        for share in ("accuracy", "auroc", "fpr95", "aupr"):
            assert 0 <= row[share] <= 1
    assert found[2]["threshold"] > 0


def test_the_tables_are_written_for_people_spreadsheets_and_papers(
    reference: tuple[Path, list[dict[str, Any]]],
) -> None:
    out, _ = reference
    assert "| digits | fast | 2 |" in (out / "table.md").read_text()
    assert (out / "table.csv").read_text().startswith("data,learner,seeds,decisions right")
    assert r"\toprule" in (out / "table.tex").read_text()


def test_the_log_holds_the_stream_and_every_decision(reference: tuple[Path, list[dict[str, Any]]]) -> None:
    out, found = reference
    cell = Cell("digits", "fast", 0, Plan(10, 2))
    log = jobs.read(cell, out)
    entries = [records.from_line(line) for line in log.lines]
    stream = cell.stream()
    assert log.size == log.path.stat().st_size
    assert tuple(entry.record.truth for entry in entries) == stream.truths
    assert tuple(entry.pictures for entry in entries) == stream.pictures
    assert sum(entry.record.right for entry in entries) == found[0]["decisions_right"]


def test_parallel_processes_give_what_one_gives(
    reference: tuple[Path, list[dict[str, Any]]], tmp_path: Path
) -> None:
    parallel = bench(*SMALL, "--learner", "fast,cosine", "--jobs", "2", "--json", "--out", str(tmp_path))
    assert rows(parallel) == reference[1]


def test_what_is_finished_is_not_run_again(reference: tuple[Path, list[dict[str, Any]]]) -> None:
    out, found = reference
    before = {path: path.stat().st_mtime_ns for path in (out / "logs").glob("*.jsonl")}
    assert rows(bench(*SMALL, "--learner", "fast,cosine", "--json", "--out", str(out))) == found
    assert {path: path.stat().st_mtime_ns for path in (out / "logs").glob("*.jsonl")} == before


def test_killed_half_way_and_run_again_it_gives_the_same_table(
    reference: tuple[Path, list[dict[str, Any]]], tmp_path: Path
) -> None:
    command = [
        ILAP,
        "bench",
        *SMALL,
        "--learner",
        "fast,cosine",
        "--jobs",
        "1",
        "--json",
        "--out",
        str(tmp_path),
    ]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        done = sum(path.read_bytes().count(b"\n") for path in tmp_path.glob("logs/*.jsonl"))
        if done >= 7:
            break
        time.sleep(0.02)
    process.kill()
    process.wait()
    for path in tmp_path.glob("logs/*.jsonl"):  # the worst moment: a line half written
        path.write_bytes(path.read_bytes() + b'{"data": "digi')
    assert 7 <= done < 80
    again = subprocess.run(command, capture_output=True, text=True, check=False)
    assert rows(again) == reference[1]
    for end in ("md", "csv", "tex"):
        assert (tmp_path / f"table.{end}").read_bytes() == (reference[0] / f"table.{end}").read_bytes()


def test_another_setting_in_the_same_folder_is_another_cell(tmp_path: Path) -> None:
    cells = [
        Cell("digits", "fast", 0, Plan(10, 2)),
        Cell("digits", "fast", 0, Plan(10, 3)),
        Cell("digits", "fast", 0, Plan(10, 2), {"risk": 0.2}),
        Cell("digits", "fast", 0, Plan(10, 2), learner_seed=5),
        Cell("digits", "cosine", 0, Plan(10, 2)),
        Cell("digits", "cosine", 0, Plan(10, 2), {"cosine.sharpness": 5.0}),
    ]
    assert len({jobs.path_of(cell, tmp_path) for cell in cells}) == len(cells)


def test_what_has_no_effect_makes_no_other_cell(tmp_path: Path) -> None:
    plain, told = (Cell("digits", "fast", 0, Plan(10, 2), given) for given in ({}, {"risk": 0.05, "epochs": 3}))
    assert jobs.path_of(plain, tmp_path) == jobs.path_of(told, tmp_path)


def test_a_changed_default_is_another_cell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A preset is not told by its name alone: its settings are."""
    cell = Cell("digits", "paper", 0, Plan(10, 2))
    before = jobs.path_of(cell, tmp_path)
    changed = replace(PRESETS["paper"], settings={**PRESETS["paper"].settings, "confusion.theta": 0.61})
    monkeypatch.setattr(settings, "PRESETS", {**PRESETS, "paper": changed})
    assert jobs.path_of(cell, tmp_path) != before


def test_another_rule_is_another_cell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cell = Cell("digits", "fast", 0, Plan(10, 2))
    before = jobs.path_of(cell, tmp_path)
    monkeypatch.setattr(jobs, "RULE", replace(RULE, risk=replace(RULE.risk, retries=3)))
    assert jobs.path_of(cell, tmp_path) != before


def test_the_first_line_of_a_log_says_what_was_told(reference: tuple[Path, list[dict[str, Any]]]) -> None:
    out, _ = reference
    cell = Cell("digits", "fast", 0, Plan(10, 2))
    first = json.loads(jobs.path_of(cell, out).read_bytes().splitlines()[0])["log"]
    assert first["rule"] == RULE.name
    told = resolve("fast", {}).plain() | {"exact.calibration": shipped().name}
    assert first["inputs"]["settings"] == told
    assert first["inputs"]["plan"]["exposure_size"] == 10


def test_a_log_that_begins_otherwise_is_refused(tmp_path: Path) -> None:
    cell = Cell("digits", "cosine", 0, Plan(10, 2))
    path = jobs.path_of(cell, tmp_path)
    path.parent.mkdir()
    path.write_text('{"data": "digits", "learner": "cosine"}\n', encoding="utf-8")
    with pytest.raises(BadData, match="remove it"):
        run([cell], tmp_path)


def test_logs_of_an_older_version_are_left_alone_and_said_to_be(tmp_path: Path) -> None:
    (tmp_path / "cells").mkdir()
    old = tmp_path / "cells" / "digits-cosine-0-12345678.jsonl"
    old.write_text('{"data": "digits"}\n', encoding="utf-8")
    with pytest.warns(UserWarning, match=r"logs of an older version .* Remove cells/"):
        run([], tmp_path)
    assert old.read_text(encoding="utf-8") == '{"data": "digits"}\n'


def test_a_learner_and_a_data_set_of_ones_own_are_one_short_file_each(tmp_path: Path) -> None:
    for folder, name, text in (("data", "tones", TOY_DATA), ("learners", "mean_grey", TOY_LEARNER)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / f"{name}.py").write_text(text)
        assert len(text.splitlines()) < 60
    here = {"ILAP_PATH": str(tmp_path), "COLUMNS": "200"}
    listed = bench("--help", **here).stdout
    assert "tones" in listed
    assert "mean_grey" in listed
    words = [
        "--data",
        "tones",
        "--learner",
        "mean_grey",
        "--exposure-size",
        "8",
        "--repeats",
        "4",
        "--seeds",
        "1",
    ]
    (row,) = rows(bench(*words, "--json", "--out", str(tmp_path / "out"), **here))
    assert row["decisions_right"] == row["exposures"] == 32
    assert row["accuracy"] == 1.0


def test_clips_of_a_folder_are_sorted_whole_and_nothing_is_tested(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    for thing in range(3):
        for clip in range(2 if thing else 1):
            folder = tmp_path / "bursts" / f"thing {thing}" / f"clip {clip}"
            folder.mkdir(parents=True)
            for frame in range(6):
                grey = (80 * thing + rng.integers(0, 12, (6, 6))).astype(np.uint8)
                Image.fromarray(grey).save(folder / f"{frame}.png")
    plug = tmp_path / "plug"
    (plug / "learners").mkdir(parents=True)
    (plug / "learners" / "mean_grey.py").write_text(TOY_LEARNER)
    words = ["--data", str(tmp_path / "bursts"), "--draw", "clips", "--learner", "mean_grey", "--seeds", "2"]
    out = tmp_path / "out"
    found = rows(bench(*words, "--json", "--out", str(out), ILAP_PATH=str(plug)))
    assert [(row["exposures"], row["decisions_right"], row["accuracy"]) for row in found] == [(5, 5, None)] * 2
    assert "| - |" in (out / "table.md").read_text()
    logged = [json.loads(line) for path in (out / "logs").glob("*.jsonl") for line in path.open()]
    assert [len(line["pictures"]) for line in logged if "pictures" in line] == [6] * 10


@pytest.mark.parametrize(
    ("words", "advice"),
    [
        (["--data", "nothing"], "There is no data set 'nothing': take one of"),
        (["--data", "digits", "--learner", "nobody"], "There is no learner 'nobody': take one of fast"),
        (["--data", "digits", "--repeats", "many"], "write 5, or 2-8"),
        (["--data", "digits", "--exposure-size", "1-2-3"], "write 20, or 1-50"),
        (["--data", "digits", "--draw", "lots"], "take one of disjoint, replacement, contiguous, clips"),
        (["--data", "digits", "--draw", "clips"], "has no clips to draw"),
        (["--data", "digits", "--exposure-size", "500"], "take smaller or fewer exposures"),
        (["--data", "svhn"], "train_32x32.mat"),
        (["--data", "digits", "--set", "theta=2"], "theta is 2"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(
    words: list[str], advice: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ILAP_DATA", str(tmp_path))
    finished = ilap("bench", *words, "--out", str(tmp_path))
    assert finished.returncode != 0
    assert advice in finished.stderr
    assert "Traceback" not in finished.stderr


def test_an_error_in_a_process_comes_back_and_the_rest_is_kept(tmp_path: Path) -> None:
    """A learner that fails half-way: its sentence is told, and what was done before can be gone on from."""
    good = run([Cell("digits", "cosine", 0, Plan(10, 2))], tmp_path)
    (tmp_path / "plug" / "learners").mkdir(parents=True)
    text = TOY_LEARNER.replace("self.seen += 1", "raise ValueError('no light')")
    (tmp_path / "plug" / "learners" / "dark.py").write_text(text)
    failed = bench(*SMALL, "--learner", "cosine,dark", "--out", str(tmp_path), ILAP_PATH=str(tmp_path / "plug"))
    assert failed.returncode != 0
    assert "no light" in failed.stderr
    assert "Traceback" not in failed.stderr
    assert run([Cell("digits", "cosine", 0, Plan(10, 2))], tmp_path) == good
