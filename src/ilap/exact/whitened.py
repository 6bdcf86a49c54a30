"""An exposure in whitened coordinates, and what it tells of its stream: how noisy pictures are, and whether
they follow each other. Both are kept for the exposures after it, since a few pictures tell little of that by
themselves.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ilap.core.classifier import Array
from ilap.core.exposure import Samples
from ilap.exact import succession
from ilap.exact.model import Model
from ilap.exact.noise import estimate
from ilap.exact.statistics import Traits


@dataclass(frozen=True)
class Whitened:
    """``residuals`` around the exposure's mean, and that ``mean``; ``columns`` are the classes that it is
    compared with."""

    residuals: Array
    mean: Array
    columns: NDArray[np.intp]
    traits: Traits


def whitened(model: Model, exposure: Samples) -> Whitened:
    """Noise is estimated in the directions that so few pictures can tell (class_prior.py)."""
    rule, frame = model.rule, model.frame
    rows = exposure.rows.astype(np.float64)
    mean = rows.mean(0)
    white = frame.whiten(np.concatenate([rows - mean, mean[None]]))
    view = frame.class_prior.view(rule.class_prior.blur / len(rows))
    viewed = view(white)[:-1]
    before = [own.traits for number, own in model.seen.items() if number != exposure.number]
    kept = model.unsure.get(exposure.number)
    estimated = estimate(viewed, view.noise, before, rule.noise, kept.traits if kept else None)
    follow = succession.ratio(viewed) if exposure.ordered else None
    traits = Traits(estimated.log_tr, estimated.log_ratio, follow)
    return Whitened(white[:-1], white[-1], model.shortlist(mean), traits)
