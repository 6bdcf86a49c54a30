"""``fast``, whose network is adapted to its classes when the stream has ended, or along it.

Decisions are those of ``fast``. Test pictures are named by the adapted network and the frozen features together
(learner/adapted.py), where the network was kept.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ilap.backbones import runtime
from ilap.bench.learners.contract import Task
from ilap.bench.learners.preset import Preset
from ilap.core.decision import Decision
from ilap.core.errors import NothingLearned
from ilap.core.exposure import Exposure, Picture
from ilap.core.extras import needed_for
from ilap.core.parameters import at_least
from ilap.learner.adapted import Adapted
from ilap.learner.naming import Prediction

PRESET = "fast"


@dataclass(frozen=True)
class Parameters:
    """``every`` so many exposures it is adapted, beside the end; 0 is at the end alone (``--set
    adapted.every=10``). The others are those of the recipe (network/adapt.py)."""

    every: int = 0
    steps: int = 1000
    epochs: int = 12
    side: int = 96
    stage: str = "stage2"
    mirrored: bool = False
    shift: int = 0

    def __post_init__(self) -> None:
        at_least("every", self.every, 0)
        at_least("steps", self.steps, 1)
        at_least("epochs", self.epochs, 1)


@dataclass(frozen=True)
class AdaptedPreset(Preset):
    """``shown`` are the pictures of all exposures, ``said`` what an adapted network said of test pictures."""

    parameters: Parameters = field(default_factory=Parameters)
    facts: dict[str, float] = field(default_factory=dict)
    shown: list[Sequence[Picture]] = field(default_factory=list)
    said: dict[Adapted, NDArray[np.float64]] = field(default_factory=dict)
    due: list[bool] = field(default_factory=list)

    def observe(self, exposure: Exposure, label: int | None = None) -> Decision:
        """As ``fast``."""
        decision = super().observe(exposure, label)
        self.shown.append(exposure.pictures)
        every = self.parameters.every
        if every and len(self.shown) % every == 0:
            self.due.append(True)
        return decision

    def ask_again(self) -> Sequence[Decision]:
        """The stream has ended: as ``fast``, and adapt before test pictures are named."""
        self.due.append(True)
        return super().ask_again()

    def samples(self, pictures: Sequence[Picture]) -> NDArray[Any]:
        """Frozen features, and the pictures as the network takes them."""
        rows, side = super().samples(pictures), self.parameters.side
        kind = np.dtype([("features", rows.dtype, rows.shape[1:]), ("pixels", np.uint8, (side, side, 3))])
        found = np.empty(len(rows), kind)
        found["features"] = rows
        for start in range(0, len(rows), 1000):
            found["pixels"][start : start + 1000] = runtime.square(pictures[start : start + 1000], side)
        return found

    def predict_samples(self, samples: NDArray[Any]) -> Prediction:
        """Name them, by what is sure."""
        if self.due:
            self.due.clear()
            self._adapt()
        network = self.learner.state.adapted
        if network is not None and network not in self.said:
            self.said.clear()
            self.said[network] = network.logits(list(samples["pixels"]))
        logits = None if network is None else self.said[network]
        return self.learner.predict_samples(samples["features"], tentative=False, logits=logits)

    def _adapt(self) -> None:
        """Adapt, and note how it went; where too little is sure yet there is nothing to adapt to."""
        with needed_for("The learner adapted"):
            from ilap.network.adapt import Recipe

        own = self.parameters
        recipe = Recipe(own.side, own.stage, own.steps, own.epochs, mirrored=own.mirrored, shift=own.shift)
        with contextlib.suppress(NothingLearned):
            found = self.learner.adapt(
                pictures_of=lambda number: dict(enumerate(self.shown[number])), recipe=recipe
            )
            self.facts.update({name: float(value) for name, value in found.plain().items()})


def create(task: Task) -> AdaptedPreset:
    """``fast``, or what the settings make of it, adapted."""
    return AdaptedPreset(task.learner(PRESET), parameters=task.parameters)
