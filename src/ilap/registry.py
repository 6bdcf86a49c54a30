"""Finds detectors, classifiers, backbones and data sets: each is one file, and the file's name is its name.

A file offers itself by defining ``create``. Nothing is imported before it is asked for.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from pathlib import Path
from typing import Any

from ilap.errors import BadSetting

FOLDERS = {"detector": "detect", "classifier": "classify", "backbone": "backbones", "data set": "data"}
OFFER = re.compile(r"^(def create\(|create = )", re.MULTILINE)


def names(kind: str) -> list[str]:
    """What there is of a kind.

    >>> names("classifier")
    ['exact', 'network']
    """
    folder = Path(__file__).parent / FOLDERS[kind]
    files = [folder / f"{module.name}.py" for module in pkgutil.iter_modules([str(folder)])]
    return sorted(file.stem for file in files if OFFER.search(file.read_text(encoding="utf-8")))


def find(kind: str, name: str) -> Any:
    """What makes the thing of this name: a class or a function."""
    if name not in names(kind):
        raise BadSetting(f"There is no {kind} {name!r}: take one of {', '.join(names(kind))}.")
    return importlib.import_module(f"ilap.{FOLDERS[kind]}.{name}").create
