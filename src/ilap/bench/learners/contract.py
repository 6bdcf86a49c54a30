"""What the benchmark asks of a learner.

A file that offers ``create(task)`` is one. If it also names a ``PRESET``, the one whose settings it starts
from, frozen features are computed before the run, and only once for all learners. Its own parameters are the
fields of its ``Parameters`` (core/parameters.py): ``--set cosine.sharpness=10``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from numpy.typing import NDArray

from ilap.backbones.contract import Backbone
from ilap.backbones.load import Named
from ilap.bench.stream import Stream
from ilap.core.decision import Decision
from ilap.core.exposure import Exposure, Picture
from ilap.core.parameters import NoParameters
from ilap.core.settings import Settings, resolve
from ilap.exact.questions import Question
from ilap.learner.learner import Learner
from ilap.learner.naming import Prediction


def load_frozen(settings: Settings) -> Backbone:
    """The frozen backbone that settings name."""
    return Named(settings.backbone).frozen()


@dataclass(frozen=True)
class Task:
    """What a learner is made for. ``stream`` is what it will be shown: only those that are granted labels or
    hindsight look at it beforehand. ``frozen`` gives a frozen backbone, its features perhaps stored already;
    ``parameters`` are the parameters of the learner's file."""

    stream: Stream
    seed: int = 0
    changes: Mapping[str, Any] = field(default_factory=dict)
    frozen: Callable[[Settings], Backbone] = load_frozen
    parameters: Any = field(default_factory=NoParameters)

    def learner(self, preset: str, **fixed: Any) -> Learner:
        """``ilap`` with a preset and the task's settings, some of them fixed by the learner's nature."""
        changes = {**self.changes, **fixed}
        settings = resolve(preset, changes)
        if settings.is_frozen:
            changes["backbone"] = self.frozen(settings)
        return Learner(preset, seed=self.seed, **changes)


class BenchLearner(Protocol):
    """A learner on the bench."""

    @property
    def labelled(self) -> bool:
        """Whether it is told what each exposure shows."""

    @property
    def facts(self) -> Mapping[str, float]:
        """What should be reported of it, such as a threshold found in hindsight."""

    @property
    def classes(self) -> Mapping[int, Any]:
        """The classes that it knows now, by their ids."""

    def observe(self, exposure: Exposure, label: int | None) -> Decision:
        """Decide what an exposure shows, and learn from it. ``label`` is None unless it is labelled."""

    def samples(self, pictures: Sequence[Picture]) -> NDArray[Any]:
        """What it sees of pictures; stays valid while it learns."""

    def predict_samples(self, samples: NDArray[Any]) -> Prediction:
        """Name pictures by what it sees of them."""


@runtime_checkable
class AsksAgain(Protocol):
    """A learner that asks about all that is unsure once more when the stream has ended."""

    def ask_again(self) -> Sequence[Decision]:
        """The answers that are sure now."""


@runtime_checkable
class AsksPeople(Protocol):
    """A learner that asks a person, and learns from the answers."""

    def ask(self, count: int, bulk: bool = False) -> Sequence[Question]:
        """The questions whose answers would help most, the best first; in bulk with exposures that are
        confirmed together."""

    def matches(self) -> tuple[Sequence[int], NDArray[Any]]:
        """Exposures, and the log odds that each two of them show the same."""

    def question(self, exposure: int) -> Question | None:
        """What to ask about one exposure."""

    def answer(self, question: Question, key: str) -> Sequence[Decision]:
        """What was decided by an answer."""


@runtime_checkable
class HasPlaces(Protocol):
    """A learner that says where it has put every exposure, such as one that groups all of them again. It is
    asked once, after the last exposure; of another the last answer about each exposure counts."""

    def places(self) -> Mapping[int, int]:
        """The place of every exposure, by its number; one that is left out is a group of its own."""
