"""The answer to an exposure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Kind = Literal["new", "known", "unsure"]


@dataclass(frozen=True)
class Decision:
    """What the learner said of one exposure, and why.

    ``class_id`` is the class that the exposure was learned as, None where the answer is *unsure*. ``score``
    is larger the more novel the exposure looks. ``drops`` says how much of its accuracy each class known so
    far would lose, at most, if the exposure were a class of its own: "at most", as few pictures leave a
    margin. ``discarded`` are classes that the learner gave up afterwards, because it could no longer
    recognise them.
    """

    kind: Kind
    class_id: int | None
    score: float
    drops: Mapping[int, float]
    reason: str
    exposure: int
    seconds: float
    discarded: tuple[int, ...] = ()
