"""What a learner is made of and can be told: the components that were chosen, each with its parameters
(parameters.py), and the settings of the loop itself.

A parameter is named ``component.parameter`` (``odin.temperature``), or by its kind (``detector.threshold``), or
by its own name alone (``theta``) where only one of the chosen components has it. A parameter of a component
that was not chosen has no effect, so that one command can speak to several learners.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from ilap.core import presets, registry
from ilap.core.errors import BadSetting
from ilap.core.parameters import (
    Component,
    Text,
    at_least,
    component,
    declared,
    file_of,
    one_of,
    share,
    types_of,
    value_of,
)
from ilap.core.presets import PRESETS

KINDS = ("classifier", "detector", "backbone")
ADJUSTABLE = (
    "risk",
    "caution",
    "exact.sampling",
)  # what may differ from one run of a learner in a file to the next


@dataclass(frozen=True)
class Loop:
    """The settings of the loop itself. The paper's names are in brackets."""

    risk: float = 0.05  # the share of decisions that may be wrong, for detectors that know how sure they are
    caution: float = 30.0  # exposures until which a quarter of the risk is taken for *known* at once
    exemplars: int | None = 200  # [|P_train| + |P_val|] samples kept of every class, a fifth of them held out
    ranking: str = "nearest"  # which they are: herding, nearest (to the class mean) or random
    discard_below: float = 0.2  # validation accuracy under which a class is given up
    accept_above: float = 0.0  # validation accuracy that a new class needs, else the exposure is unsure

    def __post_init__(self) -> None:
        share("risk", self.risk, above=True, below=True)
        share("discard_below", self.discard_below)
        share("accept_above", self.accept_above)
        at_least("exemplars", 2 if self.exemplars is None else self.exemplars, 2)
        one_of("ranking", self.ranking, "herding", "nearest", "random")
        at_least("caution", self.caution, 0)


@dataclass(frozen=True)
class Settings:
    """All of it."""

    classifier: Component
    detector: Component
    backbone: Component
    loop: Loop

    @property
    def components(self) -> tuple[Component, ...]:
        """The three that were chosen."""
        return self.classifier, self.detector, self.backbone

    @property
    def risk(self) -> float:
        """The share of decisions that may be wrong."""
        return self.loop.risk

    @property
    def is_frozen(self) -> bool:
        """Whether features never change, so that they can be computed beforehand: a classifier whose parameters
        do not say otherwise takes a frozen backbone."""
        return bool(getattr(self.classifier.parameters, "frozen", True))

    def plain(self) -> dict[str, Any]:
        """Everything by its full name, as JSON takes it. ``resolve("fast", plain)`` gives the settings
        again."""
        chosen = {one.kind: one.name for one in self.components}
        own = {
            f"{one.prefix}.{name}": list(value) if isinstance(value, tuple) else value
            for one in self.components
            for name, value in asdict(one.parameters).items()
        }
        return {**chosen, **asdict(self.loop), **own}


def types_of_loop() -> dict[str, str]:
    """The settings of the loop, and the type of each as it is written."""
    return types_of(Loop)


def resolve(preset: str, changes: Mapping[str, Any]) -> Settings:
    """A preset, by its name or from a file (presets.py), with changes.

    >>> settings = resolve("fast", {"detector": "confusion", "theta": 0.3})
    >>> settings.detector.name, settings.detector.parameters.theta
    ('confusion', 0.3)
    """
    own: Mapping[str, Any] = {}
    if presets.is_file(preset):
        preset, own = presets.read(preset)
    if preset not in PRESETS:
        raise BadSetting(
            f"There is no preset {preset!r}: take one of {', '.join(PRESETS)}, or a file of ilap calibrate."
        )
    return made({**PRESETS[preset].settings, **own, **changes})


def made(values: Mapping[str, Any]) -> Settings:
    """Settings of values by name."""
    names = {kind: str(values.get(kind, PRESETS["fast"].settings[kind])) for kind in KINDS}
    types = {kind: types_of(declared(kind, name)) for kind, name in names.items()}
    loop_types = types_of_loop()
    loop: dict[str, Any] = {}
    own: dict[str, dict[str, Any]] = {kind: {} for kind in KINDS}
    for name, value in values.items():
        if name in KINDS:
            continue
        if name in loop_types:
            loop[name] = value_of(name, value, loop_types[name])
            continue
        kind, parameter = owner(name, value, names, types)
        if kind:
            own[kind][parameter] = value
    parts = {kind: component(kind, name, own[kind]) for kind, name in names.items()}
    return Settings(**parts, loop=Loop(**loop))


def owner(
    name: str, value: Any, names: Mapping[str, str], types: Mapping[str, Mapping[str, str]]
) -> tuple[str | None, str]:
    """The kind of the chosen component that a parameter belongs to, None where it is of one that was not
    chosen; and its own name."""
    prefix, dot, parameter = name.rpartition(".")
    if dot:
        for kind, chosen in names.items():
            if prefix == kind or registry.plain(prefix) == registry.plain(file_of(kind, chosen)):
                if parameter in types[kind]:
                    return kind, parameter
                if prefix != kind:
                    raise unknown(name, types[kind])
        if prefix in KINDS or elsewhere(parameter, value, prefix):
            return None, parameter
        raise unknown(name, [])
    having = [kind for kind in KINDS if name in types[kind]]
    if len(having) > 1:
        full = " or ".join(f"{file_of(kind, names[kind])}.{name}" for kind in having)
        raise BadSetting(f"{name} is a parameter of several components: write {full}.")
    if having:
        return having[0], name
    if elsewhere(name, value):
        return None, name
    raise unknown(name, [*types_of_loop(), *(one for own in types.values() for one in own), *KINDS])


def elsewhere(parameter: str, value: Any, prefix: str = "") -> bool:
    """Whether a component that was not chosen has a parameter of this name; a value that it would refuse is
    refused. What cannot be imported here has none. Files that spell the name out are tried first: importing
    all of them takes seconds."""
    every = [
        (kind, file)
        for kind in ("detector", "classifier", "backbone", "learner")
        for file, _ in registry.files(kind)
        if not prefix or registry.plain(file.stem) == registry.plain(prefix)
    ]
    spelled = [f"    {parameter}:" in file.read_text(encoding="utf-8") for _, file in every]
    for (kind, file), _ in sorted(zip(every, spelled, strict=True), key=lambda pair: not pair[1]):
        try:
            found = parameter in types_of(declared(kind, file.stem))
        except ImportError:
            continue
        if found:
            component(kind, file.stem, {parameter: value})
            return True
    return any(
        parameter in types_of(declared(kind, entry.name)) for kind in KINDS for entry in registry.entries(kind)
    )


def unknown(name: str, known: Iterable[str]) -> BadSetting:
    """What is said of a name that means nothing."""
    listed = ", ".join(known)
    advice = f"take one of {listed}" if listed else "ilap presets lists those there are"
    return BadSetting(f"There is no setting {name!r}: {advice}.")


def is_preset(name: str) -> bool:
    """Whether settings go by this name: that of a preset, or of a file that holds one."""
    return name in PRESETS or presets.is_file(name)


def restored(kept: Mapping[str, Any], changes: Mapping[str, Any], path: str) -> Settings:
    """The settings that a learner's file holds, with what may be changed changed."""
    own, wanted = made(kept).plain(), made({**kept, **changes}).plain()
    for name, value in wanted.items():
        if name not in ADJUSTABLE and own.get(name) != value:
            raise BadSetting(
                f"{path} was made with {name}={own.get(name)}, which cannot be changed: leave the setting out, "
                f"or start another learner."
            )
    return made(wanted)


def parse(assignment: str) -> tuple[str, Any]:
    """A setting from the command line, as name=value. What the value means is seen when it is resolved.

    >>> parse("odin.temperature=2")
    ('odin.temperature', '2')
    """
    name, equals, text = assignment.partition("=")
    if not equals or not name:
        raise BadSetting(f"{assignment!r} sets nothing: write name=value (ilap presets lists the names).")
    return name, Text(text)
