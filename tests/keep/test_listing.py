"""``ilap list``, and where else exposures are told by their names and by how sure they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from commands import ilap
from digit_folders import burst, bursts, printed, told
from ilap.data.contract import Dataset


@pytest.fixture(scope="module")
def learner(tmp_path_factory: pytest.TempPathFactory, digits: Dataset) -> Path:
    """Six bursts of three digits that ilap sorted; one that a person moved, one that is tentative and one that
    a person discarded."""
    root = tmp_path_factory.mktemp("listed")
    path, source = root / "a.ilap", bursts(root / "pictures" / "cam 1", digits, (3, 1, 3, 4, 1, 4))
    told("learn", path, source.parent, "--risk", "0.5", "--set", "caution=0")
    for number, label in enumerate((8, 2)):
        burst(root / "pictures" / "cam 2" / f"lone {number}", digits, label, 0, 1)
    told("learn", path, source.parent, "--risk", "0.0001")
    told("rename", path, "0", "three")
    told("move", path, "cam 1/burst 2", "three")
    told("discard", path, "cam 2/lone 1")
    return path


def test_every_exposure_has_its_class_certainty_error_pictures_and_folder(learner: Path) -> None:
    rows = told("list", learner)
    assert [row["exposure"] for row in rows] == list(range(8))
    first, moved, waits, gone = rows[0], rows[2], rows[6], rows[7]
    assert (first["name"], first["pictures"], first["class_name"]) == ("cam 1/burst 0", 20, "three")
    assert (first["certainty"], first["decided_by"]) == ("sure", "ilap")
    assert first["folder"] == str(learner.parent / "pictures" / "cam 1" / "burst 0")
    assert rows[4]["error"] == pytest.approx(told("show", learner)["exposures"][4]["error"])
    assert (moved["class_name"], moved["decided_by"], moved["error"]) == ("three", "person", None)
    assert (waits["certainty"], waits["decided_by"]) == ("tentative", "ilap")
    assert 0 < waits["error"] < 1
    assert (gone["certainty"], gone["class_id"], gone["error"]) == ("discarded", None, None)
    shown = printed("list", learner).splitlines()
    assert len(shown) == 1 + 8 + 2
    assert "cam 1/burst 0" in shown[1]
    assert shown[-1] == "8 exposures"


def test_filters_take_what_fits_and_can_be_combined(learner: Path) -> None:
    def numbers(*options: object) -> list[int]:
        return [row["exposure"] for row in told("list", learner, *options)]

    assert numbers("--class", "three") == numbers("--class", "0") == [0, 2]
    assert numbers("--unsure") == [6]
    assert numbers("--by", "person") == [2, 7]
    assert numbers("--folder", "cam 2") == [6, 7]
    assert numbers("--folder", learner.parent / "pictures" / "cam 1") == list(range(6))
    assert numbers("--class", "three", "--by", "ilap") == [0]
    rows = told("list", learner)
    certain = {row["exposure"]: 1 - row["error"] for row in rows if row["error"] is not None}
    assert numbers("--below", "0.9") == [number for number, sure in certain.items() if sure < 0.9]
    assert printed("list", learner, "--below", "0") == "0 exposures\n"
    assert "There is no class 'fox'" in ilap("list", str(learner), "--class", "fox").stderr


def test_the_least_sure_come_first_and_what_a_person_said_comes_last(learner: Path) -> None:
    rows = told("list", learner, "--weakest")
    errors = [row["error"] for row in rows if row["error"] is not None]
    assert errors == sorted(errors, reverse=True)
    assert [row["exposure"] for row in rows[-2:]] == [2, 7]


def test_history_tells_bursts_by_name_and_folder(learner: Path) -> None:
    assert "7 (cam 2/lone 1) to discarded" in printed("history", learner)
    change = told("history", learner)[-1]["changes"][0]
    assert change["name"] == "cam 2/lone 1"
    assert change["folder"] == str(learner.parent / "pictures" / "cam 2" / "lone 1")


def test_review_lists_the_weakest_sure_decisions_with_the_commands_that_settle_them(learner: Path) -> None:
    sure = [
        (-row["error"], row["exposure"])
        for row in told("list", learner)
        if row["certainty"] == "sure" and row["error"] is not None and row["error"] >= 0.001
    ]
    weakest = told("review", learner)["weakest"]
    assert [row["exposure"] for row in weakest] == [number for _, number in sorted(sure)][:5]
    shown = printed("review", learner)
    for row in weakest:
        assert f"{row['class_name']}, {1 - row['error']:.1%} sure" in shown
        assert row["commands"][0].startswith(f"ilap move {learner} {row['exposure']} ")
        assert all(command in shown for command in row["commands"])
