from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import pytest

from ilap.core.errors import BadOutput
from ilap.export import camtrap_dp, export
from pictures_in_file import BURST, FOX, Kept, rewrite

TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)")
PATH = re.compile(r"^(?=^[^./~])(^((?!\.{2}).)*$).*$")
"""What the standard asks of a time and of a picture's path."""


def table(folder: Path, name: str) -> list[dict[str, str]]:
    with (folder / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_exposures_are_events_and_classes_individuals(kept: Kept, tmp_path: Path) -> None:
    export(kept.file, "camtrap-dp", tmp_path / "package")
    rows = table(tmp_path / "package", "observations")
    events = {row["eventID"]: row for row in rows if row["observationLevel"] == "event"}
    assert set(events) == set(kept.exposures) - {"useless", "array"}
    burst, moved, single = events[BURST], events["burst 01"], events["single"]
    assert (burst["individualID"], burst["observationType"], burst["count"]) == (FOX, "animal", "1")
    assert (burst["eventStart"], burst["eventEnd"]) == ("2024-05-01T10:00:00Z", "2024-05-01T10:00:29Z")
    assert (burst["classificationMethod"], moved["classificationMethod"]) == ("machine", "human")
    assert 0.9 <= float(burst["classificationProbability"]) <= 1
    assert moved["classificationProbability"] == ""
    assert (single["individualID"], single["observationType"]) == ("", "unclassified")
    assert single["observationComments"]
    assert single["observationTags"] == "decision:unsure | certainty:tentative | likeliest:group 3"
    assert burst["observationTags"] == "decision:new | certainty:sure"
    media = [row for row in rows if row["observationLevel"] == "media"]
    assert len(media) == 181
    assert all(row["individualID"] == events[row["eventID"]]["individualID"] for row in media)


def test_the_tables_keep_to_the_standard(kept: Kept, tmp_path: Path) -> None:
    out = tmp_path / "package"
    export(kept.file, "camtrap-dp", out)
    deployments, media, observations = (table(out, name) for name in ("deployments", "media", "observations"))
    places = {row["deploymentID"] for row in deployments}
    pictures = {row["mediaID"] for row in media}
    assert places == {"cam0", "cam1"}
    assert len(pictures) == len(media) == 181
    assert len({row["observationID"] for row in observations}) == len(observations) == 181 + 7
    for row in media:
        assert row["deploymentID"] in places
        assert TIME.fullmatch(row["timestamp"])
        assert PATH.match(row["filePath"])
        assert (row["fileMediatype"], row["filePublic"]) == ("image/png", "false")
    for row in observations:
        assert row["deploymentID"] in places
        assert (row["mediaID"] in pictures) == (row["observationLevel"] == "media")
        assert TIME.fullmatch(row["eventStart"])
        assert row["eventStart"] <= row["eventEnd"]
        assert TIME.fullmatch(row["classificationTimestamp"])
    assert {row["timestampIssues"] for row in deployments} == {"true"}  # nobody knows the time zone


def test_the_package_describes_its_tables(kept: Kept, tmp_path: Path) -> None:
    out = tmp_path / "package"
    made = export(kept.file, "camtrap-dp", out)
    package = json.loads((out / "datapackage.json").read_text(encoding="utf-8"))
    needed = {"resources", "profile", "created", "contributors", "project", "spatial", "temporal", "taxonomic"}
    assert needed <= set(package)
    assert {resource["path"] for resource in package["resources"]} == {
        path.name for path in out.iterdir() if path.suffix == ".csv"
    }
    assert package["temporal"]["start"] == "2024-05-01"
    assert package["project"]["individualAnimals"] is True
    assert "latitude" in made.advice


def test_made_again_only_its_own_files_are_replaced(kept: Kept, tmp_path: Path) -> None:
    out = tmp_path / "package"
    export(kept.file, "camtrap-dp", out)
    (out / "notes.txt").write_text("mine")
    export(kept.file, "camtrap-dp", out)
    assert (out / "notes.txt").read_text() == "mine"
    with pytest.raises(BadOutput, match="name a new folder"):
        export(kept.file, "camtrap-dp", kept.source)


def test_interrupted_nothing_is_left(kept: Kept, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def save(path: Path, columns: str, rows: object) -> None:
        path.write_text(columns)
        if path.name == "media.csv":
            raise KeyboardInterrupt

    monkeypatch.setattr(camtrap_dp, "save", save)
    with pytest.raises(KeyboardInterrupt):
        export(kept.file, "camtrap-dp", tmp_path / "package")
    assert [path.name for path in tmp_path.iterdir() if "animals" not in path.name] == ["my pictures"]


def test_a_folder_that_was_cut_into_exposures_is_one_deployment(kept: Kept, tmp_path: Path) -> None:
    rewrite(kept.file, "UPDATE exposures SET folder = NULL WHERE number IN (0, 1)")
    export(kept.file, "camtrap-dp", tmp_path / "package")
    places = {row["eventID"]: row["deploymentID"] for row in table(tmp_path / "package", "observations")}
    assert (places[BURST], places["burst 01"], places["burst 10"]) == ("burst_one", "burst 01", "cam0")
