"""One function for all kinds."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import cast

from ilap.errors import BadSetting
from ilap.export.contract import KINDS, Order, Writer, Written
from ilap.registry import plain


def export(
    learner: str | Path, kind: str, out: str | Path, *, copy: bool = False, force: bool = False, url: str = ""
) -> Written:
    """Write what a learner's file holds to ``out``; the kinds are those of contract.py. An earlier export of
    the same kind is replaced, another file only where ``force`` is given, the learner and its pictures
    never."""
    known = {plain(name): name for name in KINDS}
    if plain(kind) not in known:
        raise BadSetting(f"There is no export {kind!r}: take one of {', '.join(KINDS)}.")
    kind = known[plain(kind)]
    if copy and kind != "links":
        raise BadSetting(f"Only links can be copies instead: leave copy out for {kind}.")
    if url and kind not in ("label-studio", "camtrap-dp"):
        raise BadSetting(f"Only label-studio and camtrap-dp have addresses: leave url out for {kind}.")
    write = cast(Writer, importlib.import_module(f"ilap.export.{KINDS[kind]}").write)
    return write(Order(Path(learner), place(out), copy, force, url))


def place(out: str | Path) -> Path:
    """Where to write: behind a link, what it points to."""
    path = Path(out).expanduser().absolute()
    return path.resolve() if path.is_symlink() else path
