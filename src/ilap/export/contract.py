"""What an export is: a file here whose ``write`` takes an order and says what it wrote; ``export`` asks for it.

A writer reads the learner and never writes to it, nor to a picture. Its file's name is the kind that is asked
for. What it can be told beside a place to write to are the fields of its ``Parameters`` (core/parameters.py).

Nothing is lost: a file appears whole or not at all (``whole``, ``whole_folder``), and what ilap has not made
stays. Drafts lie beside the place that they are for, so that the last step is a rename (core/files.py).
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from ilap.core import registry
from ilap.core.errors import BadOutput, BadSetting
from ilap.core.files import beside, draft_of, named_errors
from ilap.core.frames import file_of
from ilap.core.parameters import NoParameters, component, declared, types_of

ENDS = 1 << 16  # bytes at a file's beginning and at its end in which its mark is looked for


@dataclass(frozen=True)
class Order:
    """What somebody asks for: of which learner, where to, and what else this kind can be told; ``force`` lets a
    file that ilap has not made be replaced."""

    learner: Path
    out: Path
    force: bool = False
    parameters: Any = field(default_factory=NoParameters)


@dataclass(frozen=True)
class Written:
    """What was written. ``left_out`` are pictures that this kind has no place for; ``advice`` is what a person
    has to know or do."""

    kind: str
    path: str
    pictures: int
    classes: int
    left_out: int = 0
    advice: str = ""


class Writer(Protocol):
    """The ``write`` of a file."""

    def __call__(self, order: Order) -> Written:
        """Write what was ordered."""


def kinds() -> list[str]:
    """What there is.

    >>> "label-studio" in kinds()
    True
    """
    return [name.replace("_", "-") for name in registry.names("export")]


def export(
    learner: str | Path, kind: str, out: str | Path, *, force: bool = False, **parameters: Any
) -> Written:
    """Write what a learner's file holds to ``out``. An earlier export of the same kind is replaced, another
    file only where ``force`` is given, the learner and its pictures never. ``parameters`` are those of the
    kind."""
    if registry.plain(kind) not in map(registry.plain, kinds()):
        raise BadSetting(f"There is no export {kind!r}: take one of {', '.join(kinds())}.")
    name = registry.name_of("export", kind)
    known = types_of(declared("export", name))
    for word in parameters:
        if word not in known:
            has = f"it can be told {', '.join(known)}" if known else "it can be told nothing else"
            raise BadSetting(f"The export {kind} has no {word}: leave it out; {has}.")
    write: Writer = registry.find("export", name)
    resolved = component("export", name, parameters).parameters
    return write(Order(Path(learner), place(out), force, resolved))


def place(out: str | Path) -> Path:
    """Where to write: behind a link, what it points to."""
    path = Path(out).expanduser().absolute()
    return path.resolve() if path.is_symlink() else path


@contextmanager
def whole(order: Order, mark: bytes, pictures: Iterable[str] = ()) -> Iterator[Path]:
    """A draft to write to, which becomes the file in the end. ``mark`` tells an earlier export of this kind."""
    out = order.out
    if out.is_dir():
        raise BadOutput(f"{out} is a folder: name a file to write to.")
    if out.exists():
        spare(out, order.learner, pictures)
        if not (out.is_file() and (order.force or made_here(out, mark))):
            raise BadOutput(f"{out} is there and no such export of ilap: name another file, or use --force.")
    with draft_of(out) as draft:
        yield draft


@contextmanager
def whole_folder(order: Order, sign: str, mark: bytes) -> Iterator[Path]:
    """The same for a folder of some files. Those of an earlier export are replaced one by one, the one that
    makes it what it is (``sign``) last; other files in it stay."""
    out = order.out
    if not (is_free(out) or made_here(out / sign, mark) or (order.force and out.is_dir())):
        raise BadOutput(f"{out} is there and no such export of ilap: name a new folder, or use --force.")
    with named_errors(out):
        out.parent.mkdir(parents=True, exist_ok=True)
        draft = beside(out)
        draft.mkdir()
        try:
            yield draft
            settle(draft, out, sign)
        finally:
            shutil.rmtree(draft, ignore_errors=True)


def settle(draft: Path, out: Path, sign: str) -> None:
    """Put a finished folder in its place."""
    if is_free(out):
        if out.exists():
            out.rmdir()
        os.replace(draft, out)
        return
    for file in sorted(draft.iterdir(), key=lambda file: file.name == sign):
        os.replace(file, out / file.name)


def is_free(out: Path) -> bool:
    """Whether a folder can be put here: nothing is, or an empty one."""
    return not os.path.lexists(out) or (out.is_dir() and not any(out.iterdir()))


def made_here(path: Path, mark: bytes) -> bool:
    """Whether a file is an export of ilap: its mark is near one of its ends. An empty file is nobody's."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        head = file.read(ENDS)
        file.seek(max(0, path.stat().st_size - ENDS))
        return not head or mark in head or mark in file.read()


def spare(out: Path, learner: Path, pictures: Iterable[str]) -> None:
    """Never write over the learner or over a picture that it knows."""
    if learner.exists() and out.samefile(learner):
        raise BadOutput(f"{out} is the learner itself: name another file to write to.")
    if os.path.realpath(out) in {os.path.realpath(file_of(picture)) for picture in pictures}:
        raise BadOutput(f"{out} is one of the learner's pictures: name another file to write to.")
