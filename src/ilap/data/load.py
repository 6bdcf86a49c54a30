"""A data set by its name: one of the files here, any folder of pictures, or one of the Hugging Face hub."""

from __future__ import annotations

import os
from pathlib import Path

from ilap.core import registry
from ilap.data.contract import Dataset
from ilap.data.files import roots


def load(name: str) -> Dataset:
    """``folder:PATH``, ``hf:ID``, a path (which has a slash in it), or the name of a file in this folder.

    >>> len(load("digits").names)
    10
    """
    kind, _, rest = name.partition(":")
    if rest and kind == "folder":
        from ilap.data.folder import from_folder

        return from_folder(rest)
    if rest and kind == "hf":
        from ilap.data.huggingface import from_hub

        return from_hub(rest)
    if "/" in name or os.sep in name:
        from ilap.data.folder import from_folder

        return from_folder(place_of(name))
    dataset: Dataset = registry.find("data set", name)()
    return dataset


def place_of(path: str) -> Path:
    """Where a path leads: from here, or else from the data root."""
    places = [Path(path).expanduser(), *(root / path for root in roots())]
    return next((place for place in places if place.is_dir()), places[-1])
