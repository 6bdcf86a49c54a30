"""A learner as one page for a person with a camera: what to check, what is unsure, what every class looks like.

The page needs nothing but itself: pictures are made of the small copies that the learner's file holds. With
thousands of exposures it has a few megabytes, and says what it leaves out. Long lists are in parts, one of
which is open at a time, so that a browser draws only that.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

from jinja2 import Environment, PackageLoader

from ilap.core.names import READABLE
from ilap.core.page_parts import colour, smaller_uri
from ilap.core.version import __version__
from ilap.export.content import GONE, confidence
from ilap.export.contract import Order, place, whole
from ilap.keep import overview as read_models
from ilap.keep.learner import LearnerInFile
from ilap.keep.overview import Overview, UnsureView
from ilap.keep.store import view
from ilap.keep.words import Commands

MARK = b'<meta name="generator" content="ilap report">'
SHOWN = 6  # pictures of a class
ALL = 2000  # pictures in the gallery: with many classes, fewer of each are shown
BESIDE = 3  # pictures of a class where it is compared
LISTED = 50  # rows of a list that a person works through
PART = 100  # classes of the gallery that are open at a time
IN_ORDER = 1000  # exposures in order of arrival that are
SIDE = 96  # pixels of a picture, as the page shows it
ALIKE = 0.01  # confusion from which two classes are listed as alike
NEAREST = 3

T = TypeVar("T")


@dataclass(frozen=True)
class Alike:
    """Two classes that are easily taken for each other."""

    classes: tuple[int, int]
    confusion: float


def percent(share: float | None) -> str:
    """A probability that is never rounded to certainty.

    >>> percent(0.99999), percent(1.0), percent(0.25), percent(1e-9)
    ('>99.9%', '100%', '25%', '<0.1%')
    """
    if share is None:
        return ""
    if 0 < share < 0.001:
        return "<0.1%"
    return ">99.9%" if 0.999 < share < 1 else f"{100 * share:.1f}".removesuffix(".0") + "%"


def alike(overview: Overview) -> list[Alike]:
    """Pairs of classes that are easily taken for each other, without those that are likely one."""
    listed = {frozenset(row.classes) for row in overview.likely_one}
    pairs: dict[frozenset[int], Alike] = {}
    for row in sorted(overview.classes, key=lambda row: -row.confusion):
        if row.look_alike is None or row.confusion < ALIKE:
            continue
        pair = frozenset((row.class_id, row.look_alike))
        if pair not in listed:
            pairs.setdefault(pair, Alike((row.class_id, row.look_alike), row.confusion))
    return list(pairs.values())


def answers(row: UnsureView) -> list[tuple[int | None, float | None]]:
    """What an unsure exposure may be, likeliest first: some classes, and a new one, which is None."""
    near = [(one.class_id, one.probability) for one in row.nearest[:NEAREST]]
    return sorted([*near, (None, row.p_new)], key=lambda pair: -(pair[1] or 0.0))


def render(learner: LearnerInFile, overview: Overview, rows: Sequence[view.ExposureRow]) -> str:
    """The page of a learner with this overview and these exposures."""
    environment = Environment(
        loader=PackageLoader("ilap.report"), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters.update(percent=percent, colour=colour)
    aside = [row for row in overview.exposures if row.decision in GONE]
    learned = [row.exposure for row in overview.exposures if row.class_id is not None]
    listed = {
        *learned,
        *(one.exposure for one in overview.unsure[:LISTED]),
        *(row.exposure for row in aside[:LISTED]),
    }
    likeliest_first = replace(
        overview,
        likely_one=tuple(sorted(overview.likely_one, key=lambda row: -row.probability)),
        likely_two=tuple(sorted(overview.likely_two, key=lambda row: -row.probability)),
    )
    return environment.get_template("report.html").render(
        **vars(likeliest_first),
        name=Path(learner.path).name,
        mark=MARK.decode(),
        date=datetime.now().astimezone().strftime("%Y-%m-%d %H:%M %Z"),
        version=__version__,
        alike=alike(overview),
        answers=answers,
        aside=aside,
        listed=listed,
        by_id={row.class_id: row for row in overview.classes},
        by_group={row.group_id: row for row in overview.groups},
        by_number={row.exposure: row for row in overview.exposures},
        sure={row.number: confidence(row) for row in rows if row.class_id is not None},
        small=Thumbnails(learner, rows),
        do=Commands(learner.path),
        limits={
            "shown": max(1, min(SHOWN, ALL // max(1, len(overview.classes)))),
            "beside": BESIDE,
            "listed": LISTED,
            "part": PART,
            "in_order": IN_ORDER,
        },
    )


def write(learner: LearnerInFile, out: str | Path, force: bool = False) -> dict[str, Any]:
    """Write the page, whole or not at all; gives its figures. An earlier page is replaced, another file only
    where ``force`` is given, the learner and its pictures never."""
    order = Order(Path(learner.path), place(out), force)
    with learner.snapshot() as connection, whole(order, MARK, view.paths(connection)) as draft:
        rows = view.exposures(connection)
        overview = read_models.read(learner, rows)
        draft.write_text(render(learner, overview, rows), encoding="utf-8", errors=READABLE)
    return {
        "page": str(order.out),
        "bytes": order.out.stat().st_size,
        "pictures": overview.pictures,
        "classes": len(overview.classes),
        "exposures": len(overview.exposures),
        "unsure": len(overview.unsure),
        "tentative": len(overview.unsure),
        "groups": len(overview.groups),
        "likely_one": len(overview.likely_one),
        "likely_two": len(overview.likely_two),
        "alike": len(alike(overview)),
    }


class Thumbnails:
    """The small pictures of one learner."""

    def __init__(self, learner: LearnerInFile, rows: Iterable[view.ExposureRow]) -> None:
        self.connection = learner.file.connection
        self.rows = {row.number: row for row in rows}
        self.uris: dict[tuple[int, int], str] = {}

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
                if (number, at) not in self.uris:
                    self.uris[number, at] = smaller_uri(jpeg, SIDE)
                found.append({"src": self.uris[number, at], "alt": f"{row.name}, picture {at + 1}"})
        return found


def spread(items: Sequence[T], count: int) -> list[T]:
    """So many items, evenly spaced.

    >>> spread("abcdefgh", 3)
    ['b', 'e', 'g']
    """
    count = min(count, len(items))
    return [items[(2 * i + 1) * len(items) // (2 * count)] for i in range(count)]
