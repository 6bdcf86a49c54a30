"""With a stand-in for the package datasets, which has what is used of it; nothing is asked of the hub."""

from __future__ import annotations

import os
import sys
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from PIL import Image

from ilap.core.errors import BadData, MissingExtra, MissingFile
from ilap.data.load import load


class ImageFeature:
    pass


class ClassLabel:
    def __init__(self, names: list[str]) -> None:
        self.names = names


class Table:
    """Rows in which the picture's shade is the row's number."""

    def __init__(self, features: dict[str, Any], labels: dict[str, list[int]]) -> None:
        self.features = features
        self.labels = labels

    def __len__(self) -> int:
        return len(next(iter(self.labels.values())))

    def __getitem__(self, key: int | str) -> Any:
        if isinstance(key, str):
            return self.labels[key]
        return {"image": Image.new("L", (4, 3), key)} | {name: own[key] for name, own in self.labels.items()}


FEATURES = {"image": ImageFeature(), "label": ClassLabel(["cat", "dog"])}


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The data sets on the hub, by id; one that is an error is raised."""
    stored: dict[str, Any] = {}

    def load_dataset(hub_id: str) -> Any:
        if isinstance(stored.get(hub_id), Exception):
            raise stored[hub_id]
        return stored[hub_id]

    module = SimpleNamespace(load_dataset=load_dataset, Image=ImageFeature, ClassLabel=ClassLabel)
    monkeypatch.setitem(sys.modules, "datasets", module)
    return stored


def test_the_parts_are_taken_as_they_are_published(hub: dict[str, Any]) -> None:
    hub["who/pets"] = {
        "train": Table(FEATURES, {"label": [0, 1, 1]}),
        "test": Table(FEATURES, {"label": [1]}),
    }
    dataset = load("hf:who/pets")
    assert (dataset.name, dataset.names) == ("who/pets", ("cat", "dog"))
    assert dataset.train.labels.tolist() == [0, 1, 1]
    assert dataset.train.pictures[2].tolist() == [[2] * 4] * 3
    assert len(dataset.test) == 1


def test_without_a_part_for_testing_every_fifth_of_a_class_is(hub: dict[str, Any]) -> None:
    hub["who/pets"] = {"train": Table(FEATURES, {"label": [0, 1] * 6})}
    dataset = load("hf:who/pets")
    assert [int(picture[0, 0]) for picture in dataset.test.pictures] == [0, 1, 10, 11]
    assert [int(picture[0, 0]) for picture in dataset.train.pictures] == [2, 3, 4, 5, 6, 7, 8, 9]
    assert np.bincount(dataset.train.labels).tolist() == [4, 4]


def test_a_part_whose_labels_are_kept_secret_is_passed_over(hub: dict[str, Any]) -> None:
    hub["who/pets"] = {
        "train": Table(FEATURES, {"label": [0, 1]}),
        "test": Table(FEATURES, {"label": [-1, -1]}),
        "validation": Table(FEATURES, {"label": [1, 0, 1]}),
    }
    assert load("hf:who/pets").test.labels.tolist() == [1, 0, 1]


def test_of_two_labels_the_finer_one_counts(hub: dict[str, Any]) -> None:
    features = {"coarse": ClassLabel(["pet"]), "fine": ClassLabel(["cat", "dog"]), "image": ImageFeature()}
    table = Table(features, {"coarse": [0, 0], "fine": [0, 1]})
    hub["who/pets"] = {"train": table, "test": table}
    assert load("hf:who/pets").names == ("cat", "dog")


@pytest.mark.parametrize(
    ("features", "labels", "complaint"),
    [
        ({"image": ImageFeature(), "text": None}, {"text": [0]}, "no column of class labels, only image, text"),
        ({"label": ClassLabel(["a"])}, {"label": [0]}, "no column of pictures"),
        (FEATURES, {"label": [0, -1]}, "pictures without a label"),
        (FEATURES, {"label": []}, "pictures without a label"),
    ],
)
def test_what_cannot_be_learned_from_is_refused(
    hub: dict[str, Any], features: dict[str, Any], labels: dict[str, list[int]], complaint: str
) -> None:
    hub["who/pets"] = {"train": Table(features, labels)}
    with pytest.raises(BadData, match=complaint):
        load("hf:who/pets")


def test_without_a_part_for_training_the_error_says_what_there_is(hub: dict[str, Any]) -> None:
    hub["who/pets"] = {"all": Table(FEATURES, {"label": [0]})}
    with pytest.raises(BadData, match="no part named train, only all"):
        load("hf:who/pets")


@pytest.mark.parametrize(
    "error", [ConnectionError("no route\nto it"), FileNotFoundError("no such"), ValueError("")]
)
def test_a_hub_that_cannot_be_reached_gives_one_sentence(hub: dict[str, Any], error: Exception) -> None:
    hub["who/pets"] = error
    with pytest.raises(MissingFile, match=r"who/pets cannot be had from the hub .*check its id") as caught:
        load("hf:who/pets")
    assert len(str(caught.value).splitlines()) == 1


def test_offline_the_hub_is_not_asked(hub: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HF_HUB_OFFLINE")
    hub["who/pets"] = ConnectionError("offline")
    with pytest.raises(MissingFile):
        load("hf:who/pets")
    assert os.environ["HF_HUB_OFFLINE"] == "1"


def test_without_the_package_the_error_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "datasets", None)
    with pytest.raises(MissingExtra, match=r"pip install 'ilap\[datasets\]'"):
        load("hf:who/pets")
