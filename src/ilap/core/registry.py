"""Finds detectors, classifiers, backbones, data sets, learners, exports and figures: each is one file, and the
file's name is its name.

A file offers itself by defining the function of its kind (``create``, mostly). It is found in the package; in
the folders that ILAP_PATH names, which are laid out like ``FOLDERS`` (``detect/mine.py``); and in installed
packages that declare an entry point of the group ``ilap.detect`` and so on, whose value is the module. Nothing
is imported before it is asked for.
"""

from __future__ import annotations

import importlib
import os
import re
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import Any

from ilap.core.errors import BadSetting
from ilap.core.extras import needed_for


@dataclass(frozen=True)
class Kind:
    """Where files of a kind lie: packages of ours, and the folder of that kind elsewhere. ``offer`` is what a
    file of the kind defines."""

    packages: tuple[str, ...]
    folder: str
    offer: str = "create"


KINDS = {
    "detector": Kind(("ilap.detect",), "detect"),
    "classifier": Kind(("ilap.exact", "ilap.network"), "classify"),
    "backbone": Kind(("ilap.backbones",), "backbones"),
    "data set": Kind(("ilap.data",), "data"),
    "learner": Kind(("ilap.bench.learners",), "learners"),
    "export": Kind(("ilap.export",), "export", "write"),
    "figure": Kind(("ilap.paper.figures",), "figures", "make"),
}
FOLDERS = {name: kind.folder for name, kind in KINDS.items()}


def names(kind: str) -> list[str]:
    """What there is of a kind.

    >>> names("classifier")
    ['bic', 'confident', 'exact', 'network']
    """
    installed = [entry.name for entry in entries(kind)]
    return sorted({*(file.stem for file, _ in files(kind)), *installed})


def find(kind: str, name: str) -> Any:
    """What makes the thing of this name. Hyphens, underscores and capitals do not count.

    >>> find("data set", "Fashion-MNIST").__module__
    'ilap.data.fashion_mnist'
    """
    return getattr(module(kind, name), KINDS[kind].offer)


def module(kind: str, name: str) -> ModuleType:
    """The file of this name, imported.

    >>> module("backbone", "Lite-0").__name__
    'ilap.backbones.lite0'
    """
    for file, package in files(kind):
        if plain(file.stem) == plain(name):
            home = importlib.import_module(package)
            if str(file.parent) not in home.__path__:
                home.__path__.append(str(file.parent))
            with needed_for(f"The {kind} {file.stem}"):
                return importlib.import_module(f"{package}.{file.stem}")
    for entry in entries(kind):
        if plain(entry.name) == plain(name):
            return importlib.import_module(entry.module)
    raise BadSetting(f"There is no {kind} {name!r}: take one of {', '.join(names(kind))}.")


def name_of(kind: str, name: str) -> str:
    """A name as the file of that name spells it.

    >>> name_of("data set", "Fashion-MNIST")
    'fashion_mnist'
    """
    for known in names(kind):
        if plain(known) == plain(name):
            return known
    raise BadSetting(f"There is no {kind} {name!r}: take one of {', '.join(names(kind))}.")


def files(kind: str) -> tuple[tuple[Path, str], ...]:
    """All files that offer themselves as a kind, and the package that each is imported into."""
    return files_in(kind, os.environ.get("ILAP_PATH", ""))


@cache
def files_in(kind: str, own: str) -> tuple[tuple[Path, str], ...]:
    """The same, with the folders of ILAP_PATH; looked up once a process."""
    known = KINDS[kind]
    root = Path(__file__).parents[1]
    folders = [(root.joinpath(*package.split(".")[1:]), package) for package in known.packages]
    folders += [(Path(path) / known.folder, known.packages[-1]) for path in own.split(os.pathsep) if path]
    offer = re.compile(rf"^(def {known.offer}\(|{known.offer} = )", re.MULTILINE)
    return tuple(
        (file, package)
        for folder, package in folders
        for file in sorted(folder.glob("*.py"))
        if offer.search(file.read_text(encoding="utf-8"))
    )


@cache
def entries(kind: str) -> tuple[EntryPoint, ...]:
    """What installed packages offer; looked up once a process."""
    return tuple(entry_points(group=f"ilap.{KINDS[kind].folder}"))


def plain(name: str) -> str:
    """A name as it is compared.

    >>> plain("ResNet-18")
    'resnet18'
    """
    return re.sub("[-_]", "", name).lower()
