"""How well a learner knows each class, and what a person should look at."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from ilap.core.exemplars import Memory
from ilap.exact import review
from ilap.exact.exact import Exact
from ilap.exact.review import Proposal


@dataclass(frozen=True)
class Health:
    """Of one class: the share of its exemplars that is named right, each left out in turn; the class that it is
    most easily taken for, with the mean probability that its exemplars are given for it; how likely all of it
    is one thing, and if that is doubtful, the exposures that go together."""

    class_id: int
    accuracy: float
    look_alike: int | None
    confusion: float
    purity: float
    parts: tuple[tuple[int, ...], tuple[int, ...]] | None


def health(exact: Exact, memory: Memory) -> list[Health]:
    """Of all classes."""
    classes = exact.classes
    if not classes:
        return []
    accuracies = exact.accuracies(memory, classes)
    found = []
    for column, class_id in enumerate(classes):
        mean = exact.probabilities(memory.train[class_id].samples).mean(0)
        mean[column] = -1
        other = int(mean.argmax())
        alone = len(classes) == 1
        two = review.likely_two(exact, class_id)
        doubtful = two.probability > exact.rule.review.likely
        found.append(
            Health(
                class_id,
                float(accuracies[column]),
                None if alone else classes[other],
                0.0 if alone else float(mean[other]),
                1 - two.probability,
                (two.together, two.apart) if doubtful else None,
            )
        )
    return found


def proposed(exact: Exact, apart: Collection[tuple[int, int]] = ()) -> int:
    """How many changes to what is sure are proposed: classes that are likely one, and classes that are likely
    two."""
    two = (review.likely_two(exact, class_id).probability for class_id in exact.classes)
    return len(proposals(exact, apart)) + sum(share > exact.rule.review.likely for share in two)


def proposals(exact: Exact, apart: Collection[tuple[int, int]] = ()) -> list[Proposal]:
    """Classes that are likely one, without those that a person has told apart."""
    return [found for found in review.likely_one(exact) if (found.class_id, found.other) not in apart]
