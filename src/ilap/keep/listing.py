"""Exposures as a list that can be searched: where each is, how sure that is, and where its pictures lie."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ilap.keep.learner import LearnerInFile
from ilap.keep.store import view
from ilap.keep.store.view import ExposureRow
from ilap.keep.words import Commands, class_of

WEAKEST = 5  # sure decisions that are proposed for a check
WORTH_A_CHECK = 1e-3  # the probability of error from which they are


@dataclass(frozen=True)
class ListedExposure:
    """An exposure. ``certainty`` is sure, tentative, discarded or undone; ``class_id`` and ``class_name`` are
    those of its class, or where it is tentative of the likeliest class or group. ``error`` is how likely the
    answer is wrong that ilap gave, None where a person decided. ``folder`` is where its first picture lies."""

    exposure: int
    name: str
    folder: str | None
    pictures: int
    certainty: str
    class_id: int | None
    class_name: str | None
    error: float | None
    decided_by: str


@dataclass(frozen=True)
class Wanted:
    """Which exposures to list: of one class or tentative group, only what is ``unsure``, only what ilap or a
    person decided, only what is less sure than ``below``, only folders or names that begin so. ``weakest``
    puts the least sure first instead of the lowest number."""

    of_class: str | None = None
    unsure: bool = False
    by: str | None = None
    below: float | None = None
    folder: str | None = None
    weakest: bool = False


@dataclass(frozen=True)
class WeakView:
    """A sure decision of ilap that is likelier wrong than others, with the commands that settle it: it is
    right, or it is a new class."""

    exposure: int
    name: str
    pictures: int
    class_id: int
    class_name: str
    error: float
    commands: tuple[str, ...]


def list_exposures(learner: LearnerInFile, wanted: Wanted | None = None) -> list[ListedExposure]:
    """The exposures that are wanted, all of one moment; all of them by default."""
    wanted = wanted or Wanted()
    with learner.snapshot() as connection:
        place = None if wanted.of_class is None else class_of(learner, wanted.of_class)
        own = None if place is None else [n for n, likeliest in learner.places.items() if likeliest == place]
        folders = view.folders(connection, own)
        rows = [listed(row, folders.get(row.number)) for row in view.exposures(connection, own)]
    kept = [row for row in rows if fits(row, wanted)]
    return sorted(kept, key=by_certainty) if wanted.weakest else kept


def fits(row: ListedExposure, wanted: Wanted) -> bool:
    """Whether an exposure is what somebody looks for."""
    return (
        (not wanted.unsure or row.certainty == "tentative")
        and (wanted.by is None or row.decided_by == wanted.by)
        and (wanted.below is None or (row.error is not None and 1 - row.error < wanted.below))
        and (wanted.folder is None or begins(row, wanted.folder))
    )


def begins(row: ListedExposure, prefix: str) -> bool:
    """Whether the name or the folder of an exposure begins so."""
    whole = os.path.abspath(prefix) + (os.sep if prefix.endswith(("/", os.sep)) else "")
    return row.name.startswith(prefix) or f"{row.folder or ''}{os.sep}".startswith(whole)


def by_certainty(row: ListedExposure) -> tuple[float, int]:
    """A key that puts the least sure first, and what a person decided last."""
    return (1.0 if row.error is None else -row.error, row.exposure)


def by_number(row: ListedExposure) -> tuple[int]:
    """A key that puts the earliest first."""
    return (row.exposure,)


def listed(row: ExposureRow, folder: str | None) -> ListedExposure:
    """One exposure."""
    return ListedExposure(
        row.number,
        row.name,
        row.folder or folder,
        row.pictures,
        row.certainty or row.state,
        row.place,
        row.place_name,
        row.error,
        row.decided_by,
    )


def weakest(rows: Iterable[ExposureRow], do: Commands) -> tuple[WeakView, ...]:
    """The sure decisions of ilap that are likeliest wrong, the weakest first."""
    return tuple(
        WeakView(
            row.number,
            row.name,
            row.pictures,
            row.class_id,
            row.class_name or "",
            row.error,
            tuple(filter(None, (do.move(row.number, row.class_id), do.found(row.number)))),
        )
        for row in sorted(rows, key=lambda row: (-(row.error or 0.0), row.number))
        if row.class_id is not None and row.error is not None and row.error >= WORTH_A_CHECK
    )[:WEAKEST]


def in_words(numbers: Sequence[int], names: Mapping[int, str]) -> str:
    """Exposures by number and name, for a line of text.

    >>> in_words([3, 4], {3: "burst 03", 4: "exposure 4"})
    '3 (burst 03), 4'
    """
    return ", ".join(
        f"{n}" if names.get(n, "") in ("", f"exposure {n}", f"{n}") else f"{n} ({names[n]})" for n in numbers
    )
