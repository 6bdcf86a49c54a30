"""What a notebook shows of a learner: its classes with some of their pictures."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape

from ilap.core.page_parts import pictures_in_html
from ilap.core.plural import counted
from ilap.learner.state import State

ROWS = 20  # classes and groups that are shown
SHOWN = 4  # pictures of each

Thumbnails = Callable[[int], Sequence[bytes]]
"""Small copies of some pictures of an exposure, as JPEG."""


def summary(state: State) -> str:
    """How much is known, in a few words."""
    sure, waits = sum(map(len, state.members.values())), len(state.tentative)
    classes = f"{sure} sure in {counted(len(state.members), 'class')}"
    return f"{counted(state.seen, 'exposure')}: {classes}, {waits} tentative"


def page(
    title: str,
    state: State,
    exposures_of: Mapping[int, Sequence[int]],
    name_of: Callable[[int], str],
    thumbnails: Thumbnails,
) -> str:
    """Classes and tentative groups, the largest first, each with pictures."""
    largest = sorted(exposures_of, key=lambda place: (-len(exposures_of[place]), place))
    rows = []
    for place in largest[:ROWS]:
        own = exposures_of[place]
        pictures = sum(state.sizes[number] for number in own)
        sure = "" if place in state.members else " (tentative)"
        counts = f"{counted(len(own), 'exposure')}, {counted(pictures, 'picture')}"
        cells = (f"<b>{escape(name_of(place))}</b>{sure}", counts, pictures_in_html(some_of(thumbnails, own)))
        rows.append(f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>")
    more = f"<p>and {len(largest) - ROWS} more</p>" if len(largest) > ROWS else ""
    return f"<p>{escape(title)}</p><table>{''.join(rows)}</table>{more}"


def some_of(thumbnails: Thumbnails, exposures: Sequence[int]) -> list[bytes]:
    """Small pictures of exposures, of as many as can be."""
    few = [own for number in exposures[:SHOWN] if (own := thumbnails(number))]
    return [own[i] for i in range(SHOWN) for own in few if i < len(own)][:SHOWN]
