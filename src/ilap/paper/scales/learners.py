"""Scales of runs of learners: tables 2 and 3, and the figures that are views of such runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ilap.bench.cell import Cell
from ilap.bench.stream import Plan, span


@dataclass(frozen=True)
class Column:
    """A data set of the paper, or one that stands beside them, and how its stream is made."""

    data: str
    plan: Plan
    seeds: Mapping[str, int] = field(default_factory=dict)  # by learner, where fewer than the scale's


@dataclass(frozen=True)
class Scale:
    """How much is run, with what, and how that differs from the paper."""

    columns: tuple[Column, ...]
    learners: tuple[str, ...]
    seeds: Mapping[str, int]
    changes: Mapping[str, Any]
    differs: tuple[str, ...]
    changes_of: Mapping[str, Mapping[str, Any]] = field(
        default_factory=dict
    )  # further settings of some learners


NETWORKS = ("bic", "iolfcv", "paper-noci", "paper")
EXACT = ("cosine", "fast", "oracle", "joint")
FIVE = dict.fromkeys(NETWORKS + EXACT, 5)
THREE = {**FIVE, **dict.fromkeys(NETWORKS, 3)}
ONE = dict.fromkeys(NETWORKS, 1)
HELD_BACK = {name: {"head_rate": 0.01, "weight_decay": 1.0} for name in ("paper", "paper-noci")}

TABLES = {
    "quick": Scale(
        (Column("digits", Plan(40, 3)),),
        NETWORKS + EXACT,
        dict.fromkeys(NETWORKS + EXACT, 2),
        {"backbone": "lite0", "trainable": "head", "batch": 64},
        ("Embedded digits only, exposures of 40, 3 of every class: to see that everything works.",),
        HELD_BACK,
    ),
    "cpu": Scale(
        (
            Column("mnist", Plan(200, 5)),
            Column("svhn", Plan(200, 5)),
            Column("cifar10", Plan(200, 5)),
            Column("cifar100", Plan(50, 3), ONE),
            Column("crib", Plan(100, 5, draw="contiguous", classes=50)),
            Column("coil20", Plan(9, 6)),
        ),
        NETWORKS + EXACT,
        THREE,
        {"backbone": "lite0", "trainable": "head", "batch": 128},
        (
            "Features are frozen, EfficientNet-Lite0 at 128 px; the paper trains all of ResNet-18 at 224 px.",
            "So bic, iolfcv, paper-noci and paper train the head alone, in batches of 128 instead of 16.",
            "Exposures of 200 come 5 times a class; CIFAR-100's are of 50 and come 3 times. The paper does not "
            "say how often.",
            "coil20 stands beside CRIB, not in its place: 20 objects, exposures of 9 shuffled views, 6 each.",
            "bic, iolfcv, paper-noci and paper have 3 seeds, 1 for CIFAR-100; the others have 5.",
            "A head on frozen features tells two exposures of one class apart by heart, and nothing breaks; so "
            "paper and paper-noci train theirs with a weight decay of 1, at a rate of .01.",
        ),
        HELD_BACK,
    ),
    "full": Scale(
        (
            Column("mnist", Plan(200, 10)),
            Column("svhn", Plan(200, 10)),
            Column("cifar10", Plan(200, 10)),
            Column("cifar100", Plan(200, 2)),
            Column("crib", Plan(100, 10, draw="contiguous", classes=50)),
        ),
        (*NETWORKS, "fast", "oracle"),
        FIVE,
        {},
        (
            "The paper does not say how often a class comes: 10 times here, as in its authors' code, and twice "
            "for CIFAR-100, which has no more pictures.",
            "What else the paper leaves open is settled in docs/design.md.",
        ),
        {name: {"backbone": "resnet18", "trainable": "all", "batch": 16} for name in ("bic", "iolfcv")},
    ),
}
"""Tables 2 and 3, and figures 5 to 9, which are views of the same runs."""

SEEDS_OF_SIZES = 3  # at most
SIZES: Mapping[tuple[str, str], Mapping[str, Column]] = {
    ("quick", "figure10"): {
        f"digits, exposures of {size}": Column("digits", Plan(size, 3)) for size in (40, 20, 10)
    },
    ("quick", "figure11"): {"digits, exposures of 20": Column("digits", Plan(20, 3))},
    ("cpu", "figure10"): {
        f"MNIST, exposures of {size}": Column("mnist", Plan(size, 5)) for size in (200, 100, 50, 20)
    },
    ("cpu", "figure11"): {
        "SVHN, exposures of 50": Column("svhn", Plan(50, 5)),
        "CIFAR-10, exposures of 50": Column("cifar10", Plan(50, 5)),
        "CIFAR-100, exposures of 50": Column("cifar100", Plan(50, 3), ONE),
    },
    ("full", "figure10"): {
        f"MNIST, exposures of {size}": Column("mnist", Plan(size, 10)) for size in (200, 100, 50, 20)
    },
    ("full", "figure11"): {
        "SVHN, exposures of 50": Column("svhn", Plan(50, 10)),
        "CIFAR-10, exposures of 50": Column("cifar10", Plan(50, 10)),
        "CIFAR-100, exposures of 50": Column("cifar100", Plan(50, 10)),
    },
}
"""Figures 10 and 11: smaller exposures, by the name of each panel."""


def with_fewer_seeds(name: str) -> Scale:
    """That of tables 2 and 3 with fewer seeds, so that exposures of its own size are runs that are there."""
    scale = TABLES[name]
    seeds = {learner: min(SEEDS_OF_SIZES, count) for learner, count in scale.seeds.items()}
    return replace(scale, seeds=seeds)


PRETRAINED = {name: {"backbone": "lite0", "resolution": None} for name in EXACT}


def from_scratch(columns: tuple[Column, ...], seeds: Mapping[str, int], *differs: str, **changes: Any) -> Scale:
    """All learners: networks from pixels and random weights, the others on pre-trained features."""
    return Scale(
        columns,
        NETWORKS + EXACT,
        seeds,
        {"backbone": "small", "trainable": "all", **changes},
        differs,
        PRETRAINED,
    )


FROM_RANDOM = (
    "Networks are small, from random weights; fast, cosine, oracle and joint have pre-trained features."
)
WITHOUT_PRETRAINING = {
    "quick": from_scratch(
        (Column("digits", Plan(40, 3, classes=6)),),
        dict.fromkeys(NETWORKS + EXACT, 2),
        "Embedded digits instead of CIFAR-100: six classes, exposures of 40, 16 px.",
        FROM_RANDOM,
        resolution=16,
    ),
    "cpu": from_scratch(
        (Column("cifar100", Plan(50, 3, classes=20)),),
        {**dict.fromkeys(NETWORKS, 2), **dict.fromkeys(EXACT, 5)},
        "20 classes of CIFAR-100 instead of 100, drawn anew for every seed: exposures of 50, 3 of every "
        "class, 32 px.",
        FROM_RANDOM,
        resolution=32,
    ),
    "full": Scale(
        (Column("cifar100", Plan(200, 2)),),
        NETWORKS,
        dict.fromkeys(NETWORKS, 5),
        {"backbone": "resnet18", "weights": "random", "trainable": "all", "batch": 16},
        ("The paper does not say how often a class comes: twice here, as there are no more pictures.",),
    ),
}
"""Figure 12: networks begin at random and learn from pixels."""

DECIDING = ("iolfcv", "paper-noci", "paper", "cosine", "fast")  # learners that decide for themselves


def narrowed(scale: Scale, columns: tuple[Column, ...], *differs: str, **changes: Any) -> Scale:
    """A scale of figure 12 with the learners that decide for themselves."""
    return replace(
        scale, columns=columns, learners=DECIDING, differs=differs, changes={**scale.changes, **changes}
    )


EARLY = {
    "quick": narrowed(
        WITHOUT_PRETRAINING["quick"],
        WITHOUT_PRETRAINING["quick"].columns,
        "Embedded digits: six classes, exposures of 40, 3 of every class, a small network from random weights.",
    ),
    "cpu": narrowed(
        WITHOUT_PRETRAINING["cpu"],
        (Column("mnist", Plan(100, 3)),),
        "MNIST, exposures of 100, 3 of every class, a small network from random weights; the paper argues from "
        "CIFAR-100 and shows no run.",
        resolution=28,
    ),
    "full": replace(WITHOUT_PRETRAINING["full"], learners=("iolfcv", "paper-noci", "paper"), differs=()),
}
"""Early frequent repeats (section 5.2)."""


def cells_of(scale: Scale, column: Column, learners: Sequence[str], seeds: int | None) -> list[Cell]:
    """The runs of a column: learners, and seeds as many as the scale has of each, unless it is said how
    many."""
    return [
        Cell(column.data, learner, seed, column.plan, changes_for(scale, column, learner))
        for learner in learners
        for seed in range(seeds or column.seeds.get(learner, scale.seeds.get(learner, 5)))
    ]


def changes_for(scale: Scale, column: Column, learner: str) -> dict[str, Any]:
    """The scale's settings; as many exemplars a class as an exposure has pictures (paper 4.1)."""
    exemplars = max(2, span(column.plan.exposure_size)[1])
    return {**scale.changes, "exemplars": exemplars, **scale.changes_of.get(learner, {})}
