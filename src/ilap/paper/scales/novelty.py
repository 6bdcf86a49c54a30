"""How much of table 1 is run, with what models, and how that differs from the paper."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ilap.bench.stream import Plan
from ilap.detect.odin import GRID
from ilap.paper.novelty import Model

NOCI = {"detector": "confusion", "imbalance": 0.0, "theta": 0.4}
EXACT_NOCI = {"detector": "confusion", "imbalance": 0.0, "theta": 0.079}  # theta's distance, as without lambda
MEAN = {"detector": "gram", "gram": "mean"}

OF_NETWORK: Mapping[str, Mapping[str, Any]] = {
    "msp": {},
    "odin": {},
    "gram": {},
    "gram-mean": MEAN,
    "distance": {},
    "confusion-noci": NOCI,
    "confusion": {},
    "energy": {},
    "mahalanobis": {},
    "knn": {},
}
OF_CONFIDENT: Mapping[str, Mapping[str, Any]] = {"confidence": {}}
OF_HEAD: Mapping[str, Mapping[str, Any]] = {"msp": {}, "confusion-noci": NOCI, "confusion": {}, "energy": {}}
OF_EXACT: Mapping[str, Mapping[str, Any]] = {
    "msp": {},
    "distance": {},
    "confusion-noci": EXACT_NOCI,
    "confusion": {},
    "calibrated": {},
    "mahalanobis": {},
    "knn": {},
}


@dataclass(frozen=True)
class Column:
    """A data set, how its stream is made, and the models that are asked; ``seeds`` by model, where fewer than
    the scale's."""

    data: str
    plan: Plan
    models: tuple[Model, ...]
    seeds: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Scale:
    """All columns, how many seeds, and what differs from the paper."""

    columns: tuple[Column, ...]
    seeds: int
    differs: tuple[str, ...]


def trained(**changes: Any) -> tuple[Model, ...]:
    """The paper's network with all its detectors, its twin with a confidence branch, and the closed form."""
    return (
        Model("network", "paper", changes, OF_NETWORK),
        Model("confident", "paper", {**changes, "classifier": "confident"}, OF_CONFIDENT),
        EXACT,
    )


def headed(**changes: Any) -> tuple[Model, ...]:
    """The same where features are frozen: a head that is trained on them, and the closed form. What looks at
    features alone would see the same with both."""
    changes = {"backbone": "lite0", "trainable": "head", **changes}
    return (
        Model("head", "paper", changes, OF_HEAD),
        Model("head, confident", "paper", {**changes, "classifier": "confident"}, OF_CONFIDENT),
        EXACT,
    )


EXACT = Model("exact", "fast", {}, OF_EXACT)
K_AT_LEAST = (
    "Exposures are scored from the time that two classes are known; with one, a softmax has nothing to say."
)

ONE = {"head": 1, "head, confident": 1}

SCALES = {
    "quick": Scale(
        (Column("digits", Plan(40, 3), trained(backbone="small", resolution=16)),),
        2,
        (
            "Embedded digits only, exposures of 40, 3 of every class: to see that everything works.",
            K_AT_LEAST,
        ),
    ),
    "cpu": Scale(
        (
            Column("mnist", Plan(100, 3), trained(backbone="small")),
            Column("svhn", Plan(100, 3), trained(backbone="small", resolution=32)),
            Column("cifar10", Plan(100, 3), trained(backbone="small", resolution=32)),
            Column("cifar100", Plan(50, 3), headed(batch=128, head_rate=0.01, weight_decay=1.0), ONE),
        ),
        3,
        (
            "The network is small, from random weights; the paper's is ResNet-18 with ImageNet's, at 224 px.",
            "exact is the closed form on frozen features of EfficientNet-Lite0, which has ImageNet's weights.",
            "Exposures of 100, 3 of every class; the paper's are of 200, and it does not say how many.",
            "CIFAR-100 is for what works on stored features: exposures of 50, 3 of every class. head is a head "
            "trained on those features, in one seed, with the weight decay of 1 that keeps it from learning by "
            "heart.",
            K_AT_LEAST,
        ),
    ),
    "full": Scale(
        (
            Column("mnist", Plan(200, 10), trained()),
            Column("svhn", Plan(200, 10), trained()),
            Column("cifar10", Plan(200, 10), trained()),
            Column("cifar100", Plan(200, 2), trained()),
        ),
        5,
        (
            "The paper does not say how often a class comes: 10 times here, as in its authors' code, and twice "
            "for CIFAR-100, which has no more pictures.",
            K_AT_LEAST,
        ),
    ),
}


def with_grid(column: Column) -> Column:
    """The column with ODIN at every temperature and step of the grid, where a model has ODIN at all."""
    tried = {grid_name(t, e): {"detector": "odin", "temperature": t, "epsilon": e} for t, e in GRID}
    models = tuple(
        replace(model, rows={**model.rows, **tried}) if "odin" in model.rows else model
        for model in column.models
    )
    return replace(column, models=models)


def grid_name(temperature: float, epsilon: float) -> str:
    """The row of one point of the grid.

    >>> grid_name(2.0, 0.0012)
    'odin T=2 e=0.0012'
    """
    return f"odin T={temperature:g} e={epsilon:g}"
