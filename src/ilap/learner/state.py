"""All that a learner has learned, as one value."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ilap.core.classifier import Classifier, correctable
from ilap.core.errors import BadCorrection
from ilap.core.exemplars import Memory
from ilap.core.exposure import Samples
from ilap.exact.exact import Exact
from ilap.learner.adapted import Adapted


@dataclass(frozen=True)
class State:
    """It is replaced whole or not at all."""

    classifier: Classifier
    memory: Memory
    sizes: tuple[int, ...] = ()  # pictures in every exposure seen
    members: Mapping[int, tuple[int, ...]] = field(default_factory=dict)  # the exposures of every class
    founded: int = 0  # the next id of a class or of a tentative group, so that none is used twice
    waiting: tuple[Samples, ...] = ()  # exposures that are unsure, the oldest first
    tentative: Mapping[int, int] = field(default_factory=dict)  # the likeliest place of each (tentative.py)
    adapted: Adapted | None = None  # a second opinion on single pictures (adapted.py)

    @property
    def exact(self) -> Exact:
        """The classifier, if it can move what it learned."""
        if not isinstance(self.classifier, Exact):
            raise BadCorrection("This learner cannot move what it learned: take the preset fast.")
        return self.classifier

    @property
    def seen(self) -> int:
        """How many exposures there were."""
        return len(self.sizes)

    @property
    def is_empty(self) -> bool:
        """Whether no exposure is anywhere."""
        return not self.members and not self.tentative

    def arrived(self, samples: Samples) -> State:
        """An exposure has come; nothing is known of it yet."""
        return replace(self, sizes=(*self.sizes, len(samples)))

    def saw(self, samples: Samples) -> State:
        """A classifier that learns from all that it sees has seen an exposure, whatever it shows."""
        if not correctable(self.classifier):
            return self
        return replace(self, classifier=self.classifier.see(samples))

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
            tentative={n: place for n, place in self.tentative.items() if n != samples.number},
        )

    def waits(self, exposures: Sequence[Samples], place: int) -> State:
        """Exposures are unsure, and wait to be asked about again; this is their tentative place. Their pictures
        are not kept."""
        more = (replace(samples, pictures=()) for samples in exposures)
        return replace(
            self,
            waiting=oldest_first((*self.waiting, *more)),
            tentative={**self.tentative, **{samples.number: place for samples in exposures}},
            founded=max(self.founded, place + 1),
        )

    def gives_up(self, class_id: int, exposures: Sequence[Samples]) -> State:
        """Without a class that is no longer recognised. Where exposures can be moved, these are unsure again;
        else the class is lost."""
        classifier, numbers = self.classifier, [samples.number for samples in exposures]
        left = classifier.doubt(numbers) if correctable(classifier) else classifier.discard(class_id)
        return replace(
            self,
            classifier=left,
            memory=self.memory.discard(class_id),
            members={k: members for k, members in self.members.items() if k != class_id},
        )


def oldest_first(exposures: Iterable[Samples]) -> tuple[Samples, ...]:
    """Exposures in the order in which they came."""
    return tuple(sorted(exposures, key=lambda samples: samples.number))
