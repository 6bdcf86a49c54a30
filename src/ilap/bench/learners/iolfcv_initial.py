"""IOLfCV with its own way to a threshold: from two initial classes that are labelled.

The first exposures of the first two classes of the stream are halved. The learner is taught one half of each;
the other halves tell how far a repeat lies from its class, and how far from the other class. The threshold is
the best for these four distances. As in learners/iolfcv.py otherwise.
"""

from __future__ import annotations

from ilap.bench.learners.contract import Task
from ilap.bench.learners.hindsight import best_threshold
from ilap.bench.learners.preset import Preset

PRESET = "paper-cpu-drop"
DETECTOR = {"detector": "distance", "distance.form": "pictures"}


def create(task: Task) -> Preset:
    """Find the threshold, then begin again without labels."""
    first = list({truth: number for number, truth in reversed(list(enumerate(task.stream.truths)))}.values())
    halves = []
    for number in sorted(first)[:2]:
        pictures = task.stream.exposure(number).pictures
        halves.append((pictures[::2], pictures[1::2] or pictures))
    scores, novel = [], []
    for own, (_, unseen) in enumerate(halves):
        for other, (seen, _) in enumerate(halves):
            taught = task.learner(PRESET, **DETECTOR)
            taught.teach(seen)
            scores.append(taught.detect(unseen).score)
            novel.append(own != other)
    threshold = best_threshold(scores, novel)
    learner = task.learner(PRESET, **DETECTOR, threshold=threshold)
    return Preset(learner, facts={"threshold": threshold})
