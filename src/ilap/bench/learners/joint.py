"""The ceiling: every picture of the stream learned with its label before the first exposure is shown.

All pictures of a class are one exposure and all exemplars are kept, so the last update learns from everything
at once. What it says of an exposure afterwards is what the label says.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ilap.bench.learners.contract import Task
from ilap.bench.learners.preset import Preset
from ilap.core.decision import Decision, Kind
from ilap.core.exposure import Exposure

PRESET = "fast"


@dataclass(frozen=True)
class Joint(Preset):
    """It has learned all there is to learn; ``shown`` are the classes that have come up so far."""

    shown: set[int] = field(default_factory=set)

    def observe(self, exposure: Exposure, label: int | None = None) -> Decision:
        """Repeat the label: new where its class comes up for the first time."""
        if label is None:
            raise ValueError("joint learning has labels")
        kind: Kind = "known" if label in self.shown else "new"
        self.shown.add(label)
        return Decision(kind, self.ids[label], float("nan"), {}, "learned beforehand", 0, 0.0)


def create(task: Task) -> Joint:
    """``fast``, or what the settings make of it, taught everything at once."""
    stream = task.stream
    places: dict[int, list[int]] = {}
    for truth, pictures in zip(stream.truths, stream.pictures, strict=True):
        places.setdefault(truth, []).extend(pictures)
    everything = 2 * max(map(len, places.values()))
    joint = Joint(task.learner(PRESET, exemplars=everything), labelled=True)
    for label, own in places.items():
        decision = joint.learner.teach([stream.dataset.train.pictures[i] for i in dict.fromkeys(own)])
        joint.ids[label] = decision.class_id if decision.class_id is not None else -1
    return joint
