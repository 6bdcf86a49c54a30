"""What was asked along the streams of a family, in a file: the fit goes on where it was, and can be done anew
with other features at little cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path

import numpy as np

from fitting.fit import Asked

ARRAYS = [field.name for field in fields(Asked) if field.name != "family"]


def write(path: Path, asked: Sequence[Asked]) -> None:
    """Of one family."""
    arrays = {f"{at}/{name}": getattr(one, name) for at, one in enumerate(asked) for name in ARRAYS}
    part = path.with_suffix(".part.npz")
    np.savez_compressed(part, streams=np.array(len(asked)), **arrays)
    part.replace(path)


def read(path: Path, family: str) -> list[Asked]:
    """Of one family."""
    with np.load(path, allow_pickle=False) as found:
        return [
            Asked(family, **{name: found[f"{at}/{name}"] for name in ARRAYS})
            for at in range(int(found["streams"]))
        ]
