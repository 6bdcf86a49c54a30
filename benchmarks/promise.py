"""A learner on the streams by which the promise is measured: at most the stated share of sure answers is wrong.

    python benchmarks/promise.py --learner fast --risk 0.05
    python benchmarks/promise.py --learner immich --grid immich.eps=0.2,0.3,0.4,0.5 --families signs,cattle,coil

The streams are those of streams.toml. Data sets are looked for in the folder that ILAP_DATA names, and names
with a slash in it are folders there. The same command again goes on where it was. *wrong of sure* is over all
answers that were ever sure, at once or later; ARI is that of the groups at the end; n are exposures, or sure
answers, and intervals of 95 % are Wilson's, as if these were independent. With --grid the learner is run with
every value of one setting, and each family gets the value with the best mean ARI over the others. With
--calibrations each family is decided by what tools/fit_promise.py fitted without it. With
--answers a person, right .99 of the time, answers so many questions when each stream has ended; exposures that
the person placed count neither way. --reliability draws how often answers were right against how likely they
said to be.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path
from typing import Any

import families
import rates
import reliability
from ilap.bench import bench, tables
from ilap.bench.command import show
from ilap.cli.app import changes_of, split
from ilap.core.errors import BadSetting, IlapError

STREAMS = Path(__file__).parent / "streams.toml"


def rows(given: argparse.Namespace, changes: dict[str, Any]) -> dict[str, list[rates.Row]]:
    """The figures of every stream, by family."""
    listed, seeds = families.read(given.streams)
    seeds = [int(seed) for seed in split(given.seeds)] if given.seeds else seeds
    kept = families.chosen(listed, split(given.families))

    def with_own(name: str) -> dict[str, Any]:
        own = {"calibration": str(given.calibrations / f"{name}.json")} if given.calibrations else {}
        return {**changes, **own}

    cells = {f.name: f.cells(given.learner, seeds, with_own(f.name), given.answers) for f in kept}
    every = [cell for own in cells.values() for cell in own]
    logs = iter(bench.logs(every, given.out, given.at_once))
    entries = {name: [next(logs) for _ in own] for name, own in cells.items()}
    if given.reliability:
        runs = {
            name: [one for log in own for one in reliability.stated([entry.record for entry in log])]
            for name, own in entries.items()
        }
        reliability.draw(runs, given.reliability)
        for name, own in runs.items():
            print(f"{name}: {tables.short(reliability.gap(own) or 0.0, 3)} too sure", file=sys.stderr)
    return {
        name: [bench.row(cell, log) for cell, log in zip(own, entries[name], strict=True)]
        for name, own in cells.items()
    }


def once(given: argparse.Namespace, changes: dict[str, Any]) -> None:
    """One setting: all figures."""
    every = rows(given, changes)
    found = rates.over_all(every)
    grid = rates.table(found)
    tables.write(grid, given.out, f"promise-{Path(given.learner).stem}")
    if given.json:
        print(json.dumps({"learner": given.learner, "families": rates.plain(found), "rows": every}))
    else:
        show(grid)


def over_grid(given: argparse.Namespace, changes: dict[str, Any]) -> None:
    """Many settings: the best without each family, and what it gives there."""
    name, equals, values = given.grid.partition("=")
    if not equals or not values:
        raise BadSetting(f"{given.grid!r} is no grid: write name=0.1,0.2,0.3.")
    scores = {}
    for value in map(float, split(values)):
        every = rows(given, {**changes, name: value})
        scores[value] = {family: rates.mean([own], "ari") or 0.0 for family, own in every.items()}
    grid = rates.choice_table(scores)
    tables.write(grid, given.out, f"left-out-{Path(given.learner).stem}")
    if given.json:
        print(json.dumps({"learner": given.learner, "setting": name, "ari": scores}))
    else:
        show(grid)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--learner", default="fast", help="one of ilap bench")
    parser.add_argument("--set", action="append", dest="assignments", metavar="name=value", help="any setting")
    parser.add_argument("--risk", type=float, help="share of decisions that may be wrong")
    parser.add_argument("--families", default="", help="by commas; all by default")
    parser.add_argument("--seeds", default="", help="by commas; those of the list by default")
    parser.add_argument("--answers", type=int, default=0, help="that a person gives when a stream has ended")
    parser.add_argument("--grid", help="values of one number, as name=0.1,0.2: chosen without each family")
    parser.add_argument("--calibrations", type=Path, help="folder with one for each family, fitted without it")
    parser.add_argument("--reliability", type=Path, help="draw a diagram for every family into this file")
    parser.add_argument("--out", type=Path, default=Path("runs/promise"), help="where the logs lie")
    parser.add_argument("--at-once", type=int, default=os.cpu_count(), help="processes")
    parser.add_argument("--streams", type=Path, default=STREAMS, help="the list")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    try:
        changes = changes_of(given.assignments, risk=given.risk)
        (over_grid if given.grid else once)(given, changes)
    except IlapError as error:
        sys.exit(f"promise: {error}")


if __name__ == "__main__":
    main()
