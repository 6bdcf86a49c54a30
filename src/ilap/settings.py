"""Every setting of a learner, and the presets: plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from ilap import preset_file
from ilap.errors import BadSetting

SHARES = (
    "sure_above",
    "several_above",
    "discard_below",
    "accept_above",
    "repeat_weight",
    "distill_at_most",
)


@dataclass(frozen=True)
class Settings:
    """What a learner can be told. The paper's names are in brackets; None is "the backbone's own"."""

    classifier: str = "exact"  # exact: closed form on frozen features; network: trained by gradient descent
    detector: str = "calibrated"  # calibrated: by probabilities; confusion: the paper's, by theta; or any other
    risk: float = 0.05  # the share of decisions that may be wrong, for detectors that know how sure they are
    backbone: str = "lite0"  # what turns pictures into features
    resolution: int | None = None  # side in pixels to which pictures are scaled
    taps: tuple[int, ...] | None = None  # blocks whose features join the top's, where the backbone is frozen
    weights: str | None = None  # "random", a file, or an id on the hub, where the backbone has a choice
    imbalance: float = 0.5  # [lambda] how much fewer old samples than new ones a trial has
    theta: float = 0.12  # [theta] the drop of accuracy above which an exposure is a known class
    threshold: float = 0.5  # the score above which an exposure is new, for detectors that give a score only
    temperature: float = 2.0  # [T] divides the logits, for odin
    epsilon: float = 0.0012  # [epsilon] the step at the pixels, which lie between 0 and 1, for odin
    gram: str = "bounds"  # what gram compares with: bounds (least and largest of a class), or the class's mean
    powers: int = 10  # the highest power of the maps, for gram
    neighbours: int = 10  # which nearest exemplar counts, for knn
    sure_above: float = 0.0  # between theta and this drop the exposure is unsure
    several_above: float = 1.0  # if more than one class drops by more than this, the exposure is unsure
    exemplars: int = 200  # [|P_train| + |P_val|] samples kept of every class, a fifth of them held out
    discard_below: float = 0.2  # validation accuracy under which a class is given up
    accept_above: float = 0.0  # validation accuracy that a new class needs, else the exposure is unsure

    # What follows is for classifiers that train.
    trainable: str = "all"  # all, head, or the stage from which on the network is trained
    epochs: int = 15
    batch: int = 16
    patience: int = 5  # epochs without a better validation loss before training stops
    head_rate: float | None = None  # Adam's learning rates
    feature_rate: float | None = None
    weight_decay: float = (
        0.0  # Adam's penalty on the weights; a head on frozen features learns by heart without
    )
    criterion: str = "weighted"  # validation loss in a trial: weighted as the samples are (lambda), or plain
    freeze_norm: bool = False  # keep BatchNorm's statistics as they are
    fresh_head: bool = False  # re-create the head at every training
    bias_layer: bool = False  # after training, fit a scale and a shift of every class to the validation samples
    repeat_weight: float = 1.0  # weight of a class in the loss while it is learned again
    distill_at_most: float = 1.0  # the largest weight of distillation against cross entropy, for bic
    device: str | None = None  # cuda, mps or cpu; None takes the fastest there is
    autocast: bool = False  # half precision while training, where the device is good at it

    def __post_init__(self) -> None:
        if not 0 <= self.imbalance < 1:
            raise BadSetting(f"lambda is {self.imbalance}, but it is a share: take one from 0 to below 1.")
        if not 0 < self.theta < 1:
            raise BadSetting(f"theta is {self.theta}, but it is a share: take one between 0 and 1.")
        for name in SHARES:
            if not 0 <= getattr(self, name) <= 1:
                raise BadSetting(f"{name} is {getattr(self, name)}, but it is a share: take 0 to 1.")
        if not 0 < self.risk < 1:
            raise BadSetting(f"risk is {self.risk}, but it is a share: take one between 0 and 1, such as 0.01.")
        if self.exemplars < 2:
            raise BadSetting(f"exemplars is {self.exemplars}: keep at least 2 of every class.")
        for name in ("epochs", "batch", "patience", "powers", "neighbours"):
            if getattr(self, name) < 1:
                raise BadSetting(f"{name} is {getattr(self, name)}: take 1 or more.")
        for name in ("weight_decay", "epsilon"):
            if getattr(self, name) < 0:
                raise BadSetting(f"{name} is {getattr(self, name)}: take 0 or more.")
        if self.temperature <= 0:
            raise BadSetting(f"temperature is {self.temperature}: take more than 0.")
        for name in ("head_rate", "feature_rate"):
            rate = getattr(self, name)
            if rate is not None and not 0 <= rate < 1:
                raise BadSetting(f"{name} is {rate}: take a small positive number such as 2e-4.")
        if self.criterion not in ("weighted", "plain"):
            raise BadSetting(f"criterion is {self.criterion!r}: take weighted or plain.")
        if self.gram not in ("bounds", "mean"):
            raise BadSetting(f"gram is {self.gram!r}: take bounds or mean.")

    @property
    def is_frozen(self) -> bool:
        """Whether features never change, so that they can be computed beforehand."""
        return self.classifier == "exact" or self.trainable == "head"


ADJUSTABLE = ("risk", "device")  # what may differ from one run of a learner to the next

PAPER = Settings(classifier="network", detector="confusion", backbone="resnet18", imbalance=0.5, theta=0.6)

PRESETS: Mapping[str, Settings] = {
    "fast": Settings(),
    "paper": PAPER,
    "paper-noci": replace(PAPER, imbalance=0.0, theta=0.4),
    "paper-head": replace(PAPER, backbone="lite0", trainable="head", batch=64),
    "authors-code": replace(
        PAPER,
        sure_above=0.9,
        several_above=0.7,
        accept_above=0.5,
        patience=15,
        fresh_head=True,
        bias_layer=True,
        repeat_weight=0.5,
    ),
}
DESCRIPTIONS: Mapping[str, str] = {
    "fast": "closed form on frozen features: no training, some tens of milliseconds a decision",
    "paper": "the paper's learner with class imbalance: a network trained by gradient descent",
    "paper-noci": "the paper's learner without class imbalance",
    "paper-head": "the paper's learner on frozen features of the embedded backbone: only the head is trained",
    "authors-code": "the rules of the authors' released code that the paper does not state",
}


def resolve(preset: str, changes: Mapping[str, Any]) -> Settings:
    """A preset, by its name or from a file (preset_file.py), with changes.

    >>> resolve("fast", {"theta": 0.3}).theta
    0.3
    """
    if preset_file.is_file(preset):
        preset, own = preset_file.read(preset)
        changes = {**dict(parse(f"{name}={preset_file.as_word(own[name])}") for name in own), **changes}
    if preset not in PRESETS:
        raise BadSetting(
            f"There is no preset {preset!r}: take one of {', '.join(PRESETS)}, or a file of ilap calibrate."
        )
    names = [field.name for field in fields(Settings)]
    for name in changes:
        if name not in names:
            raise BadSetting(f"There is no setting {name!r}: take one of {', '.join(names)}.")
    return replace(PRESETS[preset], **changes)


def is_preset(name: str) -> bool:
    """Whether settings go by this name: that of a preset, or of a file that holds one."""
    return name in PRESETS or preset_file.is_file(name)


def restored(kept: Mapping[str, Any], changes: Mapping[str, Any], path: str) -> Settings:
    """The settings that a learner's file holds, with what may be changed changed."""
    known = [field.name for field in fields(Settings)]
    own = resolve("fast", {k: tuple(v) if isinstance(v, list) else v for k, v in kept.items() if k in known})
    for name, value in changes.items():
        if name not in ADJUSTABLE and getattr(own, name, None) != value:
            raise BadSetting(
                f"{path} was made with {name}={getattr(own, name, None)}, which cannot be changed: leave the "
                f"setting out, or start another learner."
            )
    return replace(own, **{name: value for name, value in changes.items() if name in ADJUSTABLE})


def parse(assignment: str) -> tuple[str, Any]:
    """A setting from the command line, as name=value.

    >>> parse("epochs=3"), parse("taps=7,10"), parse("freeze_norm=true"), parse("device=none")
    (('epochs', 3), ('taps', (7, 10)), ('freeze_norm', True), ('device', None))
    """
    name, equals, text = assignment.partition("=")
    types = {field.name: str(field.type) for field in fields(Settings)}
    if not equals or name not in types:
        raise BadSetting(f"{assignment!r} sets nothing: write name=value, the name one of {', '.join(types)}.")
    kind = types[name]
    try:
        if text.lower() == "none" and "None" in kind:
            return name, None
        if kind.startswith("tuple"):
            return name, tuple(int(part) for part in text.split(",") if part)
        if kind.startswith("bool"):
            return name, {"true": True, "1": True, "false": False, "0": False}[text.lower()]
        return name, {"int": int, "float": float, "str": str}[kind.split(" ")[0]](text)
    except (KeyError, ValueError):
        raise BadSetting(f"{text!r} is no value for {name}, which is of the kind {kind}.") from None
