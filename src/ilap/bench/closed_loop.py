"""The closed loop: every detector has a learner of its own, which learns what that detector decides.

It is told the first two classes, since a softmax over one says nothing, and nothing after.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from numpy.typing import NDArray

from ilap.bench.cell import frozen
from ilap.bench.novelty_cell import KNOWN, Line, NoveltyCell
from ilap.bench.run import Run
from ilap.bench.stream import Stream
from ilap.decision import Decision
from ilap.exposure import Exposure, Picture
from ilap.learner import KnownClass, Learner, Prediction


def closed_loop(cell: NoveltyCell, stream: Stream) -> Iterator[Line]:
    """Score by one row and learn what it decides."""
    settings = cell.model.settings(cell.row)
    if cell.threshold is not None:
        settings = replace(settings, threshold=cell.threshold)
    changes = asdict(settings)
    if settings.is_frozen:
        changes["backbone"] = frozen(settings)
    learner = Begun(Learner(cell.model.preset, seed=cell.seed, **changes))
    for number, record in enumerate(Run(learner, stream)):
        decision = record.decision
        known = len(set(stream.truths[:number]))
        line: Line = {"number": number, "truth": record.truth, "novel": record.novel, "known": known}
        found = {cell.row: {"score": decision.score, "kind": decision.kind, "right": record.right}}
        line |= {"update": decision.seconds, "accuracy": record.accuracy, "classes": record.learned_classes}
        yield line | {"found": found if known >= KNOWN else {}}


@dataclass(frozen=True)
class Begun:
    """A learner that is told the first two classes, and then decides for itself."""

    learner: Learner
    labelled: bool = True
    facts: Mapping[str, float] = field(default_factory=dict)
    ids: dict[int, int] = field(default_factory=dict)

    @property
    def classes(self) -> Mapping[int, KnownClass]:
        """The classes known now."""
        return self.learner.classes

    def observe(self, exposure: Exposure, label: int | None) -> Decision:
        """Learn what is told, or decide."""
        if label is None or len(self.ids) >= KNOWN:
            return self.learner.observe(exposure)
        decision = self.learner.teach(exposure, self.ids.get(label))
        if decision.class_id is not None:
            self.ids[label] = decision.class_id
        return decision

    def samples(self, pictures: Sequence[Picture]) -> NDArray[Any]:
        """What the learner sees of pictures."""
        return self.learner.samples(pictures)

    def predict_samples(self, samples: NDArray[Any]) -> Prediction:
        """Name them."""
        return self.learner.predict_samples(samples)
