from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlparse
from xml.etree import ElementTree

import pytest

from ilap.core.errors import BadOutput
from ilap.export import export
from pictures_in_file import BURST, FOX, Kept


def tasks_of(path: Path) -> dict[str, dict[str, Any]]:
    """The first task of every exposure."""
    tasks = json.loads(path.read_text(encoding="utf-8"))
    return {Path(task["data"]["exposure"]).name: task for task in reversed(tasks)}


def choices(results: list[dict[str, Any]]) -> list[str]:
    ((result,),) = [one["result"] for one in results]
    assert (result["from_name"], result["to_name"], result["type"]) == ("identity", "image", "choices")
    named: list[str] = result["value"]["choices"]
    return named


def test_ilaps_word_is_a_prediction_a_persons_an_annotation_and_what_is_tentative_says_so(
    kept: Kept, tmp_path: Path
) -> None:
    made = export(kept.file, "label-studio", tmp_path / "out.json")
    assert made.pictures == 181
    tasks = tasks_of(tmp_path / "out.json")
    burst, moved, single = tasks[BURST], tasks["burst 01"], tasks["single"]
    assert choices(burst["predictions"]) == [FOX]
    assert 0.9 <= burst["predictions"][0]["score"] <= 1
    assert burst["annotations"] == []
    assert choices(moved["annotations"]) == [FOX]
    assert moved["predictions"] == []
    assert single["annotations"] == []
    assert single["data"]["certainty"] == "tentative"
    assert choices(single["predictions"]) == ["group 3"]
    assert single["predictions"][0]["model_version"].endswith("tentative")
    assert "useless" not in tasks


def test_pictures_are_addresses_of_their_files_or_of_where_they_are_served(kept: Kept, tmp_path: Path) -> None:
    picture = kept.source / "cam0" / BURST / "00.png"
    export(kept.file, "label-studio", tmp_path / "out.json")
    task = tasks_of(tmp_path / "out.json")[BURST]
    assert task["data"]["picture"] == str(picture)
    assert unquote(urlparse(task["data"]["image"]).path) == str(picture)
    export(kept.file, "label-studio", tmp_path / "out.json", url="/data/local-files/?d=")
    served = tasks_of(tmp_path / "out.json")[BURST]["data"]["image"]
    assert unquote(served) == f"/data/local-files/?d={str(picture)[1:]}"


def test_beside_the_tasks_lies_a_labelling_configuration_with_every_choice(kept: Kept, tmp_path: Path) -> None:
    made = export(kept.file, "label-studio", tmp_path / "out.json")
    text = (tmp_path / "out.xml").read_text(encoding="utf-8")
    view = ElementTree.fromstring(text)
    assert str(tmp_path / "out.xml") in made.advice
    image, labels = view
    assert (image.tag, image.attrib) == ("Image", {"name": "image", "value": "$image"})
    assert (labels.tag, labels.get("name"), labels.get("toName")) == ("Choices", "identity", "image")
    offered = {choice.get("value") for choice in labels}
    tasks = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    told = [task["annotations"] or task["predictions"] for task in tasks]
    used = {name for own in told if own for name in choices(own)}
    assert FOX in used
    assert used <= offered
    export(kept.file, "label-studio", tmp_path / "out.json")
    (tmp_path / "out.xml").write_text("mine")
    with pytest.raises(BadOutput, match="no such export of ilap"):
        export(kept.file, "label-studio", tmp_path / "out.json")
