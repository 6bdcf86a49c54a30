"""A world that is just as the exact classifier models it, in which every probability can be checked."""

from __future__ import annotations

import numpy as np

from ilap.backbones.prior import Prior
from ilap.core.exemplars import Memory
from ilap.core.exposure import Samples, validation_mask
from ilap.core.rule import RULE
from ilap.exact.exact import Exact, with_prior

DIM = 40
SHARE, FLOOR, BLUR = RULE.class_prior.share, RULE.class_prior.floor, RULE.class_prior.blur
VARIANCES = np.linspace(3, 0, DIM).astype(np.float32)
PRIOR = Prior(np.zeros(DIM, np.float32), np.eye(DIM, dtype=np.float32), separation=80.0, between=VARIANCES)


class Rows:
    key, dim = "rows", DIM

    def features(self, pictures: object) -> np.ndarray:
        raise NotImplementedError


def shown(number: int, centre: np.ndarray, count: int, rng: np.random.Generator) -> Samples:
    """An exposure of normal pictures around a class's mean, as the model has it."""
    rows = (centre + rng.normal(size=(count, DIM))).astype(np.float32)
    return Samples(number, rows, validation_mask(count))


def world(classes: int, count: int, seed: int) -> tuple[Exact, np.ndarray, np.random.Generator]:
    """A classifier that has learned one exposure of every class, in a world that is as the model has it."""
    rng = np.random.default_rng(seed)
    centres = rng.normal(size=(classes, DIM)) * np.sqrt(SHARE * VARIANCES + FLOOR)
    learned = with_prior(Rows(), PRIOR)
    for number, centre in enumerate(centres):
        learned = learned.learn(shown(number, centre, count, rng), number, Memory(40, 10), 0)
    return learned, centres, rng
