from __future__ import annotations

from dataclasses import replace

import pytest

from ilap.core.errors import BadCorrection
from ilap.learner.log import PERSON, Change, Event, to_undo


def moved(number: int, *changes: tuple[int, int, int]) -> Event:
    """An event of a person that moves exposures."""
    return Event(number, "2026-01-01", PERSON, "move", {}, tuple(Change(*change) for change in changes))


def undoing(number: int, of: int, *changes: tuple[int, int, int]) -> Event:
    """An undo."""
    return replace(moved(number, *changes), kind="undo", about={"event": of})


def test_with_an_event_goes_what_depends_on_it_and_what_depends_on_that() -> None:
    log = [moved(1, (0, -1, 5)), moved(2, (0, 5, 6), (1, 5, 6)), moved(3, (1, 6, 7)), moved(4, (2, -1, 8))]
    assert [event.id for event in to_undo(log, 1, with_later=True)] == [3, 2, 1]
    with pytest.raises(BadCorrection, match=r"later ones moved the same: 2 \(move\), 3 \(move\)\."):
        to_undo(log, 1, with_later=False)


def test_what_followed_from_a_later_answer_goes_with_it() -> None:
    answer = Event(2, "2026-01-01", PERSON, "answer", {}, (Change(0, 5, 6),))
    settled = Event(3, "2026-01-01", "ilap", "settle", {"after": 2}, (Change(1, -1, 6),))
    log = [moved(1, (0, -1, 5)), answer, settled, moved(4, (1, 6, 7))]
    assert [event.id for event in to_undo(log, 1, with_later=True)] == [4, 3, 2, 1]
    assert [event.id for event in to_undo(log[:3], 2, with_later=False)] == [3, 2]


def test_an_undo_is_not_undone_before_later_ones_of_what_was_earlier() -> None:
    log = [
        *(moved(1, (0, -1, 5)), moved(2, (0, 5, 6))),
        *(undoing(3, 2, (0, 6, 5)), undoing(4, 1, (0, 5, -1))),
        *(moved(5, (0, -1, 7)), undoing(6, 5, (0, 7, -1))),
    ]
    assert [event.id for event in to_undo(log, 3, with_later=True)] == [4, 3]
    with pytest.raises(BadCorrection, match=r"later ones moved the same: 4 \(undo\)"):
        to_undo(log, 3, with_later=False)
