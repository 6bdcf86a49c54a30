"""How much of table 1 is run, with what models, and how that differs from the paper."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ilap.bench.stream import Plan
from ilap.detect.odin import GRID
from ilap.paper.novelty import Detectors

MEAN = {"detector": "gram", "gram": "mean"}
FEW = {"powers": 5}  # half of the powers, which keeps what is stored of a picture small
PICTURES = {"distance.form": "pictures"}  # as the authors run it
MEANS = {"detector": "distance", "distance.form": "means"}
NOCI = {"detector": "confusion", "imbalance": 0.0, "theta": 0.4}

OF_NETWORK: Mapping[str, Mapping[str, Any]] = {
    "msp": {},
    "odin": {},
    "gram": {},
    "gram-mean": MEAN,
    "distance": PICTURES,
    "distance-means": MEANS,
    "confusion": {},
    "energy": {},
    "mahalanobis": {},
    "knn": {},
}
OF_CONFIDENT: Mapping[str, Mapping[str, Any]] = {"confidence": {}}
OF_EXACT: Mapping[str, Mapping[str, Any]] = {"confusion": {}, "calibrated": {}}
FIFTH = dict.fromkeys(("odin", "gram", "gram-mean"), 5)


@dataclass(frozen=True)
class Table1Column:
    """A data set, how its stream is made, and the models that are asked; ``seeds`` by model, where fewer than
    the scale's."""

    data: str
    plan: Plan
    models: tuple[Detectors, ...]
    seeds: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Table1Scale:
    """All columns, how many seeds, and what differs from the paper."""

    columns: tuple[Table1Column, ...]
    seeds: int
    differs: tuple[str, ...]


EXACT = Detectors("exact", "fast", {}, OF_EXACT)


def trained(**changes: Any) -> tuple[Detectors, ...]:
    """The paper's network with all its detectors, its twin with a confidence branch, and the closed form."""
    return (
        Detectors("network", "paper", changes, {**OF_NETWORK, "confusion-noci": NOCI}),
        Detectors("confident", "paper", {**changes, "classifier": "confident"}, OF_CONFIDENT),
        EXACT,
    )


def frozen(every: Mapping[str, int] | None = None) -> tuple[Detectors, ...]:
    """The same for a head on frozen features. Its trial without imbalance and the one with the paper's
    statistic are settings of the network, so they are asked on a network each, which learns the same."""
    return (
        Detectors(
            "network",
            "paper-cpu",
            {},
            {**OF_NETWORK, "gram": FEW, "gram-mean": {**MEAN, **FEW}},
            every or {},
        ),
        Detectors("network", "paper-cpu-noci", {}, {"confusion-noci": {"detector": "confusion"}}),
        Detectors("network", "paper-cpu-drop", {}, {"confusion-drop": {"detector": "confusion"}}),
        Detectors("confident", "paper-cpu", {"classifier": "confident"}, OF_CONFIDENT),
        EXACT,
    )


K_AT_LEAST = (
    "Exposures are scored from the time that two classes are known; with one, a softmax has nothing to say."
)
OPENED = (
    "The features are frozen. ODIN needs gradients at the pixels and ZeroShot OOD needs maps: both look into "
    "the frozen backbone, which was never trained on these classes; the trained part is the head alone."
)

TABLE1 = {
    "quick": Table1Scale(
        (Table1Column("digits", Plan(20, 2), frozen()),),
        2,
        (
            "Embedded digits only, exposures of 20, 2 of every class: to see that everything works.",
            OPENED,
            K_AT_LEAST,
        ),
    ),
    "cpu": Table1Scale(
        (
            Table1Column("mnist", Plan(200, 5), frozen()),
            Table1Column("svhn", Plan(200, 5), frozen()),
            Table1Column("cifar10", Plan(200, 5), frozen()),
            Table1Column("cifar100", Plan(50, 3), frozen(FIFTH), {"network": 1, "confident": 1}),
        ),
        3,
        (
            "network is paper-cpu, a head on frozen features of EfficientNet-Lite0 with ImageNet's weights; "
            "the paper's is ResNet-18, trained whole at 224 px. exact is the closed form on the same features.",
            OPENED,
            "confusion-drop has the paper's statistic, confusion that of paper-cpu (docs/paper.md); distance "
            "is as the authors run it, distance-means the distance of means.",
            "Exposures of 200, 5 of every class; CIFAR-100's are of 50, 3 of every class, in one seed, and "
            "ODIN and ZeroShot OOD are asked about every fifth.",
            K_AT_LEAST,
        ),
    ),
    "full": Table1Scale(
        (
            Table1Column("mnist", Plan(200, 10), trained()),
            Table1Column("svhn", Plan(200, 10), trained()),
            Table1Column("cifar10", Plan(200, 10), trained()),
            Table1Column("cifar100", Plan(200, 2), trained()),
        ),
        5,
        (
            "The paper does not say how often a class comes: 10 times here, as in its authors' code, and twice "
            "for CIFAR-100, which has no more pictures.",
            K_AT_LEAST,
        ),
    ),
}


def with_grid(column: Table1Column) -> Table1Column:
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
