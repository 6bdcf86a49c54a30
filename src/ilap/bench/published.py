"""What the paper reports in its tables 2 and 3: mean and standard deviation, by data set and learner."""

from __future__ import annotations

Figures = dict[str, dict[str, tuple[float, float]]]

LEARNERS = {
    "bic": "BiC (supervised)",
    "iolfcv": "IOLfCV",
    "paper-noci": "iLAP without class imbalance",
    "paper": "iLAP with class imbalance",
}
"""Our names of the paper's rows."""

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
