"""One function for all kinds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ilap.core import registry
from ilap.core.errors import BadSetting
from ilap.core.parameters import component, declared, types_of
from ilap.export.contract import Order, Writer, Written


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
