"""Answers that contradict each other: A shows the same as B, B the same as C, and yet A and C are different.

One of these answers is wrong, and a person is asked again about the one that was given the fewest times; of
those, about the one that the pictures speak against most. What was said twice all along is not asked again.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

import numpy as np

from ilap.exact.questions import Question, Scene
from ilap.exact.told import Pair, Told, apart, pair, together

TWICE = 2  # answers about a pair that settle it


def contradictions(told: Sequence[Told]) -> list[tuple[int, ...]]:
    """Exposures that are the same one after the other, while the first and the last of them are different; the
    shortest way for each pair told apart.

    >>> contradictions([Told(together=((0, 1), (1, 2))), Told(apart=((0, 2), (0, 3)))])
    [(0, 1, 2)]
    """
    neighbours: dict[int, list[int]] = {}
    for one, other in sorted(together(told)):
        neighbours.setdefault(one, []).append(other)
        neighbours.setdefault(other, []).append(one)
    found = (way(neighbours, *both) for both in sorted(apart(told)) if both[0] in neighbours)
    return [own for own in found if own]


def way(neighbours: Mapping[int, Sequence[int]], one: int, other: int) -> tuple[int, ...]:
    """The shortest way from one to another; empty where there is none."""
    came, waiting = {one: one}, deque([one])
    while waiting and other not in came:
        at = waiting.popleft()
        for then in neighbours[at]:
            if then not in came:
                came[then] = at
                waiting.append(then)
    if other not in came:
        return ()
    found = [other]
    while found[-1] != one:
        found.append(came[found[-1]])
    return tuple(reversed(found))


def asked_again(scene: Scene, told: Sequence[Told]) -> Iterator[Question]:
    """One question for every contradiction."""
    said = Counter(both for one in told for both in (*one.together, *one.apart))
    for path in contradictions(told):
        if not all(number in scene.row for number in path):
            continue
        steps = [pair(*both) for both in pairwise(path)]
        ends = pair(path[0], path[-1])
        fewest = min(said[both] for both in (*steps, ends))
        if fewest >= TWICE:
            continue
        doubted = min(
            (both for both in (*steps, ends) if said[both] == fewest),
            key=lambda both: -odds(scene, both) if both == ends else odds(scene, both),
        )
        one, other = (scene.row[number] for number in doubted)
        own, rest = scene.sides(one, other)
        share = float(scene.likely(np.array(odds(scene, doubted))))
        place, value = int(scene.places[other]), float(len(own) * len(rest))
        yield Question("same", doubted[0], (doubted[1],), (place,), (share,), value, 1.0, 0.5, path)


def odds(scene: Scene, both: Pair) -> float:
    """The log odds that two exposures show one thing."""
    return float(scene.odds[scene.row[both[0]], scene.row[both[1]]])
