"""Any data set of the Hugging Face hub that has pictures and class labels, by its id.

A part for training and one for testing are taken as they are published; where there is no labelled one for
testing, every fifth picture of each class is.
"""

from __future__ import annotations

import os
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ilap.core.errors import BadData, MissingFile
from ilap.core.exposure import Picture
from ilap.core.extras import needed_for
from ilap.core.files import offline
from ilap.core.pictures import DAMAGE, to_bytes
from ilap.data.contract import Dataset, Labelled
from ilap.data.pictures import Lazy

TEST_EVERY = 5
TESTING = ("test", "validation", "valid", "val")


def from_hub(hub_id: str) -> Dataset:
    """Download it, or take it from the hub's own cache. No code that comes with a data set is run."""
    if offline():
        os.environ["HF_HUB_OFFLINE"] = "1"  # read when the package is imported
    with needed_for(f"hf:{hub_id}"):
        import datasets

    try:
        tables = datasets.load_dataset(hub_id)
    except (OSError, ValueError, RuntimeError) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0].rstrip(".")
        raise MissingFile(
            f"The data set {hub_id} cannot be had from the hub ({reason}): check its id and the network."
        ) from None
    if "train" not in tables:
        raise BadData(f"{hub_id} has no part named train, only {', '.join(tables)}: take another data set.")
    features = tables["train"].features
    picture = pick(hub_id, features, datasets.Image, "pictures")
    label = pick(hub_id, features, datasets.ClassLabel, "class labels")
    names = tuple(features[label].names)
    train = labelled(tables["train"], picture, label)
    if not len(train) or train.labels.min() < 0:
        raise BadData(f"{hub_id} has pictures without a label in {label}: take another data set.")
    for part in TESTING:
        if part in tables and label in tables[part].features:
            test = labelled(tables[part], picture, label)
            if len(test) and test.labels.min() >= 0:
                return Dataset(hub_id, train, test, names)
    held_out = every_fifth(train.labels)
    return Dataset(hub_id, chosen(train, ~held_out), chosen(train, held_out), names)


def pick(hub_id: str, features: Any, kind: type, what: str) -> str:
    """The column of a kind; of several label columns the one with the most classes."""
    columns: list[str] = [name for name, feature in features.items() if isinstance(feature, kind)]
    if not columns:
        raise BadData(f"{hub_id} has no column of {what}, only {', '.join(features)}: take another data set.")
    return max(columns, key=lambda name: len(getattr(features[name], "names", ())))


def labelled(table: Any, picture: str, label: str) -> Labelled:
    """One part; a picture is decoded when it is asked for."""
    return Labelled(
        Lazy(partial(decode, table, picture), range(len(table))), np.asarray(table[label][:], np.int64)
    )


def decode(table: Any, column: str, row: int) -> Picture:
    """The picture in a row."""
    try:
        return to_bytes(table[row][column])
    except (*DAMAGE, AttributeError, TypeError) as error:
        raise BadData(
            f"Row {row} of the data set has no picture that can be read ({error}): take another."
        ) from None


def every_fifth(labels: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which pictures are for testing: each class's first and every fifth after it.

    >>> every_fifth(np.array([0, 0, 1, 0, 0, 0, 0])).nonzero()[0].tolist()
    [0, 2, 6]
    """
    held_out = np.zeros(len(labels), bool)
    for label in np.unique(labels):
        held_out[np.flatnonzero(labels == label)[::TEST_EVERY]] = True
    return held_out


def chosen(part: Labelled, mask: NDArray[np.bool_]) -> Labelled:
    """Some of the pictures."""
    assert isinstance(part.pictures, Lazy)
    return Labelled(Lazy(part.pictures.make, np.flatnonzero(mask).tolist()), part.labels[mask])
