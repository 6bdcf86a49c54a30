from __future__ import annotations

import csv
from pathlib import Path

import pytest

from ilap.core.cells import as_read
from ilap.core.errors import BadOutput, BadSetting, MissingFile, NotALearner
from ilap.export import csv as table
from ilap.export import export
from ilap.keep.store.file import LearnerFile
from pictures_in_file import BURST, FOX, Kept


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_every_picture_has_a_row_whatever_was_decided(kept: Kept, tmp_path: Path) -> None:
    made = export(kept.file, "csv", tmp_path / "out.csv")
    rows = rows_of(tmp_path / "out.csv")
    assert list(rows[0]) == list(table.COLUMNS)
    assert len(rows) == made.pictures == 6 * 30 + 1 + 5 + 20
    files = {row["picture"] for row in rows if row["picture"]}
    assert files == set(kept.checksums())
    decisions = {row["exposure_name"]: row["decision"] for row in rows}
    assert decisions["single"] == "unsure"
    assert decisions["useless"] == "discarded"
    assert decisions[BURST] == "new"


def test_sure_and_tentative_places_are_told_apart(kept: Kept, tmp_path: Path) -> None:
    export(kept.file, "csv", tmp_path / "out.csv")
    by_name = {row["exposure_name"]: row for row in rows_of(tmp_path / "out.csv")}
    single, burst, useless = by_name["single"], by_name[BURST], by_name["useless"]
    assert (burst["certainty"], burst["place_id"], burst["place_name"]) == ("sure", str(kept.fox), FOX)
    assert (single["certainty"], single["class_id"]) == ("tentative", "")
    assert single["place_name"] == f"group {single['place_id']}"
    assert useless["certainty"] == useless["place_id"] == ""


def test_a_row_says_whose_class_it_is_and_who_says_so(kept: Kept, tmp_path: Path) -> None:
    export(kept.file, "csv", tmp_path / "out.csv")
    by_name = {row["exposure_name"]: row for row in rows_of(tmp_path / "out.csv")}
    burst = by_name[BURST]
    assert burst["exposure"] == str(kept.source / "cam0" / BURST)
    assert burst["class_id"] == str(kept.fox)
    assert burst["class_name"] == FOX
    assert burst["decided_by"] == "ilap"
    assert float(burst["score"]) == pytest.approx(0.0)
    assert (burst["width"], burst["height"], burst["included"]) == ("8", "8", "true")
    assert by_name["burst 01"]["decided_by"] == "person"
    assert by_name["array"]["picture"] == ""
    assert by_name["array"]["exposure"] == "array"
    for name in ("single", "useless"):
        assert by_name[name]["class_id"] == by_name[name]["class_name"] == ""


def test_a_row_says_how_likely_ilaps_answer_is_wrong(kept: Kept, tmp_path: Path) -> None:
    export(kept.file, "csv", tmp_path / "out.csv")
    by_name = {row["exposure_name"]: row for row in rows_of(tmp_path / "out.csv")}
    assert 0 <= float(by_name[BURST]["error"]) < 0.1
    assert 0 < float(by_name["single"]["error"]) < 1
    assert by_name["burst 01"]["error"] == by_name["useless"]["error"] == ""  # a person decided


def test_an_export_changes_neither_the_pictures_nor_the_learner(kept: Kept, tmp_path: Path) -> None:
    before, learner = kept.checksums(), kept.file.read_bytes()
    for kind in ("csv", "links", "coco", "label-studio", "camtrap-dp"):
        export(kept.file, kind, tmp_path / f"out {kind}")
    assert kept.checksums() == before
    assert kept.file.read_bytes() == learner


def test_an_earlier_export_is_replaced_and_another_file_only_by_force(kept: Kept, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    export(kept.file, "csv", out)
    export(kept.file, "csv", out)
    out.write_text("my notes")
    with pytest.raises(BadOutput, match="use --force"):
        export(kept.file, "csv", out)
    assert out.read_text() == "my notes"
    export(kept.file, "csv", out, force=True)
    assert len(rows_of(out)) == 206


def test_the_learner_and_its_pictures_are_never_written_over(kept: Kept) -> None:
    before, learner = kept.checksums(), kept.file.read_bytes()
    with pytest.raises(BadOutput, match="the learner itself"):
        export(kept.file, "csv", kept.file, force=True)
    with pytest.raises(BadOutput, match="one of the learner's pictures"):
        export(kept.file, "coco", next(iter(before)), force=True)
    assert kept.checksums() == before
    assert kept.file.read_bytes() == learner


def test_an_interrupted_export_leaves_what_was_there(
    kept: Kept, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "results" / "out.csv"
    export(kept.file, "csv", out)
    before = out.read_bytes()
    seen = 0

    def record(row: object) -> dict[str, object]:
        nonlocal seen
        seen += 1
        if seen > 100:
            raise KeyboardInterrupt
        return dict.fromkeys(table.COLUMNS)

    monkeypatch.setattr(table, "record", record)
    with pytest.raises(KeyboardInterrupt):
        export(kept.file, "csv", out)
    assert [path.name for path in out.parent.iterdir()] == ["out.csv"]
    assert out.read_bytes() == before


def test_what_cannot_be_done_is_said(kept: Kept, tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match="take one of camtrap-dp, coco, csv"):
        export(kept.file, "excel", tmp_path / "out")
    with pytest.raises(BadSetting, match="The export csv has no copy"):
        export(kept.file, "csv", tmp_path / "out", copy=True)
    with pytest.raises(BadOutput, match="is a folder"):
        export(kept.file, "csv", tmp_path)
    with pytest.raises(MissingFile, match="There is no learner"):
        export(tmp_path / "none.ilap", "csv", tmp_path / "out")
    with pytest.raises(NotALearner):
        export(next(iter(kept.checksums())), "csv", tmp_path / "out")
    (tmp_path / "file").touch()
    with pytest.raises(BadOutput, match="cannot be written"):
        export(kept.file, "csv", tmp_path / "file" / "out.csv")


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@SUM(A1)", "'=1", "＝1+1"])
def test_a_name_that_is_a_formula_is_text_in_a_spreadsheet_and_read_back_exactly(
    kept: Kept, tmp_path: Path, name: str
) -> None:
    file = LearnerFile(Path(kept.file))
    with file.transaction() as connection:
        connection.execute("UPDATE classes SET name = ? WHERE id = ?", (name, kept.fox))
        connection.execute("UPDATE exposures SET name = ?, folder = NULL WHERE number = 0", (f"\t{name}",))
    file.close()
    export(kept.file, "csv", tmp_path / "out.csv")
    export(kept.file, "camtrap-dp", tmp_path / "package")
    (row, *_) = (row for row in rows_of(tmp_path / "out.csv") if row["exposure_number"] == "0")
    for column, was in (("class_name", name), ("place_name", name), ("exposure", f"\t{name}")):
        assert row[column] == f"'{was}"
        assert as_read(row[column]) == was
    cells = {cell for own in rows_of(tmp_path / "package" / "observations.csv") for cell in own.values()}
    assert f"'{name}" in cells
    assert name not in cells
    assert float(row["score"]) == pytest.approx(0.0)  # numbers are numbers, also below zero
