"""What a person sees of tentative places on the command line, and says of them."""

from __future__ import annotations

import csv
import io
import json
import shutil
import sqlite3
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from commands import ilap
from ilap.data.contract import Dataset
from pictures_in_file import rewrite

LABELS = (3, 1, 4, 6, 0, 6, 0, 6)


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory, digits: Dataset) -> Path:
    """Three things of thirty pictures each, then bursts of three pictures of others, at a risk that leaves
    these tentative."""
    root = tmp_path_factory.mktemp("tentative")
    for number, label in enumerate(LABELS):
        count = 30 if number < 3 else 3
        rows = np.flatnonzero(digits.train.labels == label)[15 * number :][:count]
        folder = root / "pictures" / f"burst {number}"
        folder.mkdir(parents=True)
        for place, row in enumerate(rows):
            Image.fromarray(digits.train.pictures[int(row)]).save(folder / f"{place:02}.png")
    done = ilap("learn", str(root / "a.ilap"), str(root / "pictures"), "--risk", "0.001")
    assert done.returncode == 0, done.stderr
    *_, said, asked = done.stdout.splitlines()
    assert "tentative: " in said
    assert asked == f"answer these questions next: ilap ask {root / 'a.ilap'}"
    return root / "a.ilap"


@pytest.fixture
def learner(learned: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(learned, tmp_path / "a.ilap"))


def told(*words: str) -> Any:
    done = ilap(*words, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_show_tells_sure_and_tentative_apart_and_what_kind_of_stream_it_is(learner: Path) -> None:
    shown, printed = told("show", str(learner)), ilap("show", str(learner)).stdout
    sure = [row for row in shown["exposures"] if row["certainty"] == "sure"]
    tentative = [row for row in shown["exposures"] if row["certainty"] == "tentative"]
    assert len(sure) + len(tentative) == len(LABELS)
    assert all(row["class_id"] == row["place"] for row in sure)
    assert all(row["class_id"] is None and row["place"] is not None for row in tentative)
    assert shown["groups"]
    assert "tentative group" in printed
    assert shown["said"] in printed
    assert shown["understood"] in printed
    assert f"{len(sure)} of {len(LABELS)} exposures are decided" in shown["understood"]


def test_review_lists_groups_with_the_command_that_confirms_them(learner: Path) -> None:
    for group in told("review", str(learner))["groups"]:
        assert group["command"] == f"ilap confirm {learner} {group['group_id']}"
    printed = ilap("review", str(learner)).stdout
    assert printed.count("tentative: ") == len(told("show", str(learner))["unsure"])


def test_a_group_is_renamed_and_confirmed_and_undone(learner: Path) -> None:
    group = told("show", str(learner))["groups"][0]
    done = ilap("rename", str(learner), f"group {group['group_id']}", "heron")
    assert done.stdout.startswith(f"tentative group {group['group_id']} is called heron")
    before = told("show", str(learner))
    assert told("confirm", str(learner), "heron")["class_id"] == group["group_id"]
    (heron,) = [row for row in told("show", str(learner))["classes"] if row["name"] == "heron"]
    assert (heron["class_id"], heron["exposures"]) == (group["group_id"], group["exposures"])
    assert heron["confirmed"] == group["exposures"]
    assert ilap("undo", str(learner)).returncode == 0
    after = told("show", str(learner))
    assert (after["groups"], after["classes"]) == (before["groups"], before["classes"])
    assert ilap("check", str(learner)).returncode == 0
    missing = ilap("confirm", str(learner), "99")
    assert (missing.returncode, missing.stderr.count("\n")) == (1, 1)


def test_regroup_changes_nothing_where_learn_has_just_done_it(learner: Path) -> None:
    events = len(told("history", str(learner)))
    done = told("regroup", str(learner))
    assert (done["moved"], done["event"], done["redecided"]) == ([], None, None)
    assert done["tentative"] == len(told("show", str(learner))["unsure"])
    assert isinstance(done["proposed"], int)
    assert len(told("history", str(learner))) == events
    assert "tentative places changed" in ilap("regroup", str(learner)).stdout


def test_pictures_are_named_as_a_tentative_group_and_it_says_so(learner: Path) -> None:
    group = told("show", str(learner))["groups"][0]
    with sqlite3.connect(learner) as connection:
        asked = "SELECT path FROM pictures WHERE exposure = ?"
        paths = [path for (path,) in connection.execute(asked, (group["exposures"][0],))]
    rows = list(csv.DictReader(io.StringIO(ilap("identify", str(learner), *paths, "--csv").stdout)))
    named = [row for row in rows if row["class_id"] == str(group["group_id"])]
    assert named
    assert {row["certainty"] for row in named} == {"tentative"}
    assert f"{group['name']} (tentative)" in ilap("identify", str(learner), *paths).stdout


def test_a_file_of_an_earlier_rule_is_decided_anew_and_that_is_said_once(learner: Path) -> None:
    earlier = json.dumps([["1-72269880", 0]])
    rewrite(learner, "UPDATE meta SET value = ? WHERE key = 'rules'", values=(earlier,))
    sure = sum(len(row["exposures"]) for row in told("show", str(learner))["classes"])
    pictures = learner.parent / "none"
    pictures.mkdir()
    done = ilap("learn", str(learner), str(pictures))
    assert f"so {sure} of ilap's decisions were made tentative and decided again" in done.stderr
    assert told("history", str(learner))[-1]["kind"] == "anew"
    assert "decided again" not in ilap("learn", str(learner), str(pictures)).stderr
    assert ilap("check", str(learner)).returncode == 0
