"""The closed loop: every detector has a learner of its own, which learns what that detector decides.

It is told the first two classes, since a softmax over one says nothing, and nothing after.
"""

from __future__ import annotations

from collections.abc import Iterator

from ilap.bench.data import frozen
from ilap.bench.jobs import Line
from ilap.bench.learners.preset import Preset
from ilap.bench.run import Run
from ilap.bench.stream import Stream
from ilap.core.decision import Decision
from ilap.core.exposure import Exposure
from ilap.core.settings import Settings
from ilap.learner.learner import Learner

KNOWN = 2  # classes that have to be known before an exposure is scored


def closed_loop(settings: Settings, row: str, seed: int, stream: Stream) -> Iterator[Line]:
    """Score by one row and learn what it decides."""
    changes = settings.plain()
    if settings.is_frozen:
        changes["backbone"] = frozen(settings)
    learner = Begun(Learner(seed=seed, **changes), labelled=True)
    for number, record in enumerate(Run(learner, stream)):
        decision = record.decision
        known = len(set(stream.truths[:number]))
        line: Line = {"number": number, "truth": record.truth, "novel": record.novel, "known": known}
        found = {row: {"score": decision.score, "kind": decision.kind, "right": record.right}}
        line |= {"update": decision.seconds, "accuracy": record.accuracy, "classes": record.learned_classes}
        yield line | {"found": found if known >= KNOWN else {}}


class Begun(Preset):
    """A learner that is told the first two classes, and then decides for itself."""

    def observe(self, exposure: Exposure, label: int | None = None) -> Decision:
        """Learn what is told, or decide."""
        return super().observe(exposure, None if len(self.ids) >= KNOWN else label)
