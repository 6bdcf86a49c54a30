"""How many answers it takes until the places are right: what ``ilap ask`` asks, against random questions.

    python benchmarks/answers.py
    python benchmarks/answers.py --streams cattle,turning --share 0.2

On streams of real bursts and of arcs of COIL-20, a person, right .99 of the time, answers one question after
the other when the stream has ended. The table has the ARI of the places after so many answers, as shares of the
exposures, and the share until it is .9 (mean over seeds; of a seed that gets not so far, all that were given
count, and ``>`` says so). Data sets are looked for in the folder that ILAP_DATA names. The same command again
goes on where it was.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import mean
from typing import get_args

from ilap.bench import bench, tables
from ilap.bench.cell import Cell
from ilap.bench.command import show
from ilap.bench.person import Asking
from ilap.bench.records import Entry
from ilap.bench.stream import Plan
from ilap.cli.app import split
from ilap.core import metrics
from ilap.core.errors import BadSetting, IlapError

ENOUGH = 0.9
STREAMS = {
    "cattle": ("bursts/cattle", Plan(draw="clips")),
    "turning": ("bursts/turning", Plan(draw="clips")),
    "arcs": ("coil20", Plan(9, 6, "contiguous")),
    "signs": ("bursts/signs", Plan(draw="clips")),
    "chimpanzees": ("bursts/chimpanzees", Plan(draw="clips")),
}
FAMILY = {"arcs": "coil"}  # whose calibration was fitted without it


@dataclass(frozen=True)
class Curve:
    """The ARI after 0, 1, 2, ... answers, of a stream of so many exposures."""

    exposures: int
    ari: tuple[float, ...]

    def at(self, share: float) -> float:
        """The ARI when a share of the exposures was answered."""
        return self.ari[min(round(share * self.exposures), len(self.ari) - 1)]

    @property
    def until(self) -> tuple[float, bool]:
        """The share of answers until it is enough, and whether it ever was."""
        enough = [count for count, value in enumerate(self.ari) if value >= ENOUGH]
        return (enough[0] if enough else len(self.ari) - 1) / self.exposures, bool(enough)


def curve(before: list[Entry], entries: list[Entry]) -> Curve:
    """From the logs of one stream without answers and with them."""
    last, places = entries[-1].record, before[-1].record.places or {}
    start = metrics.ari([places.get(n) for n in range(len(before))], [one.record.truth for one in before])
    return Curve(len(entries), (start, *(one.ari for one in last.answers)))


def curves(given: argparse.Namespace) -> dict[tuple[str, str], list[Curve]]:
    """Of every stream and every way to ask, one a seed."""
    chosen = split(given.streams)
    if odd := [name for name in chosen if name not in STREAMS]:
        raise BadSetting(f"There is no stream {odd[0]!r}: take some of {', '.join(STREAMS)}.")
    kinds = (0, "ask"), *((1, asking) for asking in get_args(Asking))
    names, cells = [], []
    for name in chosen:
        data, plan = STREAMS[name]
        for seed in range(given.seeds):
            folder, family = given.calibrations, FAMILY.get(name, name)
            changes = {"calibration": str(folder / f"{family}.json")} if folder else {}
            plain = Cell(data, "fast", seed, plan, changes, tested=False)
            count = round(given.share * plain.steps)
            names.append(name)
            cells += [replace(plain, answers=count * some, questions=asking) for some, asking in kinds]
    logs = iter(bench.logs(cells, given.out, given.at_once))
    found: dict[tuple[str, str], list[Curve]] = {}
    for name in names:
        before = next(logs)
        for asking in get_args(Asking):
            found.setdefault((name, asking), []).append(curve(before, next(logs)))
    return found


def table(found: dict[tuple[str, str], list[Curve]], share: float) -> tables.Grid:
    """One row a stream and way to ask."""
    steps = [step * 0.05 for step in range(round(share / 0.05) + 1)]
    rows = []
    for (name, asking), own in found.items():
        shares, enough = zip(*(one.until for one in own), strict=True)
        until = ("" if all(enough) else "> ") + tables.short(mean(shares), 3)
        points = (tables.short(mean(one.at(step) for one in own), 3) for step in steps)
        rows.append((name, asking, *points, until))
    return tables.Grid(("stream", "questions", *(f"{step:.2f}" for step in steps), "until .9"), tuple(rows))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--streams", default=",".join(STREAMS), help="by commas; all by default")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--share", type=float, default=0.3, help="answers, as a share of the exposures")
    parser.add_argument("--calibrations", type=Path, help="folder with one for each family, fitted without it")
    parser.add_argument("--out", type=Path, default=Path("runs/answers"), help="where the logs lie")
    parser.add_argument("--at-once", type=int, default=os.cpu_count(), help="processes")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    try:
        found = curves(given)
    except IlapError as error:
        sys.exit(f"answers: {error}")
    grid = table(found, given.share)
    tables.write(grid, given.out, "answers")
    if given.json:
        print(json.dumps({" ".join(key): [one.ari for one in own] for key, own in found.items()}))
    else:
        show(grid)


if __name__ == "__main__":
    main()
