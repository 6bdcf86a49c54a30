from __future__ import annotations

import csv
from pathlib import Path

import pytest

from ilap.core.errors import BadOutput
from ilap.paper import style
from ilap.paper.figures import early
from ilap.paper.scales import TABLES
from ilap.paper.table1_scales import TABLE1


@pytest.mark.parametrize("learners", [*(scale.learners for scale in TABLES.values()), early.METHODS])
def test_every_learner_of_a_figure_has_a_look_of_its_own(learners: tuple[str, ...]) -> None:
    looks = [style.LOOKS[name] for name in learners]
    assert len({(look.colour, look.line) for look in looks}) == len(looks)


def test_what_is_told_the_labels_is_dashed_or_dotted_and_says_so() -> None:
    told = {name for name, look in style.LOOKS.items() if look.line in ("--", ":") and "labels" in look.label}
    assert told == {"bic", "replay", "oracle", "joint"}


def test_every_detector_of_table_1_has_a_look_of_its_own() -> None:
    rows = {row for scale in TABLE1.values() for c in scale.columns for model in c.models for row in model.rows}
    looks = [style.LOOKS[name] for name in rows]
    assert len({(look.colour, look.line) for look in looks}) == len(looks)


def test_a_learner_and_its_detector_share_a_colour() -> None:
    for learner, detector in (("paper", "confusion"), ("paper-noci", "confusion-noci"), ("iolfcv", "distance")):
        assert style.look(learner).colour == style.look(detector).colour


def test_the_same_figure_gives_the_same_files(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        figure = style.figure(3, 2)
        style.plain(figure.subplots(), "across", "up", "title").plot([1, 2], [1, 2])
        files = style.save(figure, ("x", "y"), [(1, 1), (2, 2)], tmp_path / folder / "line")
    assert [file.suffix for file in files] == [".png", ".svg", ".csv"]
    for file in files:
        assert file.read_bytes() == (tmp_path / "a" / file.name).read_bytes()
    with files[2].open(encoding="utf-8") as file:
        assert list(csv.reader(file)) == [["x", "y"], ["1", "1"], ["2", "2"]]


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(BadOutput, match="cannot be written"):
        style.save(style.figure(1, 1), (), [], tmp_path / "file" / "figure")
