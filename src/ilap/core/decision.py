"""The answer to an exposure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from typing import Literal

Kind = Literal["new", "known", "unsure"]
Decider = Literal["ilap", "person"]
Thumbnails = Callable[[], Sequence[bytes]]
"""Gives small copies of pictures, as JPEG."""


@dataclass(frozen=True, repr=False)
class Decision:
    """What the learner said of one exposure, and why.

    ``class_id`` is the class that the exposure was learned as, None where the answer is *unsure*. ``score``
    is larger the more novel the exposure looks. ``drops`` says how much of its accuracy each class known so
    far would lose, at most, if the exposure were a class of its own: "at most", as few pictures leave a
    margin. ``discarded`` are classes that the learner gave up afterwards, because it could no longer
    recognise them.

    ``error`` is how likely the answer is wrong, ``p_new`` and ``p_known`` are the probabilities of a new class
    and of the likeliest known ones, where the detector knows them. ``moved`` are earlier exposures that turned
    out to be of another class than they were taken for, and now make up class ``moved_to``. ``settled`` are the
    answers to earlier exposures that were unsure and are sure now. ``strangers`` are the places of pictures
    that show something else and were not learned from. ``by`` says who decided: the learner, or a person who
    taught it. ``place`` is where the exposure most likely belongs, sure or not: ``class_id`` where that is
    sure, else the likeliest class or a tentative group. In a notebook it is shown with small copies of some of
    the exposure's pictures, where the learner has any.
    """

    kind: Kind
    class_id: int | None
    score: float
    drops: Mapping[int, float]
    reason: str
    exposure: int
    seconds: float
    discarded: tuple[int, ...] = ()
    error: float | None = None
    p_new: float | None = None
    p_known: Mapping[int, float] = field(default_factory=dict)
    moved: tuple[int, ...] = ()
    moved_to: int | None = None
    settled: tuple[Decision, ...] = ()
    strangers: tuple[int, ...] = ()
    by: Decider = "ilap"
    place: int | None = None

    def shown_with(self, thumbnails: Thumbnails) -> Decision:
        """The same, with the way to small copies of pictures, which is no part of what was decided."""
        shown = replace(self)
        object.__setattr__(shown, "_thumbnails", thumbnails)
        return shown

    def __repr__(self) -> str:
        """In a few words.

        >>> Decision("known", 3, -4.2, {}, "class 3 99.3%, new 0.6%", 12, 0.1, error=0.007)
        Decision(exposure 12: known, class 3, 99.3% sure)
        >>> Decision("unsure", None, 0.4, {}, "class 3 60.0%, new 40.0%", 13, 0.1, error=0.4, place=3)
        Decision(exposure 13: unsure, class 3?, class 3 60.0%, new 40.0%)
        """
        place = f"class {self.place}?" if self.class_id is None else f"class {self.class_id}"
        if self.class_id is None:
            why = f", {self.reason}"
        elif self.by == "person":
            why = ", by a person"
        else:
            why = "" if self.error is None else f", {1 - self.error:.1%} sure"
        return f"Decision(exposure {self.exposure}: {self.kind}, {place}{why})"

    def _repr_html_(self) -> str:
        """The same with pictures, for a notebook."""
        from ilap.core.page_parts import pictures_in_html

        thumbnails: Thumbnails | None = vars(self).get("_thumbnails")
        try:
            small = thumbnails() if thumbnails else ()
        except ValueError:  # the learner's file was closed
            small = ()
        return f"<p>{escape(repr(self))}<br>{escape(self.reason)}</p>{pictures_in_html(small)}"
