"""Finds detectors, classifiers, backbones, data sets and learners: each is one file, and the file's name is its
name.

A file offers itself by defining ``create``. Nothing is imported before it is asked for. Files of one's own
are found beside the package's where ILAP_PATH names a folder laid out like it (``learners/mine.py``).
"""

from __future__ import annotations

import importlib
import os
import re
from pathlib import Path
from typing import Any

from ilap.errors import BadSetting

FOLDERS = {
    "detector": "detect",
    "classifier": "classify",
    "backbone": "backbones",
    "data set": "data",
    "learner": "learners",
}
OFFER = re.compile(r"^(def create\(|create = )", re.MULTILINE)


def places(kind: str) -> list[Path]:
    """The folders in which files of a kind lie."""
    roots = [Path(__file__).parent, *map(Path, filter(None, os.environ.get("ILAP_PATH", "").split(os.pathsep)))]
    return [folder for root in roots if (folder := root / FOLDERS[kind]).is_dir()]


def names(kind: str) -> list[str]:
    """What there is of a kind.

    >>> names("classifier")
    ['bic', 'confident', 'exact', 'network']
    """
    files = [file for folder in places(kind) for file in folder.glob("*.py")]
    return sorted({file.stem for file in files if OFFER.search(file.read_text(encoding="utf-8"))})


def find(kind: str, name: str) -> Any:
    """What makes the thing of this name: a class or a function. Hyphens and underscores do not count.

    >>> find("data set", "Fashion-MNIST").__module__
    'ilap.data.fashion_mnist'
    """
    known = {plain(known): known for known in names(kind)}
    if plain(name) not in known:
        raise BadSetting(f"There is no {kind} {name!r}: take one of {', '.join(known.values())}.")
    package = importlib.import_module(f"ilap.{FOLDERS[kind]}")
    package.__path__.extend(str(folder) for folder in places(kind) if str(folder) not in package.__path__)
    return importlib.import_module(f"{package.__name__}.{known[plain(name)]}").create


def plain(name: str) -> str:
    """A name as it is compared."""
    return re.sub("[-_]", "", name).lower()
