"""COIL-20 as a camera would see it, through real folders: sorted right, and a wrong merge found and mended."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from ilap.cli import app
from ilap.core.errors import MissingFile
from ilap.data import coil20
from ilap.keep.learner import LearnerInFile

VIEWS, SIZE = 72, 18

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def pictures() -> Path:
    try:
        paths = coil20.create().train.pictures.items  # type: ignore[attr-defined]
    except MissingFile as error:
        pytest.skip(str(error))
    folder: Path = paths[0].parent
    return folder


def make(pictures: Path, root: Path, shuffled: bool, seed: int) -> dict[str, int]:
    """Folders of 18 views, four of every object, in random order; the truth by their names."""
    rng = random.Random(seed)
    exposures: list[tuple[int, Sequence[int]]] = []
    for thing in range(1, 21):
        views = list(range(VIEWS))
        if shuffled:
            rng.shuffle(views)
        exposures += [(thing, views[first : first + SIZE]) for first in range(0, VIEWS, SIZE)]
    rng.shuffle(exposures)
    truth = {}
    for number, (thing, views) in enumerate(exposures):
        folder = root / f"burst {number:02}"
        folder.mkdir(parents=True)
        truth[folder.name] = thing
        for place, view in enumerate(views):
            shutil.copy(pictures / f"obj{thing}__{view}.png", folder / f"{place:02}.png")
    return truth


def learn(path: Path, root: Path) -> list[dict[str, Any]]:
    result = CliRunner().invoke(app, ["learn", str(path), str(root), "--json"])
    assert result.exit_code == 0, result.output
    decisions: list[dict[str, Any]] = json.loads(result.stdout)["decisions"]
    return decisions


def at_end(decisions: Sequence[dict[str, Any]], truth: dict[str, int]) -> tuple[float, float]:
    """The share of bursts that were decided, at once or later, and never wrongly: new while no class stood for
    the thing, known where it is the class that was founded by it; and the share of sure answers that was
    wrong."""
    founded: dict[int, int] = {}
    right: list[tuple[str, bool]] = []
    for row in decisions:
        thing = truth[row["name"]]
        if row["decision"] == "new":
            right.append((row["name"], thing not in founded.values()))
            founded[row["class_id"]] = thing
        elif row["decision"] == "known":
            right.append((row["name"], founded[row["class_id"]] == thing))
    wrong = {name for name, good in right if not good}
    return len({name for name, _ in right} - wrong) / len(truth), sum(not good for _, good in right) / len(
        right
    )


@pytest.mark.parametrize(("shuffled", "goal"), [(True, 0.95), (False, 0.60)])
def test_a_turntable_is_sorted(pictures: Path, tmp_path: Path, shuffled: bool, goal: float) -> None:
    truth = make(pictures, tmp_path / "pictures", shuffled, seed=1)
    right, wrong = at_end(learn(tmp_path / "a.ilap", tmp_path / "pictures"), truth)
    assert right >= goal
    assert wrong <= 0.05


def test_a_wrong_merge_of_the_most_similar_is_found_and_split_to_the_digit(
    pictures: Path, tmp_path: Path
) -> None:
    path = tmp_path / "a.ilap"
    truth = make(pictures, tmp_path / "pictures", shuffled=True, seed=2)
    learn(path, tmp_path / "pictures")
    with LearnerInFile(path) as learner:
        means = learner.state.classifier.model.means()  # type: ignore[attr-defined]
        away = ((means[:, None] - means) ** 2).sum(2) + 1e12 * np.eye(len(means))
        a, b = (sorted(learner.classes)[i] for i in np.unravel_index(away.argmin(), away.shape))
        rows = np.stack([learner.store.samples_of(number).rows[0] for number in range(len(truth))])
        before = learner.predict_samples(rows)
        theirs = set(learner.classes[b].exposures)
        learner.merge(a, b)
    page = tmp_path / "report.html"
    assert CliRunner().invoke(app, ["report", str(path), "--out", str(page)]).exit_code == 0
    assert "ilap split" in page.read_text(encoding="utf-8")
    hint = json.loads(CliRunner().invoke(app, ["show", str(path), "--json"]).stdout)["likely_two"]
    assert [row["class_id"] for row in hint] == [a]
    part = next(part for part in hint[0]["parts"] if set(part) == theirs)
    command = ["split", str(path), *map(str, part), "--json"]
    founded = json.loads(CliRunner().invoke(app, command).stdout)["class_id"]
    with LearnerInFile(path, writable=False) as learner:
        after = learner.predict_samples(rows)
    ids = [founded if k == b else k for k in before.classes]
    columns = [after.classes.index(k) for k in ids]
    np.testing.assert_allclose(after.probabilities[:, columns], before.probabilities, atol=1e-9)
