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
    update_head: str = "warm"  # the head that an update starts from: warm (as it is) or random
    trial_head: str = "copy"  # the head that a trial starts from: copy (the network's own), random or zero
    trial_rate: float | None = (
        None  # the head's rate in a trial; None is that of the update, as for the next two
    )
    trial_batch: int | None = None
    trial_patience: int | None = None
    trial_steps: int = 0  # the least number of steps in a trial, in more epochs if need be
    trials: int = 1  # copies in a trial, whose probabilities are averaged
    thinning: str = "random"  # which exemplars a trial leaves out (lambda): random, or all but the first ones
    judge: str = (
        "validation"  # a trial is judged by P_val, or by all exemplars that it did not train on: unseen
    )
    criterion: str = "weighted"  # validation loss in a trial: weighted as the samples are (lambda), or plain
    freeze_norm: bool = False  # keep BatchNorm's statistics as they are
    bias_layer: bool = False  # after training, fit a scale and a shift of every class to the validation samples
    repeat_weight: float = 1.0  # weight of a class in the loss while it is learned again
    device: str | None = None  # cuda, mps or cpu; None takes the fastest there is
    autocast: bool = False  # half precision while training, where the device is good at it

    def __post_init__(self) -> None:
        for name in ("epochs", "batch", "patience", "trials", "trial_batch", "trial_patience"):
            number = getattr(self, name)
            at_least(name, 1 if number is None else number, 1)
        at_least("weight_decay", self.weight_decay, 0)
        at_least("trial_steps", self.trial_steps, 0)
        for name in ("head_rate", "feature_rate", "trial_rate"):
            rate = getattr(self, name)
            if rate is not None and not 0 <= rate < 1:
                raise BadSetting(f"{name} is {rate}: take a small positive number such as 2e-4.")
        one_of("criterion", self.criterion, "weighted", "plain")
        one_of("update_head", self.update_head, "warm", "random")
        one_of("trial_head", self.trial_head, "copy", "random", "zero")
        one_of("thinning", self.thinning, "random", "first")
        one_of("judge", self.judge, "validation", "unseen")
        if self.judge == "unseen" and (self.trial_head == "copy" or not self.frozen):
            raise BadSetting(
                "judge=unseen asks exemplars of P_train, which the network's own head and trained features "
                "have seen: take trainable=head with trial_head=zero or random, or judge=validation."
            )
        share("repeat_weight", self.repeat_weight)

    @property
    def frozen(self) -> bool:
        """Whether nothing but the head is trained, so that features never change."""
        return self.trainable == "head"
