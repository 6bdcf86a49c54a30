"""A data set by its name: one of the files here, any folder of pictures, or one of the Hugging Face hub."""

from __future__ import annotations

from ilap.core import registry
from ilap.data.contract import Dataset


def load(name: str) -> Dataset:
    """``folder:PATH``, ``hf:ID``, or the name of a file in this folder.

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
    dataset: Dataset = registry.find("data set", name)()
    return dataset
