"""Places: where every exposure most likely belongs, sure or not, inferred for all of them at once.

The exposures of a class stay together and those of two classes apart, and so do those that people told apart;
all others are joined to them and to each other by the model of sessions (surroundings.py). A group without a
class is *tentative*: it is shown, and nothing is learned from it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import numpy as np

from ilap.exact.model import Model
from ilap.exact.statistics import NO_CLASS
from ilap.exact.surroundings import Surroundings, alike, joined


def places(model: Model, next_id: int) -> dict[int, int]:
    """The class of every exposure or its tentative group, which have ids from ``next_id`` on."""
    numbers = list(model.seen)
    if not numbers:
        return {}
    row = {number: at for at, number in enumerate(numbers)}
    classes = np.array([model.seen[number].class_id for number in numbers], np.intp)
    apart = tuple((row[one], row[other]) for one, other in sorted(model.apart))
    every = alike(model, model.seen)
    labels = joined(every.bands, every.share, classes, apart, model.needed)
    found: dict[int, int] = {}
    for label in dict.fromkeys(labels.tolist()):
        own = np.flatnonzero(labels == label)
        known = classes[own][classes[own] != NO_CLASS]
        place = int(known[0]) if len(known) else next_id
        next_id += not len(known)
        found.update((numbers[i], place) for i in own)
    return dict(sorted(found.items()))


def group_of(around: Surroundings, number: int, groups: Mapping[int, int]) -> int | None:
    """The group that an exposure gathers with; None where it gathers with none. ``groups`` has the group of
    every exposure that is in one."""
    own = around.labels == around.labels[around.row(number)]
    others = [other for other, inside in zip(around.compared.numbers, own, strict=True) if inside]
    found = Counter(groups[other] for other in others if other in groups and other != number)
    return min(found, key=lambda group: (-found[group], group)) if found else None
