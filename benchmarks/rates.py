"""Figures over families of streams: how much of what a learner is sure of is wrong, and what it finds.

Streams weigh the same within a family, whatever their length, and families the same in the pool: so neither the
longest stream nor the family with most streams decides. A threshold may be chosen for each family by what is
best on the others (``choices``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ilap.bench.tables import NOTHING, Grid, short
from ilap.core.metrics import wilson

Row = Mapping[str, Any]
"""The figures of one run of a stream (bench.row)."""

RATES = {"sure": "exposures", "sure_at_end": "exposures", "wrong_of_sure": "sure_answers"}
"""Shares, and what each is a share of. Exposures that a person answered are not among them."""
MEANS = ("ari", "log_loss", "ece")


@dataclass(frozen=True)
class Rate:
    """A weighted share of ``count`` cases. Weights cost precision: the interval is that of ``effective`` =
    1 / sum_i (w_i^2 / n_i) cases (Kish, 1965), as if they were independent."""

    value: float
    count: int
    effective: float

    def plain(self) -> dict[str, Any]:
        """As JSON takes it."""
        return {"value": self.value, "n": self.count, "interval": wilson(self.value, self.effective)}

    def text(self) -> str:
        """For a table.

        >>> Rate(0.05, 100, 100.0).text()
        '.050 [.022, .112] n 100'
        """
        low, high = wilson(self.value, self.effective)
        return f"{short(self.value, 3)} [{short(low, 3)}, {short(high, 3)}] n {self.count}"


def weighed(groups: Sequence[Sequence[Row]], name: str) -> list[tuple[Row, float]]:
    """The rows that have a figure, with their weights: groups weigh the same, and in them rows."""
    there = [[row for row in rows if row[name] is not None] for rows in groups]
    there = [rows for rows in there if rows]
    return [(row, 1 / len(there) / len(rows)) for rows in there for row in rows]


def rate(groups: Sequence[Sequence[Row]], name: str) -> Rate | None:
    """A share over groups of streams."""
    of = RATES[name]
    parts = [
        (row[name], weight, row[of] - (row["asked"] if of == "exposures" else 0))
        for row, weight in weighed(groups, name)
    ]
    if not parts:
        return None
    spread = sum(weight**2 / count for _, weight, count in parts)
    return Rate(sum(value * weight for value, weight, _ in parts), sum(n for *_, n in parts), 1 / spread)


def mean(groups: Sequence[Sequence[Row]], name: str) -> float | None:
    """A figure over groups of streams."""
    parts = weighed(groups, name)
    return sum(row[name] * weight for row, weight in parts) if parts else None


def figures(groups: Sequence[Sequence[Row]]) -> dict[str, Any]:
    """All figures of one family, or of several that weigh the same."""
    rows = [row for group in groups for row in group]
    return {
        "streams": len(rows),
        "exposures": sum(row["exposures"] for row in rows),
        "asked": sum(row["asked"] for row in rows),
        **{name: rate(groups, name) for name in RATES},
        **{name: mean(groups, name) for name in MEANS},
    }


def over_all(rows: Mapping[str, Sequence[Row]]) -> dict[str, dict[str, Any]]:
    """The figures of every family and, where there are several, of the pool."""
    found = {name: figures([own]) for name, own in rows.items()}
    return found | ({"pool": figures(list(rows.values()))} if len(rows) > 1 else {})


def table(found: Mapping[str, Mapping[str, Any]]) -> Grid:
    """One row a family."""
    columns = list(next(iter(found.values())))
    body = tuple((name, *(text(own[column]) for column in columns)) for name, own in found.items())
    return Grid(("family", *(column.replace("_", " ") for column in columns)), body)


def text(value: Any) -> str:
    """A figure in a table."""
    if value is None:
        return NOTHING
    if isinstance(value, Rate):
        return value.text()
    return short(value, 3) if isinstance(value, float) else str(value)


def plain(found: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """The figures as JSON takes them."""
    return {
        name: {key: value.plain() if isinstance(value, Rate) else value for key, value in own.items()}
        for name, own in found.items()
    }


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


def choice_table(scores: Mapping[float, Mapping[str, float]]) -> Grid:
    """One row a family: the score of every value, and the choice."""
    body = []
    for name, choice in choices(scores).items():
        every = (short(own[name], 3) for own in scores.values())
        body.append((name, *every, f"{choice.value:g}", short(choice.score, 3)))
    means = [sum(own.values()) / len(own) for own in scores.values()]
    chosen = sum(choice.score for choice in choices(scores).values()) / len(body)
    body.append(("mean", *(short(value, 3) for value in means), "", short(chosen, 3)))
    return Grid(("family", *(f"{value:g}" for value in scores), "chosen", "left out"), tuple(body))
