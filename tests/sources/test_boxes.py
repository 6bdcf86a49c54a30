"""MegaDetector's boxes: the animal is looked at and not the forest, also later."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
import pytest
from PIL import Image

from commands import ilap
from digit_folders import printed, told
from ilap.core.crop import Box
from ilap.core.errors import BadData, MissingFile
from ilap.core.exposure import Picture
from ilap.data.contract import Dataset
from ilap.sources.boxes import Boxes, cropped, read_boxes
from ilap.sources.bursts import Burst, by_folder
from ilap.sources.read import read

LEFT, RIGHT = [0.0625, 0.25, 0.25, 0.5], [0.625, 0.25, 0.25, 0.5]
"""Where animals are in a scene, as the detector says it: 16 x 16 pixels of 64 x 32."""


Animal = tuple[Sequence[float], Picture]


def scene(path: Path, *animals: Animal) -> None:
    """A picture of a noisy forest with digits in it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    forest = np.random.default_rng(crc32(path.name.encode())).integers(0, 255, (32, 64), np.uint8)
    for (x, y, _, _), digit in animals:
        top, left = round(y * 32), round(x * 64)
        forest[top : top + 16, left : left + 16] = np.kron(digit, np.ones((2, 2), np.uint8))
    Image.fromarray(forest).save(path)


def detections(*boxes: Sequence[float], conf: float = 0.9, category: str = "1") -> list[dict[str, Any]]:
    return [{"category": category, "conf": conf, "bbox": list(box)} for box in boxes]


@pytest.fixture(scope="module")
def forest(tmp_path_factory: pytest.TempPathFactory, digits: Dataset) -> Path:
    """Bursts of one animal, of two that stay where they are, and of two that are seen now and then; frames
    without animals, with a person, with an animal that nobody is sure of, and one that was not looked at."""
    root = tmp_path_factory.mktemp("forest")
    ones, threes = (
        [digits.train.pictures[i] for i in np.flatnonzero(digits.train.labels == label)] for label in (1, 3)
    )
    images = []

    def frame(name: str, animals: list[Animal], found: list[dict[str, Any]] | None) -> None:
        scene(root / "pictures" / name, *animals)
        told = {"failure": "it could not be read"} if found is None else {"detections": found}
        images.append({"file": name, **told})

    for n in range(8):
        frame(f"alone/{n}.png", [(LEFT, threes[n])], detections(LEFT))
        both = detections(RIGHT, LEFT) if n % 2 else detections(LEFT, RIGHT)
        frame(f"two/{n}.png", [(LEFT, threes[n + 8]), (RIGHT, ones[n])], both)
        some = detections(LEFT) if n % 2 else detections(LEFT, RIGHT)
        frame(f"unclear/{n}.png", [(LEFT, threes[n + 16])], some)
    frame("alone/8.png", [], [])
    frame("alone/9.png", [], detections(LEFT, conf=0.1))
    frame("alone/10.png", [], detections(LEFT, category="2"))
    frame("alone/11.png", [], None)
    made = {
        "images": images,
        "detection_categories": {"1": "animal", "2": "person", "3": "vehicle"},
        "info": {},
    }
    (root / "md.json").write_text(json.dumps(made))
    return root


def test_a_frame_with_two_animals_is_two_crops_and_empty_frames_are_left_out_and_counted(forest: Path) -> None:
    found = cropped(by_folder(forest / "pictures", print), read_boxes(forest / "md.json"))
    assert {burst.name: len(burst.paths) for burst in found.bursts} == {
        "alone": 8,
        "two, animal 1": 8,
        "two, animal 2": 8,
    }
    assert (found.empty, found.unseen, found.unclear, found.unclear_bursts) == (3, 1, 8, ("unclear",))
    left, right = found.bursts[1:]
    assert all(path.name.endswith(Box(*LEFT).fragment) for path in left.paths)
    assert all(path.name.endswith(Box(*RIGHT).fragment) for path in right.paths)
    more = cropped(by_folder(forest / "pictures", print), read_boxes(forest / "md.json", 0.05))
    assert (more.empty, len(more.bursts[0].paths)) == (2, 9)


def test_the_picture_that_is_read_is_the_animal(forest: Path, digits: Dataset) -> None:
    found = cropped(by_folder(forest / "pictures", print), read_boxes(forest / "md.json"))
    picture, origin = read(found.bursts[0].paths[0])
    three = digits.train.pictures[int(np.flatnonzero(digits.train.labels == 3)[0])]
    assert picture is not None
    assert np.array_equal(picture, np.kron(three, np.ones((2, 2), np.uint8)))
    assert (origin.width, origin.height) == (64, 32)
    assert origin.path.endswith("0.png#xywh=percent:6.25,25,25,50")


def test_where_boxes_cross_or_leap_nobody_says_which_is_whose() -> None:
    near = Box(0.1, 0.25, 0.25, 0.5)
    files = {f"{n}.png": boxes for n, boxes in enumerate([(Box(*LEFT), Box(*RIGHT)), (Box(*LEFT), near)])}
    burst = Burst("b", None, (Path("/x/0.png"), Path("/x/1.png")), ordered=True)
    found = cropped([burst], Boxes(files))
    assert (found.bursts, found.unclear) == ([], 2)


def test_crops_are_learned_remembered_and_looked_at_again(forest: Path, tmp_path: Path) -> None:
    learner, boxes = tmp_path / "a.ilap", forest / "md.json"
    done = ilap("learn", str(learner), str(forest / "pictures"), "--boxes", str(boxes), "--json")
    assert done.returncode == 0
    assert "left out: 3 pictures without an animal" in done.stderr
    assert "left out: 8 pictures of 1 burst with several animals" in done.stderr
    report = json.loads(done.stdout)
    assert (report["pictures"], len([row for row in report["decisions"] if not row["settled"]])) == (24, 3)
    again = ("learn", learner, forest / "pictures", "--boxes", boxes)
    assert (told(*again)["pictures"], told(*again)["known"]) == (0, 24)
    whole = told("learn", learner, forest / "pictures")  # pictures of which parts are known are not new
    assert {row["name"] for row in whole["decisions"] if not row["settled"]} == {"alone", "unclear"}
    assert whole["pictures"] == 12
    assert "whole" in printed("check", learner)


def test_identify_and_exports_know_the_part_that_was_looked_at(forest: Path, tmp_path: Path) -> None:
    learner, picture = tmp_path / "a.ilap", forest / "pictures" / "two" / "0.png"
    told("learn", learner, forest / "pictures", "--boxes", forest / "md.json")
    lines = ilap("identify", str(learner), str(picture), "--json").stdout.splitlines()
    assert [json.loads(line)["picture"] for line in lines] == [
        f"{picture}{Box(*LEFT).fragment}",
        f"{picture}{Box(*RIGHT).fragment}",
    ]
    assert all("#xywh=percent:" in near for line in lines for near in json.loads(line)["nearest"])
    empty = ilap(
        "identify", str(learner), str(forest / "pictures" / "alone"), "--boxes", str(forest / "md.json")
    )
    assert empty.stderr.count("has no animal in a box") == 4
    told("export", learner, "--to", "coco", "--out", tmp_path / "coco.json")
    coco = json.loads((tmp_path / "coco.json").read_text())
    images = {image["file_name"]: image["id"] for image in coco["images"]}
    assert len(images) == len(coco["images"]) == 16
    boxes = [
        one["bbox"]
        for one in (*coco["annotations"], *coco["tentative_annotations"])
        if one["image_id"] == images[str(picture)]
    ]
    assert sorted(boxes) == [[4, 8, 16, 16], [40, 8, 16, 16]]
    told("export", learner, "--to", "links", "--out", tmp_path / "links")
    assert all(path.exists() for path in (tmp_path / "links").rglob("*.png"))


@pytest.mark.parametrize("text", ["{", "[]", '{"images": 3}', '{"images": [{"detections": []}]}'])
def test_a_file_that_is_no_such_json_is_said(tmp_path: Path, text: str) -> None:
    (tmp_path / "md.json").write_text(text)
    with pytest.raises(BadData, match="is no JSON of MegaDetector"):
        read_boxes(tmp_path / "md.json")
    with pytest.raises(MissingFile, match="There is no file"):
        read_boxes(tmp_path / "none.json")
