"""Scales of figures 2 to 4: trials on models that are taught, beyond the runs of the tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ilap.paper.calibration import LAMBDAS


@dataclass(frozen=True)
class Curves:
    """A panel of figure 2: a data set and a learner."""

    data: str
    method: str
    exposure_size: int
    preset: str
    changes: Mapping[str, Any]
    seeds: int
    lambdas: tuple[float, ...] = LAMBDAS


COARSE = (*LAMBDAS[::2], LAMBDAS[-1])
FEW = (0.0, 0.25, 0.5, 0.75, 0.95)
FAST = {"detector": "confusion"}
VARIANT, DROP = "paper-cpu", "paper-cpu-drop"
FIGURE2: Mapping[str, tuple[Curves, ...]] = {
    "quick": (
        Curves("digits", VARIANT, 40, VARIANT, {}, 1, FEW),
        Curves("digits", DROP, 40, DROP, {}, 1, FEW),
        Curves("imagenette", VARIANT, 40, VARIANT, {}, 1, FEW),
    ),
    "cpu": (
        Curves("fashion_mnist", VARIANT, 100, VARIANT, {}, 3),
        Curves("fashion_mnist", DROP, 100, DROP, {}, 3),
        Curves("fashion_mnist", "small network", 50, "paper", {"backbone": "small"}, 1, COARSE),
        Curves("imagenette", VARIANT, 40, VARIANT, {}, 3),
        Curves("imagenette", DROP, 40, DROP, {}, 3),
        Curves("fashion_mnist", "closed form", 100, "fast", FAST, 3),
    ),
    "full": (
        Curves("fashion_mnist", "trained network", 200, "paper", {}, 5),
        Curves("imagenette", "trained network", 200, "paper", {}, 5),
    ),
}
TRIED = (
    "Two, three and five classes are known, and five that were taught twice; the paper does not say how many."
)
FIGURE2_DIFFERS = {
    "quick": (
        "Embedded digits instead of Fashion-MNIST; exposures of 40; a head on frozen features is trained.",
        TRIED,
    ),
    "cpu": (
        "Exposures of 100 on Fashion-MNIST, of 40 on Imagenette, of 50 for the small network, which begins at "
        "random (28 px). The others stand on frozen features of EfficientNet-Lite0; the paper has ResNet-18.",
        "Imagenette's pictures are part of what the backbone was trained on.",
        TRIED,
    ),
    "full": (TRIED,),
}


@dataclass(frozen=True)
class Drifting:
    """What figure 3 measures, and how that differs from the paper."""

    data: str
    exposure_size: int
    classes: int
    untaught: int
    changes: Mapping[str, Any]
    asked: Mapping[str, int]
    seeds: int
    differs: tuple[str, ...]


FIGURE3 = {
    "quick": Drifting(
        "digits",
        40,
        10,
        2,
        {"backbone": "small", "resolution": 16},
        {"confusion": 2},
        2,
        (
            "Embedded digits instead of CIFAR-100: eight classes are learned, two stay new; small network at "
            "16 px.",
        ),
    ),
    "cpu": Drifting(
        "cifar100",
        50,
        20,
        5,
        {"backbone": "lite0", "resolution": 64, "trainable": "top"},
        {"confusion": 1},
        3,
        (
            "15 of 20 classes of CIFAR-100 are learned, 5 stay new. EfficientNet-Lite0 with ImageNet's "
            "weights at 64 px is trained in its last layer and head; the paper trains all of ResNet-18 on "
            "100 classes.",
        ),
    ),
    "full": Drifting("cifar100", 200, 100, 5, {}, {}, 5, ("95 classes are learned, 5 stay new.",)),
}


@dataclass(frozen=True)
class Asked:
    """A panel of figure 4: a data set, the model, and how many of the most similar pairs are asked about."""

    data: str
    exposure_size: int
    pairs: int
    changes: Mapping[str, Any]
    seeds: int


FIGURE4 = {
    "quick": (Asked("digits", 40, 4, {"backbone": "small", "resolution": 16}, 2),),
    "cpu": (
        Asked("mnist", 100, 5, {"backbone": "small"}, 3),
        Asked("cifar100", 75, 20, {"backbone": "lite0", "resolution": 64, "trainable": "stage6"}, 1),
    ),
    "full": (Asked("cifar100", 200, 20, {}, 5),),
}
"""The first data set of a scale is the one on the map."""
FIGURE4_DIFFERS = {
    "quick": ("Embedded digits instead of CIFAR-100's lamp, boy and girl; a small network at 16 px.",),
    "cpu": (
        "MNIST with a small network from random weights, exposures of 100; CIFAR-100 with EfficientNet-Lite0 "
        "at 64 px, ImageNet's weights, trained from its last stage on, exposures of 75. The paper trains all "
        "of ResNet-18 at 224 px, and shows one triple of CIFAR-100 (lamp, boy, girl).",
    ),
    "full": ("The triples are chosen by similarity.",),
}
