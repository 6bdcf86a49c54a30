"""The calibration: what was fitted beforehand on many kinds of data, by tools/fit_promise.py, and is shipped.

It is the weights of the features that make up the log odds of a group (features.py, belief.py). The file names
the features of pictures that it was fitted on. For any others the log odds are multiplied by ``widen``, which
makes every answer less sure.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any

from ilap.core.errors import BadSetting


@dataclass(frozen=True)
class Calibration:
    """All of it."""

    version: int
    features: tuple[str, ...]
    widen: float
    weights: Mapping[str, float]

    @property
    def name(self) -> str:
        """Version and content in short: two of one name decide alike."""
        content = json.dumps([self.features, self.widen, dict(self.weights)], sort_keys=True)
        return f"{self.version}-{hashlib.sha256(content.encode()).hexdigest()[:8]}"


@lru_cache(maxsize=1)
def shipped() -> Calibration:
    """The calibration that comes with the package."""
    text = (resources.files("ilap.exact") / "calibration.json").read_text(encoding="utf-8")
    return parsed(json.loads(text))


def read(path: str) -> Calibration:
    """One from a file."""
    try:
        return parsed(json.loads(Path(path).read_text(encoding="utf-8")))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BadSetting(f"{path} is no calibration ({error}): name a file of tools/fit_promise.py.") from error


def named(path: str) -> Calibration:
    """One from a file, or the package's where none is named."""
    return read(path) if path else shipped()


def parsed(fields: Mapping[str, Any]) -> Calibration:
    """A calibration from its fields in JSON."""
    return Calibration(**{**fields, "features": tuple(fields["features"])})
