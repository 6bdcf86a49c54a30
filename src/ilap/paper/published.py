"""What the paper reports in its tables 1, 2 and 3: mean and standard deviation, by data set and row."""

from __future__ import annotations

from ilap.bench.tables import Beside

Figures = dict[str, dict[str, tuple[float, float]]]

LAMBDA, THETA = 0.5, 0.6
"""The class imbalance and the threshold on the drop, found on Fashion-MNIST and Imagenette (section 4.1)."""

LEARNERS = {
    "bic": "BiC (supervised)",
    "iolfcv": "IOLfCV",
    "paper-noci": "iLAP without class imbalance",
    "paper": "iLAP with class imbalance",
}
"""Our names of the paper's rows."""

VARIANTS = {"paper-cpu": "paper", "paper-cpu-noci": "paper-noci"}
"""Rows of ours that stand beside one of the paper's, though they are not it."""

ACCURACY: Figures = {
    "mnist": {
        "bic": (0.980, 0.002),
        "iolfcv": (0.880, 0.035),
        "paper-noci": (0.903, 0.017),
        "paper": (0.980, 0.002),
    },
    "svhn": {
        "bic": (0.892, 0.003),
        "iolfcv": (0.468, 0.086),
        "paper-noci": (0.844, 0.017),
        "paper": (0.881, 0.008),
    },
    "cifar10": {
        "bic": (0.749, 0.004),
        "iolfcv": (0.453, 0.047),
        "paper-noci": (0.609, 0.014),
        "paper": (0.674, 0.017),
    },
    "cifar100": {
        "bic": (0.725, 0.003),
        "iolfcv": (0.616, 0.006),
        "paper-noci": (0.650, 0.012),
        "paper": (0.686, 0.007),
    },
    "crib": {
        "bic": (0.885, 0.002),
        "iolfcv": (0.668, 0.021),
        "paper-noci": (0.590, 0.015),
        "paper": (0.678, 0.017),
    },
}
"""Table 2: accuracy on test pictures."""

UNIQUE_CLASSES: Figures = {
    "mnist": {"bic": (10, 0), "iolfcv": (9.2, 0.4), "paper-noci": (10, 0), "paper": (10, 0)},
    "svhn": {"bic": (10, 0), "iolfcv": (8.8, 1.2), "paper-noci": (10, 0), "paper": (10, 0)},
    "cifar10": {"bic": (10, 0), "iolfcv": (8.7, 0.7), "paper-noci": (10, 0), "paper": (10, 0)},
    "cifar100": {"bic": (100, 0), "iolfcv": (89.0, 0.5), "paper-noci": (96.0, 0.5), "paper": (96.5, 0.5)},
    "crib": {"bic": (50, 0), "iolfcv": (42.0, 0.3), "paper-noci": (43.0, 0.1), "paper": (45.0, 0.2)},
}
"""Table 3: true classes found."""

DETECTORS = {
    "msp": "MSP",
    "confidence": "CE",
    "odin": "ODIN",
    "gram": "ZeroShot OOD",
    "distance": "IOLfCV",
    "confusion-noci": "iLAP w/o CI",
    "confusion": "iLAP w/ CI",
}
"""Our names of the rows of table 1."""

NOVELTY: dict[str, Figures] = {
    "mnist": {
        "msp": {"fpr95": (0.14, 0.09), "auroc": (0.98, 0.01), "aupr": (0.95, 0.02)},
        "confidence": {"fpr95": (0.35, 0.13), "auroc": (0.80, 0.04), "aupr": (0.67, 0.09)},
        "odin": {"fpr95": (0.12, 0.09), "auroc": (0.98, 0.01), "aupr": (0.95, 0.02)},
        "gram": {"fpr95": (0.03, 0.03), "auroc": (0.99, 0.01), "aupr": (0.99, 0.01)},
        "distance": {"fpr95": (0.12, 0.08), "auroc": (0.98, 0.01), "aupr": (0.95, 0.02)},
        "confusion-noci": {"fpr95": (0.19, 0.02), "auroc": (0.92, 0.02), "aupr": (0.68, 0.05)},
        "confusion": {"fpr95": (0.0, 0.0), "auroc": (1.0, 0.0), "aupr": (1.0, 0.0)},
    },
    "cifar10": {
        "msp": {"fpr95": (0.60, 0.13), "auroc": (0.86, 0.04), "aupr": (0.71, 0.09)},
        "confidence": {"fpr95": (0.64, 0.13), "auroc": (0.78, 0.04), "aupr": (0.54, 0.03)},
        "odin": {"fpr95": (0.55, 0.12), "auroc": (0.87, 0.04), "aupr": (0.71, 0.09)},
        "gram": {"fpr95": (0.63, 0.12), "auroc": (0.67, 0.06), "aupr": (0.47, 0.08)},
        "distance": {"fpr95": (0.60, 0.12), "auroc": (0.78, 0.06), "aupr": (0.60, 0.08)},
        "confusion-noci": {"fpr95": (0.58, 0.03), "auroc": (0.69, 0.03), "aupr": (0.40, 0.05)},
        "confusion": {"fpr95": (0.32, 0.10), "auroc": (0.93, 0.03), "aupr": (0.81, 0.08)},
    },
    "svhn": {
        "msp": {"fpr95": (0.08, 0.04), "auroc": (0.98, 0.01), "aupr": (0.98, 0.01)},
        "confidence": {"fpr95": (0.5, 0.1), "auroc": (0.78, 0.03), "aupr": (0.72, 0.07)},
        "odin": {"fpr95": (0.12, 0.01), "auroc": (0.94, 0.01), "aupr": (0.93, 0.02)},
        "gram": {"fpr95": (0.06, 0.04), "auroc": (0.97, 0.01), "aupr": (0.98, 0.01)},
        "distance": {"fpr95": (0.28, 0.11), "auroc": (0.96, 0.01), "aupr": (0.95, 0.0)},
        "confusion-noci": {"fpr95": (0.08, 0.02), "auroc": (0.92, 0.02), "aupr": (0.89, 0.04)},
        "confusion": {"fpr95": (0.0, 0.0), "auroc": (0.99, 0.0), "aupr": (0.98, 0.0)},
    },
    "cifar100": {
        "msp": {"fpr95": (0.20, 0.04), "auroc": (0.95, 0.02), "aupr": (0.71, 0.09)},
        "confidence": {"fpr95": (0.55, 0.12), "auroc": (0.82, 0.01), "aupr": (0.63, 0.02)},
        "odin": {"fpr95": (0.21, 0.04), "auroc": (0.94, 0.02), "aupr": (0.91, 0.01)},
        "gram": {"fpr95": (0.23, 0.03), "auroc": (0.97, 0.01), "aupr": (0.94, 0.02)},
        "distance": {"fpr95": (0.28, 0.05), "auroc": (0.96, 0.01), "aupr": (0.94, 0.01)},
        "confusion-noci": {"fpr95": (0.27, 0.05), "auroc": (0.92, 0.05), "aupr": (0.72, 0.12)},
        "confusion": {"fpr95": (0.08, 0.02), "auroc": (0.99, 0.0), "aupr": (0.98, 0.0)},
    },
}
"""Table 1: novelty detection, exposures of 200."""


def with_variants(figures: Figures) -> Figures:
    """The figures by all names under which we run such a row."""
    return {
        data: {**rows, **{ours: rows[theirs] for ours, theirs in VARIANTS.items()}}
        for data, rows in figures.items()
    }


OF_LEARNERS = {"accuracy": with_variants(ACCURACY), "unique_classes": with_variants(UNIQUE_CLASSES)}
"""Tables 2 and 3 by the figure of a run that each is about."""

BESIDE: Beside = {
    "paper: accuracy": (OF_LEARNERS["accuracy"], 3),
    "paper: classes": (OF_LEARNERS["unique_classes"], 1),
}
"""What stands beside the figures of a benchmark."""
