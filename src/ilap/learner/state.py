"""All that a learner has learned, as one value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from ilap.core.classifier import Classifier, correctable
from ilap.core.exemplars import Memory
from ilap.core.exposure import Samples


@dataclass(frozen=True)
class State:
    """It is replaced whole or not at all."""

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

    def arrived(self, samples: Samples) -> State:
        """An exposure has come; nothing is known of it yet."""
        return replace(self, sizes=(*self.sizes, len(samples)))

    def learned(self, samples: Samples, class_id: int, seed: int) -> State:
        """An exposure as part of a class, new or known: the classifier learns it, and its most typical samples
        join P_train and P_val."""
        classifier = self.classifier.learn(samples, class_id, self.memory, seed)
        return replace(
            self,
            classifier=classifier,
            memory=self.memory.remember(class_id, samples, classifier.features),
            members={
                **self.members,
                class_id: tuple(sorted({*self.members.get(class_id, ()), samples.number})),
            },
            founded=max(self.founded, class_id + 1),
        )

    def parted(self, leaving: Sequence[int]) -> State:
        """Exposures of one class as a new class."""
        if not correctable(self.classifier):
            raise TypeError("only a classifier in which exposures can be moved finds that a class is two")
        source = next(k for k, own in self.members.items() if leaving[0] in own)
        rest = tuple(number for number in self.members[source] if number not in leaving)
        return replace(
            self,
            classifier=self.classifier.move(leaving, self.founded),
            memory=self.memory.move(leaving, source, self.founded),
            members={**self.members, source: rest, self.founded: tuple(sorted(leaving))},
            founded=self.founded + 1,
        )

    def waits(self, exposures: Sequence[Samples], at_most: int) -> State:
        """Exposures are unsure, and wait to be asked about again. Their pictures are not kept."""
        plain = (replace(samples, pictures=()) for samples in exposures)
        return replace(self, waiting=(*self.waiting, *plain)[-at_most:])

    def gives_up(self, class_id: int, exposures: Sequence[Samples]) -> State:
        """Without a class that is no longer recognised. A classifier that can forget exposures forgets these,
        as if they had never come; another loses the class."""
        classifier = self.classifier
        left = classifier.forget(exposures) if correctable(classifier) else classifier.discard(class_id)
        return replace(
            self,
            classifier=left,
            memory=self.memory.discard(class_id),
            members={k: members for k, members in self.members.items() if k != class_id},
        )
