"""The bursts that a source would be cut into, as one page with example pictures: ``ilap learn --dry-run``."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any

from jinja2 import Environment, PackageLoader

from ilap.core.errors import BadPicture
from ilap.core.names import READABLE
from ilap.core.page_parts import jpeg
from ilap.export.contract import Order, place, whole
from ilap.sources.bursts import Burst, count
from ilap.sources.read import read

MARK = b'<meta name="generator" content="ilap bursts">'
LISTED = 100  # bursts with pictures on the page
SHOWN = 4  # pictures of a burst: the first, the last, and some between


@dataclass(frozen=True)
class Length:
    """A burst's name, and how many pictures it has."""

    name: str
    pictures: int


@dataclass(frozen=True)
class Planned:
    """The bursts that would be learned, and the page that shows them."""

    bursts: int
    pictures: int
    shortest: Length
    median: float
    longest: Length
    page: str

    @property
    def said(self) -> str:
        """The sentence.

        >>> Planned(3, 26, Length("b", 6), 10, Length("a", 10), "toys-bursts.html").said
        '3 bursts of 6 (b) to 10 (a) pictures, half of them of 10 or fewer; 26 pictures in all. Nothing was \
learned: look at toys-bursts.html'
        """
        short, long = (f"{one.pictures} ({one.name})" for one in (self.shortest, self.longest))
        return (
            f"{self.bursts} bursts of {short} to {long} pictures, half of them of {self.median:g} or fewer; "
            f"{self.pictures} pictures in all. Nothing was learned: look at {self.page}"
        )


def page_of(learner: Path) -> Path:
    """Where the page is written: beside the learner."""
    return learner.with_name(f"{learner.stem}-bursts.html")


def write(learner: Path, bursts: Sequence[Burst]) -> Planned:
    """Write the page, whole or not at all; an earlier one is replaced, another file never."""
    out = place(page_of(learner))
    lengths = sorted((len(burst.paths), burst.name) for burst in bursts)
    (short, shortest), (long, longest) = lengths[0], lengths[-1]
    planned = Planned(
        len(bursts),
        count(bursts),
        Length(shortest, short),
        median(length for length, _ in lengths),
        Length(longest, long),
        str(out),
    )
    pictures = [str(path) for burst in bursts for path in burst.paths]
    environment = Environment(loader=PackageLoader("ilap.report"), autoescape=True, trim_blocks=True)
    with whole(Order(learner, out), MARK, pictures) as draft:
        page = environment.get_template("bursts.html").render(
            **asdict(planned),
            said=planned.said,
            mark=MARK.decode(),
            name=learner.name,
            rows=[(burst, list(examples(burst))) for burst in bursts[:LISTED]],
        )
        draft.write_text(page, encoding="utf-8", errors=READABLE)
    return planned


def examples(burst: Burst) -> Iterator[dict[str, Any]]:
    """Some pictures of a burst, the first and the last among them."""
    last = len(burst.paths) - 1
    for at in sorted({round(i * last / (SHOWN - 1)) for i in range(SHOWN)}):
        path = burst.paths[at]
        try:
            picture, _ = read(path)
        except BadPicture:
            picture = None
        src = "" if picture is None else f"data:image/jpeg;base64,{base64.b64encode(jpeg(picture)).decode()}"
        yield {"src": src, "name": path.name}
