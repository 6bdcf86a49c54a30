"""IOLfCV, the paper's unsupervised rival: a fixed threshold on the distance of features, as the authors run it.

The threshold is the best for the whole stream in hindsight, as the paper grants it: the stream is first learned
with its labels, every exposure scored before it is learned. Features, optimiser and exemplars are those of
``paper-cpu``; only the detector (detect/distance.py, the mean distance of pictures) differs.
"""

from __future__ import annotations

from ilap.bench.learners.contract import Task
from ilap.bench.learners.hindsight import best_threshold
from ilap.bench.learners.preset import Preset

PRESET = "paper-cpu-drop"


def create(task: Task, form: str = "pictures") -> Preset:
    """Find the threshold, then begin again without labels."""
    threshold = in_hindsight(task, form)
    learner = task.learner(PRESET, **{"detector": "distance", "distance.form": form, "threshold": threshold})
    return Preset(learner, facts={"threshold": threshold})


def in_hindsight(task: Task, form: str) -> float:
    """The best threshold for the stream, were it learned with labels."""
    taught = Preset(task.learner(PRESET, **{"detector": "distance", "distance.form": form}), labelled=True)
    scores, novel = [], []
    for exposure, truth in task.stream:
        if taught.ids:
            scores.append(taught.learner.detect(exposure).score)
            novel.append(truth not in taught.ids)
        taught.observe(exposure, truth)
    return best_threshold(scores, novel)
