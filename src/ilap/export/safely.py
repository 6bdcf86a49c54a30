"""Writing so that nothing is lost: a file appears whole or not at all, and what ilap has not made stays.

Drafts lie beside the place that they are for, so that the last step is a rename (core/files.py).
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from ilap.core.errors import BadOutput
from ilap.core.files import beside, draft_of, named_errors
from ilap.export.contract import Order

ENDS = 1 << 16  # bytes at a file's beginning and at its end in which its mark is looked for


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
    if os.path.realpath(out) in {os.path.realpath(picture) for picture in pictures}:
        raise BadOutput(f"{out} is one of the learner's pictures: name another file to write to.")
