"""A preset in a file: the preset that it starts from and the settings in which it differs, as JSON.

``ilap calibrate`` writes one, and whatever takes a preset or a learner by its name takes the file's path too.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ilap.core import files
from ilap.core.errors import BadSetting, MissingFile

ENDING = ".json"


def is_file(preset: str) -> bool:
    """Whether a preset is meant as a file.

    >>> is_file("fast"), is_file("mine/calibrated.json")
    (False, True)
    """
    return preset.endswith(ENDING)


def read(path: str | Path) -> tuple[str, dict[str, Any]]:
    """The preset that a file starts from, and its settings."""
    try:
        content = json.loads(Path(path).expanduser().read_text(encoding="utf-8"))
        base, settings = content["preset"], content["settings"]
        if not isinstance(base, str) or not isinstance(settings, dict):
            raise TypeError
    except FileNotFoundError:
        raise MissingFile(f"There is no preset file {path}: make one by ilap calibrate.") from None
    except (ValueError, KeyError, TypeError):
        raise BadSetting(
            f'{path} is no preset file: it holds {{"preset": a name, "settings": {{name: value}}}}.'
        ) from None
    return base, settings


def write(path: Path, preset: str, settings: Mapping[str, Any], about: Mapping[str, Any]) -> None:
    """Write a preset file; ``about`` says where its settings come from, for people to read."""
    content = {"preset": preset, "settings": dict(settings), "about": dict(about)}
    files.write(path, json.dumps(content, indent=2) + "\n")
