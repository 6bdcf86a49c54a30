"""Data sets and frozen backbones, read or made once a process."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from ilap.backbones.load import Named
from ilap.backbones.stored import Stored
from ilap.core.errors import MissingFile
from ilap.core.parameters import Component
from ilap.core.settings import Settings
from ilap.data.contract import Dataset
from ilap.data.load import load


@lru_cache(maxsize=2)
def dataset(name: str) -> Dataset:
    """A data set, read once a process."""
    return load(name)


def missing(name: str) -> MissingFile | None:
    """Why a data set cannot be had, or nothing."""
    try:
        dataset(name)
    except MissingFile as error:
        return error
    return None


def described(name: str) -> dict[str, Any]:
    """What tells a data set from another of its name: how many pictures it has here."""
    data = dataset(name)
    return {"data": name, "pictures": [len(data.train), len(data.test)]}


def frozen(settings: Settings) -> Stored:
    """The frozen backbone that settings name, its features kept on disk."""
    return stored(settings.backbone)


@lru_cache(maxsize=4)
def stored(chosen: Component) -> Stored:
    """One for all learners of a process."""
    return Stored(Named(chosen).frozen())
