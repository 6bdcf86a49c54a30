"""A learner in a file that has learned real picture files: some decided by it, some by a person, one unsure."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image

from ilap import Exposure, Learner
from ilap.checks.digits import Pixels
from ilap.core.exposure import Origin, Picture
from ilap.data.contract import Dataset
from ilap.keep.store.file import LearnerFile

ENDINGS = (".png", " and, a comma.png")
FOX = '狐/"Füchse"\nB'
"""A name with another script, quotes, a path's separator and a line end."""
BURST = "burst one" if os.name == "nt" else "burst\none"  # where a file may be called so


@dataclass(frozen=True)
class Kept:
    """The learner's file, the folder of its pictures, and what became of the exposures, by their names."""

    file: Path
    source: Path
    exposures: dict[str, int]
    fox: int

    def copied(self, folder: Path) -> Kept:
        """The same elsewhere, pictures and all: learning takes longer than copying."""
        old = self.file.parent
        shutil.copytree(old, folder, dirs_exist_ok=True)
        kept = Kept(folder / self.file.name, folder / self.source.name, self.exposures, self.fox)
        rewrite(
            kept.file,
            "UPDATE pictures SET path = replace(path, ?, ?)",
            "UPDATE exposures SET folder = replace(folder, ?, ?)",
            values=(f"{old}", f"{folder}"),
        )
        return kept

    def checksums(self) -> dict[str, str]:
        """The content of every picture."""
        files = sorted(path for path in self.source.rglob("*") if path.is_file())
        return {str(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def rewrite(file: Path, *statements: str, values: Sequence[object] = ()) -> None:
    """Change a learner's file as ilap would, checksums and all."""
    with LearnerFile(file) as opened, opened.transaction() as connection:
        for statement in statements:
            connection.execute(statement, values)


def exposure_of(pictures: Sequence[Picture], folder: Path, taken: str | None) -> Exposure:
    """Pictures as files of a folder."""
    folder.mkdir(parents=True)
    files = []
    for number, picture in enumerate(pictures):
        path = folder / f"{number:02}{ENDINGS[number % 2]}"
        Image.fromarray(picture).save(path)
        content = path.read_bytes()
        when = taken and f"{taken}:{number:02}"
        height, width = picture.shape[:2]
        sha256 = hashlib.sha256(content).hexdigest()
        modified = path.stat().st_mtime_ns
        files.append(Origin(str(path), sha256, len(content), modified, when, width, height))
    return Exposure(pictures, ordered=True, name=folder.name, files=files, folder=str(folder))


def learned(folder: Path, digits: Dataset) -> Kept:
    """Three digits, two exposures each, which are learned; one picture, which stays unsure; one that a person
    discards, and one that never was a file."""
    rng = np.random.default_rng(0)
    rows = {label: rng.permutation(np.flatnonzero(digits.train.labels == label)) for label in range(5)}

    def pictures(label: int, first: int, count: int) -> list[Picture]:
        return [digits.train.pictures[i] for i in rows[label][first : first + count]]

    source, file = folder / "my pictures", folder / "animals.ilap"
    numbers: dict[str, int] = {}
    with Learner.open(file, backbone=Pixels(), risk=0.95, caution=0) as learner:
        for label in range(3):
            for part in range(2):
                name = BURST if (label, part) == (0, 0) else f"burst {label}{part}"
                taken = "2024-05-01T10:00" if label == 0 else None
                exposure = exposure_of(pictures(label, 30 * part, 30), source / f"cam{part}" / name, taken)
                numbers[name] = learner.observe(exposure).exposure
    with Learner.open(file, backbone=Pixels(), risk=1e-6) as learner:
        single = exposure_of(pictures(4, 0, 1), source / "cam0" / "single", None)
        decision = learner.observe(single)
        assert decision.kind == "unsure"
        numbers["single"] = decision.exposure
        useless = exposure_of(pictures(3, 0, 5), source / "cam0" / "useless", None)
        numbers["useless"] = learner.observe(useless).exposure
        learner.discard([numbers["useless"]])
        numbers["array"] = learner.teach(Exposure(pictures(3, 5, 20), name="array")).exposure
        fox = learner.place_of(numbers[BURST])
        learner.rename(fox, FOX)
        learner.move(numbers["burst 01"], fox)
    return Kept(file, source, numbers, fox)
