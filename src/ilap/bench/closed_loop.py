"""The closed loop: every detector has a learner of its own, which learns what that detector decides.

It is told the first two classes, since a softmax over one says nothing, and nothing after.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, replace

from ilap.bench.cell import frozen
from ilap.bench.novelty_cell import KNOWN, Line, NoveltyCell
from ilap.bench.run import Run
from ilap.bench.stream import Stream
from ilap.decision import Decision
from ilap.exposure import Exposure
from ilap.learner import Learner
from ilap.learners.preset import Preset


def closed_loop(cell: NoveltyCell, stream: Stream) -> Iterator[Line]:
    """Score by one row and learn what it decides."""
    settings = cell.model.settings(cell.row)
    if cell.threshold is not None:
        settings = replace(settings, threshold=cell.threshold)
    changes = asdict(settings)
    if settings.is_frozen:
        changes["backbone"] = frozen(settings)
    learner = Begun(Learner(cell.model.preset, seed=cell.seed, **changes), labelled=True)
    for number, record in enumerate(Run(learner, stream)):
        decision = record.decision
        known = len(set(stream.truths[:number]))
        line: Line = {"number": number, "truth": record.truth, "novel": record.novel, "known": known}
        found = {cell.row: {"score": decision.score, "kind": decision.kind, "right": record.right}}
        line |= {"update": decision.seconds, "accuracy": record.accuracy, "classes": record.learned_classes}
        yield line | {"found": found if known >= KNOWN else {}}


class Begun(Preset):
    """A learner that is told the first two classes, and then decides for itself."""

    def observe(self, exposure: Exposure, label: int | None = None) -> Decision:
        """Learn what is told, or decide."""
        return super().observe(exposure, None if len(self.ids) >= KNOWN else label)
