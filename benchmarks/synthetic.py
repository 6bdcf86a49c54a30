"""A learner that knows very many classes, of synthetic features: the scatter is drawn once and scaled, so that
it is ready in seconds."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ilap import Learner
from ilap.core.exposure import Samples, validation_mask
from ilap.exact.exact import Exact
from ilap.exact.metric import Metric
from ilap.exact.statistics import Statistics, Sums, Traits

DRAWN = 2000  # residuals of which the scatter is made


def exact_of(learner: Learner) -> Exact:
    """Its classifier."""
    assert isinstance(learner.state.classifier, Exact)
    return learner.state.classifier


def teach(learner: Learner, centres: NDArray[np.float64], pictures: int, kept: int) -> None:
    """Make a learner know one exposure of so many pictures around each of these means; ``kept`` of them are
    exemplars."""
    rng = np.random.default_rng(0)
    state, exact = learner.state, exact_of(learner)
    classes, dim = centres.shape
    statistics, memory = {}, state.memory
    for class_id, centre in enumerate(centres):
        rows = (centre + rng.normal(size=(max(kept, 20), dim))).astype(np.float16)
        total = pictures * (centre + rng.normal(size=dim) / np.sqrt(pictures))
        traits = Traits(log_tr=0.0, log_ratio=float(np.log(3 / dim)))
        statistics[class_id] = Statistics(class_id, Sums(pictures, total), traits, rows[:20])
        some = Samples(class_id, rows[:kept], validation_mask(kept))
        memory = memory.remember(class_id, some, exact.features)
    noise, freedom = rng.normal(size=(DRAWN, dim)), (pictures - 1) * classes
    metric = Metric(noise.T @ noise * (freedom / DRAWN), freedom, prior_known=True)
    model = replace(
        exact.model.with_metric(metric),
        exposures=statistics,
        by_class={class_id: own.sums for class_id, own in statistics.items()},
    )
    learner.state = replace(
        state,
        classifier=replace(exact, model=model),
        memory=memory,
        sizes=(pictures,) * classes,
        members={class_id: (class_id,) for class_id in range(classes)},
        founded=classes,
    )
