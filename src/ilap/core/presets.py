"""The presets: learners by name, each as the settings in which it differs from the defaults. Plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Preset:
    """What it is, in a line, and its settings by name (settings.py)."""

    description: str
    settings: Mapping[str, Any]


PAPER = {
    "classifier": "network",
    "detector": "confusion",
    "backbone": "resnet18",
    "confusion.imbalance": 0.5,
    "confusion.theta": 0.6,
}

PRESETS: Mapping[str, Preset] = {
    "fast": Preset(
        "closed form on frozen features: no training, some tens of milliseconds a decision",
        {"classifier": "exact", "detector": "calibrated", "backbone": "lite0"},
    ),
    "paper": Preset("the paper's learner with class imbalance: a network trained by gradient descent", PAPER),
    "paper-noci": Preset(
        "the paper's learner without class imbalance",
        {**PAPER, "confusion.imbalance": 0.0, "confusion.theta": 0.4},
    ),
    "paper-head": Preset(
        "the paper's learner on frozen features of the embedded backbone: only the head is trained",
        {**PAPER, "backbone": "lite0", "classifier.trainable": "head", "classifier.batch": 64},
    ),
    "authors-code": Preset(
        "the rules of the authors' released code that the paper does not state",
        {
            **PAPER,
            "confusion.sure_above": 0.9,
            "confusion.several_above": 0.7,
            "accept_above": 0.5,
            "classifier.patience": 15,
            "classifier.fresh_head": True,
            "classifier.bias_layer": True,
            "classifier.repeat_weight": 0.5,
        },
    ),
}
