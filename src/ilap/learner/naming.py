"""What a state says of classes, and of single pictures."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ilap.core.classifier import Classifier, places_exposures
from ilap.core.errors import NothingLearned
from ilap.core.page_parts import pictures_in_html
from ilap.core.plural import counted
from ilap.learner.state import State


class Prediction(NamedTuple):
    """For every picture the likeliest class and, in the order of ``classes``, the probability of each.
    ``groups`` are those of the classes that are tentative groups."""

    class_ids: NDArray[np.int64]
    probabilities: NDArray[np.float64]
    classes: tuple[int, ...]
    groups: frozenset[int] = frozenset()

    @property
    def tentative(self) -> NDArray[np.bool_]:
        """Of every picture whether its likeliest class is a tentative group."""
        return np.isin(self.class_ids, list(self.groups))


@dataclass(frozen=True, repr=False)
class KnownClass:
    """A class is a set of exposures, by their numbers; ``exemplars`` are its most typical pictures, best
    first, each as (exposure number, place in it). ``thumbnails`` gives small copies of some of its pictures, as
    JPEG, where there are any."""

    exposures: tuple[int, ...]
    pictures: int
    exemplars: tuple[tuple[int, int], ...]
    thumbnails: Callable[[], Sequence[bytes]] | None = field(default=None, compare=False)

    def __repr__(self) -> str:
        """In a few words.

        >>> KnownClass((3, 8), 36, ((3, 1),))
        KnownClass(2 exposures, 36 pictures)
        """
        return f"KnownClass({counted(len(self.exposures), 'exposure')}, {counted(self.pictures, 'picture')})"

    def _repr_html_(self) -> str:
        """The same with pictures, for a notebook."""
        try:
            small = self.thumbnails() if self.thumbnails else ()
        except ValueError:  # the learner's file was closed
            small = ()
        return f"<p>{escape(repr(self))}</p>{pictures_in_html(small)}"


def predict(
    state: State, samples: NDArray[Any], tentative: bool = True, logits: NDArray[np.float64] | None = None
) -> Prediction:
    """Name pictures by what the classifier sees of them: as one of the classes and, unless they are not wanted,
    of the ``tentative`` groups. ``logits`` are what the adapted network says of the same pictures; without them
    frozen features decide alone."""
    classifier = with_groups(state) if tentative else state.classifier
    if not classifier.classes:
        raise NothingLearned("No class is known yet: let the learner observe an exposure first.")
    if state.adapted is None or logits is None:
        probabilities = classifier.probabilities(samples)
    else:
        exact = replace(state, classifier=classifier).exact
        probabilities = state.adapted.probabilities(exact, samples, logits)
    class_ids = np.array(classifier.classes)[probabilities.argmax(1)]
    groups = frozenset(classifier.classes).difference(state.members)
    return Prediction(class_ids, probabilities, classifier.classes, groups)


def with_groups(state: State) -> Classifier:
    """The classifier as if the tentative groups were classes, for naming only: nothing is learned from it.
    One that cannot tell which exposures belong together names by the classes alone."""
    classifier = state.classifier
    if not places_exposures(classifier):
        return classifier
    waiting = [own for own in state.waiting if state.tentative[own.number] not in state.members]
    return classifier.with_groups(waiting, state.tentative)


def known_classes(state: State) -> dict[int, KnownClass]:
    """The classes known now, by their ids."""
    return {
        class_id: KnownClass(
            exposures,
            sum(state.sizes[number] for number in exposures),
            tuple((int(number), int(row)) for number, row in state.memory.train[class_id].origins),
        )
        for class_id, exposures in sorted(state.members.items())
    }


def class_name(class_id: int, names: Mapping[int, str], tentative: bool = False) -> str:
    """The name of a class or of a tentative group, or one made of its id."""
    return names.get(class_id) or f"{'group' if tentative else 'class'} {class_id}"
