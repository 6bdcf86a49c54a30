"""``ilap`` itself, with any preset: alone, without label or hindsight, or taught, as an oracle is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from numpy.typing import NDArray

from ilap.bench.learners.contract import Task
from ilap.core.decision import Decision
from ilap.core.exposure import Exposure, Picture
from ilap.exact.questions import Question
from ilap.learner.learner import Learner
from ilap.learner.naming import KnownClass, Prediction


@dataclass(frozen=True)
class Preset:
    """An ``ilap.Learner`` on the bench. A labelled one founds its classes in the order in which they come."""

    learner: Learner
    labelled: bool = False
    facts: Mapping[str, float] = field(default_factory=dict)
    ids: dict[int, int] = field(default_factory=dict)

    @property
    def classes(self) -> Mapping[int, KnownClass]:
        """The classes known now."""
        return self.learner.classes

    def observe(self, exposure: Exposure, label: int | None = None) -> Decision:
        """Decide and learn, or learn what the label says."""
        if not self.labelled or label is None:
            return self.learner.observe(exposure)
        decision = self.learner.teach(exposure, self.ids.get(label))
        if decision.class_id is not None:
            self.ids[label] = decision.class_id
        return decision

    def ask_again(self) -> Sequence[Decision]:
        """Ask about all that is unsure once more."""
        return () if self.labelled else self.learner.ask_again()

    def ask(self, count: int, bulk: bool = False) -> Sequence[Question]:
        """What to ask a person."""
        return self.learner.ask(count, bulk)

    def matches(self) -> tuple[Sequence[int], NDArray[Any]]:
        """Exposures, and the log odds that each two of them show the same."""
        scene = self.learner.scene()
        return scene.numbers, scene.odds

    def question(self, exposure: int) -> Question | None:
        """What to ask a person about an exposure."""
        return self.learner.question(exposure)

    def answer(self, question: Question, key: str) -> Sequence[Decision]:
        """A person answers."""
        answered = self.learner.answer(question, key)
        return [*answered.decided, *answered.settled]

    def places(self) -> Mapping[int, int]:
        """Where every exposure most likely belongs, by looking at everything again."""
        self.learner.regroup()
        return self.learner.places

    def samples(self, pictures: Sequence[Picture]) -> NDArray[Any]:
        """What the learner sees of pictures."""
        return self.learner.samples(pictures)

    def predict_samples(self, samples: NDArray[Any]) -> Prediction:
        """Name them, by what is sure."""
        return self.learner.predict_samples(samples, tentative=False)


def of_preset(name: str, task: Task) -> Preset:
    """The learner of a preset (settings.py)."""
    return Preset(task.learner(name))
