"""Which of the small pictures in a learner's file to show of a class, as an HTML page holds them."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

from ilap.keep.learner import LearnerInFile
from ilap.keep.store import view

T = TypeVar("T")


class Thumbnails:
    """The small pictures of one learner."""

    def __init__(self, learner: LearnerInFile, rows: Iterable[view.ExposureRow]) -> None:
        self.connection = learner.file.connection
        self.rows = {row.number: row for row in rows}

    def of(self, exposures: Sequence[int], count: int) -> list[dict[str, Any]]:
        """Some pictures of a group, from as many of its exposures as can be; not those that are strangers
        there."""
        chosen = spread(exposures, count)
        found = []
        for i, number in enumerate(chosen):
            row = self.rows[number]
            out = set(row.decision.get("strangers", [])) if row.class_id is not None else ()
            own = [(at, jpeg) for at, jpeg in view.thumbnails(self.connection, number).items() if at not in out]
            share = count // len(chosen) + (i < count % len(chosen))
            for at, jpeg in spread(own, share):
                uri = "data:image/jpeg;base64," + base64.b64encode(jpeg).decode()
                found.append({"src": uri, "alt": f"{row.name}, picture {at + 1}"})
        return found


def spread(items: Sequence[T], count: int) -> list[T]:
    """So many items, evenly spaced.

    >>> spread("abcdefgh", 3)
    ['b', 'e', 'g']
    """
    count = min(count, len(items))
    return [items[(2 * i + 1) * len(items) // (2 * count)] for i in range(count)]
