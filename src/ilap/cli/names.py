"""What people call things on the command line: classes and exposures, by number or by name."""

from __future__ import annotations

from pathlib import Path

from ilap.errors import BadCorrection
from ilap.kept import KeptLearner


def class_of(learner: KeptLearner, text: str) -> int:
    """A class by its name, or by its id."""
    named = [
        class_id for class_id, name in learner.names.items() if name == text and class_id in learner.classes
    ]
    if len(named) > 1:
        raise BadCorrection(f"Several classes are called {text}: use their ids, {named}.")
    if named:
        return named[0]
    number = text.removeprefix("class ").strip()
    if number.isdecimal() and int(number) in learner.classes:
        return int(number)
    raise BadCorrection(f"There is no class {text!r}: ilap show lists those there are.")


def exposure_of(learner: KeptLearner, text: str) -> int:
    """An exposure by its number, its name or its folder."""
    asked = "SELECT number FROM exposures WHERE name = ? OR folder = ? ORDER BY number"
    here = str(Path(text).absolute())
    found = [number for (number,) in learner.file.connection.execute(asked, (text, here))]
    if len(found) == 1:
        return int(found[0])
    if text.isdecimal():
        learner.place_of(int(text))
        return int(text)
    if found:
        raise BadCorrection(f"Several exposures are called {text}: use their numbers, {found}.")
    raise BadCorrection(f"There is no exposure {text!r}: ilap show lists those there are.")
