"""The parameters of a component: a detector, a classifier, a backbone or a learner declares its own.

They are the fields of the frozen dataclass that its file calls ``Parameters``, each with a default and, where
it can be out of range, checked in ``__post_init__``. A file without one has none. This holds for files from
outside the package too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from ilap.core import registry
from ilap.core.errors import BadSetting

CHOICES = {"true": True, "1": True, "false": False, "0": False}
HUB = "hf:"


class Text(str):
    """A value as it was written on the command line: what it means depends on the parameter."""


@dataclass(frozen=True)
class NoParameters:
    """What a component has that declares none."""


@dataclass(frozen=True)
class Component:
    """A part of a learner that was chosen: its kind, its name, and its parameters."""

    kind: str
    name: str
    parameters: Any

    @property
    def prefix(self) -> str:
        """What stands before its parameters' names: its file's name."""
        return file_of(self.kind, self.name)


def file_of(kind: str, name: str) -> str:
    """The file of a component: a backbone of the hub has its kind's.

    >>> file_of("backbone", "hf:facebook/dinov2-small"), file_of("backbone", "Lite0")
    ('huggingface', 'lite0')
    """
    return "huggingface" if kind == "backbone" and name.startswith(HUB) else registry.name_of(kind, name)


def declared(kind: str, name: str) -> type:
    """The dataclass of a component's parameters."""
    found: type = getattr(registry.module(kind, file_of(kind, name)), "Parameters", NoParameters)
    return found


def types_of(parameters: type) -> dict[str, str]:
    """The parameters' names, and the type of each as it is written.

    >>> from ilap.detect.confusion import Parameters
    >>> types_of(Parameters)["theta"]
    'float'
    """
    written = {field.name: field.type for field in fields(parameters)}
    return {name: kind.__name__ if isinstance(kind, type) else str(kind) for name, kind in written.items()}


def component(kind: str, name: str, values: Mapping[str, Any]) -> Component:
    """A component with these parameters; the others have their defaults."""
    own = declared(kind, name)
    types = types_of(own)
    typed = {key: value_of(key, value, types[key]) for key, value in values.items()}
    spelled = name if name.startswith(HUB) else registry.name_of(kind, name)
    return Component(kind, spelled, own(**typed))


def value_of(name: str, value: Any, kind: str) -> Any:
    """A value of the type that is written: from the command line, from JSON, which has lists only, or as it is.

    >>> value_of("epochs", Text("3"), "int"), value_of("taps", Text("7,10"), "tuple[int, ...] | None")
    (3, (7, 10))
    >>> value_of("device", Text("none"), "str | None"), value_of("taps", [7, 10], "tuple[int, ...]")
    (None, (7, 10))
    """
    plain = kind.split(" ")[0].split("[")[0]
    try:
        if value is None or (isinstance(value, Text) and value.lower() == "none"):
            if "None" in kind:
                return None
            raise ValueError
        if plain == "tuple":
            parts = value.split(",") if isinstance(value, str) else value
            return tuple(int(part) for part in parts if part != "")
        if plain == "bool":
            return CHOICES[str(value).lower()]
        if plain == "str" and not isinstance(value, str):
            raise ValueError
        if plain == "int" and int(value) != float(value):
            raise ValueError
        return {"int": int, "float": float, "str": str}[plain](value)
    except (KeyError, ValueError, TypeError):
        raise BadSetting(f"{str(value)!r} is no value for {name}, which is of the kind {kind}.") from None


def share(name: str, value: float, *, above: bool = False, below: bool = False) -> None:
    """Say so if a number is no share: from 0 to 1, without the ends where ``above`` or ``below`` is said."""
    if not 0 <= value <= 1 or (above and value == 0) or (below and value == 1):
        raise BadSetting(f"{name} is {value}, but it is a share: take one between 0 and 1.")


def at_least(name: str, value: float, least: float) -> None:
    """Say so if a number is too small."""
    if value < least:
        raise BadSetting(f"{name} is {value}: take {least:g} or more.")


def one_of(name: str, value: str, *words: str) -> None:
    """Say so if a word is none of those that there are."""
    if value not in words:
        raise BadSetting(f"{name} is {value!r}: take {' or '.join(words)}.")
