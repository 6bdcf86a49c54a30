"""What a classifier that is trained can be told. The defaults are the paper's (section 4.1)."""

from __future__ import annotations

from dataclasses import dataclass

from ilap.core.errors import BadSetting
from ilap.core.parameters import at_least, one_of, share


@dataclass(frozen=True)
class Parameters:
    """None is the backbone's own."""

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
    device: str | None = None  # cuda, mps or cpu; None takes the fastest there is
    autocast: bool = False  # half precision while training, where the device is good at it

    def __post_init__(self) -> None:
        for name in ("epochs", "batch", "patience"):
            at_least(name, getattr(self, name), 1)
        at_least("weight_decay", self.weight_decay, 0)
        for name in ("head_rate", "feature_rate"):
            rate = getattr(self, name)
            if rate is not None and not 0 <= rate < 1:
                raise BadSetting(f"{name} is {rate}: take a small positive number such as 2e-4.")
        one_of("criterion", self.criterion, "weighted", "plain")
        share("repeat_weight", self.repeat_weight)

    @property
    def frozen(self) -> bool:
        """Whether nothing but the head is trained, so that features never change."""
        return self.trainable == "head"
