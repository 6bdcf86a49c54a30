"""All that a learner has learned, as one value, and which classes stay in it (paper 3.4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, cast

from ilap.classify.contract import Classifier, Movable
from ilap.decision import Decision
from ilap.exposure import Samples
from ilap.memory import Memory


@dataclass(frozen=True)
class State:
    """All that a learner has learned. It is replaced whole or not at all."""

    classifier: Classifier
    memory: Memory
    sizes: tuple[int, ...] = ()  # pictures in every exposure seen
    members: Mapping[int, tuple[int, ...]] = field(default_factory=dict)  # the exposures of every class
    founded: int = 0  # classes ever founded, so that no id is used twice
    waiting: tuple[Samples, ...] = ()  # exposures that are unsure, the oldest first
    errors: tuple[float, ...] = ()  # how likely the last decisions were wrong

    @property
    def seen(self) -> int:
        """How many exposures there were."""
        return len(self.sizes)

    def with_member(self, class_id: int, number: int, classifier: Classifier, memory: Memory) -> State:
        """An exposure as part of a class, new or known."""
        members = {**self.members, class_id: (*self.members.get(class_id, ()), number)}
        founded = max(self.founded, class_id + 1)
        return replace(self, classifier=classifier, memory=memory, members=members, founded=founded)

    def parted(self, leaving: Sequence[int]) -> State:
        """Exposures of one class as a new class."""
        source = next(k for k, own in self.members.items() if leaving[0] in own)
        rest = tuple(number for number in self.members[source] if number not in leaving)
        return replace(
            self,
            classifier=cast(Movable, self.classifier).move(leaving, self.founded),
            memory=self.memory.move(leaving, source, self.founded),
            members={**self.members, source: rest, self.founded: tuple(leaving)},
            founded=self.founded + 1,
        )


class Step(NamedTuple):
    """An answer, and what is known after it."""

    state: State
    decision: Decision


def accepted(state: State, class_id: int, above: float) -> bool:
    """Whether a new class is recognised well enough to keep; the first one always is."""
    return len(state.members) == 1 or state.classifier.accuracies(state.memory, (class_id,))[0] >= above


def prune(state: State, class_id: int, below: float) -> tuple[State, tuple[int, ...]]:
    """Discard the classes whose accuracy has fallen too low (paper 3.4). The last one always stays, and so does
    one of which a person has said what belongs to it."""
    fixed = getattr(state.classifier, "fixed", ())
    touched = [k for k in state.classifier.touched(class_id) if not set(state.members[k]).intersection(fixed)]
    discarded = []
    for accuracy, touched_id in sorted(
        zip(state.classifier.accuracies(state.memory, touched), touched, strict=True)
    ):
        if accuracy < below and len(state.classifier.classes) > 1:
            state = replace(
                state,
                classifier=state.classifier.discard(touched_id),
                memory=state.memory.discard(touched_id),
                members={k: members for k, members in state.members.items() if k != touched_id},
            )
            discarded.append(touched_id)
    return state, tuple(discarded)
