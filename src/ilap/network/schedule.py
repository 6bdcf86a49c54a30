"""How to train: by the settings, in an update and in a trial."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from ilap.network.parameters import Parameters


@dataclass(frozen=True)
class Schedule:
    """Adam's rates, batches, and when to stop."""

    epochs: int = 15
    batch: int = 16
    patience: int = 5
    head_rate: float = 2e-4
    feature_rate: float = 2e-5
    weight_decay: float = 0.0
    freeze_norm: bool = False
    autocast: bool = False
    steps: int = 0  # at least so many, in as many epochs more as that takes

    def epochs_for(self, samples: int) -> int:
        """The most epochs over so many samples.

        >>> Schedule(epochs=15, batch=64, steps=200).epochs_for(128)
        100
        """
        return max(self.epochs, math.ceil(self.steps * self.batch / samples))


def schedule_of(parameters: Parameters, head_rate: float, feature_rate: float) -> Schedule:
    """That of an update; the rates are the backbone's own, which hold where nothing else is said."""
    return Schedule(
        parameters.epochs,
        parameters.batch,
        parameters.patience,
        head_rate if parameters.head_rate is None else parameters.head_rate,
        feature_rate if parameters.feature_rate is None else parameters.feature_rate,
        parameters.weight_decay,
        parameters.freeze_norm,
        parameters.autocast,
    )


def in_trials(usual: Schedule, parameters: Parameters) -> Schedule:
    """That of a trial: the update's, where nothing else is said."""
    own = parameters
    return replace(
        usual,
        head_rate=usual.head_rate if own.trial_rate is None else own.trial_rate,
        batch=usual.batch if own.trial_batch is None else own.trial_batch,
        patience=usual.patience if own.trial_patience is None else own.trial_patience,
        steps=own.trial_steps,
    )
