"""One threshold chosen without the family on which it is scored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ilap.bench.tables import Grid, short


@dataclass(frozen=True)
class Choice:
    """The value that is best on the other families, and what it gives on the one that was left out."""

    value: float
    score: float


def choices(scores: Mapping[float, Mapping[str, float]]) -> dict[str, Choice]:
    """Of scores by value and family, the choice for every family: the value with the largest mean over the
    others, the first of several.

    >>> found = choices({0.1: {"a": 0.9, "b": 0.1, "c": 0.2}, 0.2: {"a": 0.3, "b": 0.5, "c": 0.6}})
    >>> found["a"], found["b"].value
    (Choice(value=0.2, score=0.3), 0.1)
    """
    found = {}
    for left in next(iter(scores.values())):
        others = {value: [s for name, s in own.items() if name != left] for value, own in scores.items()}
        best = max(others, key=lambda value: sum(others[value]))
        found[left] = Choice(best, scores[best][left])
    return found


def table(scores: Mapping[float, Mapping[str, float]]) -> Grid:
    """One row a family: the score of every value, and the choice."""
    body = []
    for name, choice in choices(scores).items():
        every = (short(own[name], 3) for own in scores.values())
        body.append((name, *every, f"{choice.value:g}", short(choice.score, 3)))
    means = [sum(own.values()) / len(own) for own in scores.values()]
    chosen = sum(choice.score for choice in choices(scores).values()) / len(body)
    body.append(("mean", *(short(value, 3) for value in means), "", short(chosen, 3)))
    return Grid(("family", *(f"{value:g}" for value in scores), "chosen", "left out"), tuple(body))
