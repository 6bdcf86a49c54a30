from __future__ import annotations

import json
from pathlib import Path

import pytest

from ilap import Learner
from ilap.checks.digits import Pixels
from ilap.export import export
from pictures_in_file import FOX, Kept

pytestmark = pytest.mark.filterwarnings("ignore:There is no prior")


def test_read_again_every_annotation_is_the_whole_of_a_picture_of_its_class(kept: Kept, tmp_path: Path) -> None:
    made = export(kept.file, "coco", tmp_path / "out.json")
    coco = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    categories = {category["id"]: category["name"] for category in coco["categories"]}
    images = {image["id"]: image for image in coco["images"]}
    assert sorted(categories) == list(range(1, 4 + 1))
    (fox,) = [category for category in coco["categories"] if category["class_id"] == kept.fox]
    assert (fox["id"], fox["name"]) == (1, FOX)
    assert len(images) == made.pictures == 181
    assert len({annotation["id"] for annotation in coco["annotations"]}) == len(coco["annotations"]) == 180
    for annotation in coco["annotations"]:
        image = images[annotation["image_id"]]
        assert annotation["category_id"] in categories
        assert annotation["bbox"] == [0, 0, image["width"], image["height"]] == [0, 0, 8, 8]
        assert annotation["area"] == 64
        assert Path(image["file_name"]).is_file()
    named = {annotation["image_id"] for annotation in coco["annotations"]}
    (unsure,) = [image for number, image in images.items() if number not in named]
    assert unsure["file_name"] == str(kept.source / "cam0" / "single" / "00.png")
    assert not any("useless" in image["file_name"] for image in images.values())
    (tentative,) = coco["tentative_annotations"]
    assert (tentative["image_id"], tentative["certainty"]) == (unsure["id"], "tentative")
    assert [category["id"] for category in coco["tentative_categories"]] == [tentative["category_id"]]
    assert tentative["category_id"] not in categories


def test_strangers_have_no_annotation_and_made_again_it_is_replaced(kept: Kept, tmp_path: Path) -> None:
    export(kept.file, "coco", tmp_path / "out.json")
    with Learner.open(kept.file, backbone=Pixels()) as learner, learner.file.transaction() as connection:
        connection.execute("UPDATE pictures SET included = 0 WHERE exposure = 0 AND place = 3")
    export(kept.file, "coco", tmp_path / "out.json")
    coco = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    assert (len(coco["images"]), len(coco["annotations"])) == (181, 179)
