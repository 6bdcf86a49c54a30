"""Every setting of a learner, and the presets: plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from ilap.errors import BadSetting


@dataclass(frozen=True)
class Settings:
    """What a learner can be told. The paper's names are in brackets."""

    backbone: str = "lite0"  # what turns pictures into features
    resolution: int = 128  # side in pixels to which pictures are scaled
    taps: tuple[int, ...] = (7, 10)  # blocks whose features join the top's
    classifier: str = "exact"
    detector: str = "confusion"
    imbalance: float = 0.5  # [lambda] how much fewer old samples than new ones a trial has
    theta: float = 0.12  # [theta] the drop of accuracy at which an exposure is a known class
    exemplars: int = 200  # [|P_train| + |P_val|] samples kept of every class, a fifth of them held out
    discard_below: float = 0.2  # validation accuracy under which a class is given up

    def __post_init__(self) -> None:
        if not 0 <= self.imbalance < 1:
            raise BadSetting(f"lambda is {self.imbalance}, but it is a share: take one from 0 to below 1.")
        if not 0 < self.theta < 1:
            raise BadSetting(f"theta is {self.theta}, but it is a share: take one between 0 and 1.")
        if not 0 <= self.discard_below < 1:
            raise BadSetting(f"discard_below is {self.discard_below}, but it is a share: take 0 to below 1.")
        if self.exemplars < 2:
            raise BadSetting(f"exemplars is {self.exemplars}: keep at least 2 of every class.")


PRESETS: Mapping[str, Settings] = {
    "fast": Settings(),
}


def resolve(preset: str, changes: Mapping[str, Any]) -> Settings:
    """A preset with changes.

    >>> resolve("fast", {"theta": 0.3}).theta
    0.3
    """
    if preset not in PRESETS:
        raise BadSetting(f"There is no preset {preset!r}: take one of {', '.join(PRESETS)}.")
    names = [field.name for field in fields(Settings)]
    for name in changes:
        if name not in names:
            raise BadSetting(f"There is no setting {name!r}: take one of {', '.join(names)}.")
    return replace(PRESETS[preset], **changes)
