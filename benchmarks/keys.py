"""How many keys it takes until the places are right: by the order of the page, with and without batches, by
random questions, and by the likeliest pair first, as WBIA asks.

    python benchmarks/keys.py
    python benchmarks/keys.py --streams cattle,turning --share 0.2

On streams of real bursts and of arcs of COIL-20, a person, right .99 of the time, answers one question after
the other when the stream has ended, until the ARI of the places is .95, or as many questions as a share of the
exposures. A key is one that is pressed on the page, or an exposure that is taken out of a batch by a click. The
table has the keys until then, and where it never is, all that were pressed (``>``) and the best ARI; medians
over seeds. Data sets are looked for in the folder that ILAP_DATA names. The same command again goes on where it
was.
"""

from __future__ import annotations

import argparse
import copy
import json
import sys
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import median

import numpy as np

from ilap.bench import tables
from ilap.bench.cell import Cell
from ilap.bench.command import show
from ilap.bench.data import frozen
from ilap.bench.learners.contract import Task
from ilap.bench.learners.preset import Preset, of_preset
from ilap.bench.person import Asking, Person, keys_pressed
from ilap.bench.stream import Plan, Stream
from ilap.cli.app import split
from ilap.core import metrics
from ilap.core.errors import BadSetting, IlapError

ENOUGH = 0.95
ORDERS: dict[Asking, str] = {
    "bulk": "the page, with batches",
    "ask": "the page, one at a time",
    "match": "likeliest pair first (WBIA)",
    "random": "random",
}
STREAMS = {
    "cattle": ("bursts/cattle", Plan(draw="clips")),
    "turning": ("bursts/turning", Plan(draw="clips")),
    "arcs": ("coil20", Plan(9, 6, "contiguous")),
    "signs": ("bursts/signs", Plan(draw="clips")),
    "chimpanzees": ("bursts/chimpanzees", Plan(draw="clips")),
}
FAMILY = {"arcs": "coil"}  # whose calibration was fitted without it


@dataclass(frozen=True)
class Answers:
    """The ARI at first, and after each answer with the keys that were pressed so far."""

    exposures: int
    ari: list[float]
    keys: list[int]

    @property
    def enough(self) -> bool:
        """Whether it got so far."""
        return max(self.ari) >= ENOUGH

    @property
    def until(self) -> int:
        """The keys until it was, or all."""
        reached = (keys for keys, ari in zip(self.keys, self.ari, strict=True) if ari >= ENOUGH)
        return next(reached, self.keys[-1])


def learned(name: str, seed: int, calibrations: Path | None) -> tuple[Preset, Stream]:
    """A learner that has seen a stream."""
    data, plan = STREAMS[name]
    changes = {"calibration": str(calibrations / f"{FAMILY.get(name, name)}.json")} if calibrations else {}
    stream = Cell(data, "fast", seed, plan, changes, tested=False).stream()
    learner = of_preset("fast", Task(stream, seed, changes, frozen))
    for number, (exposure, _) in enumerate(stream, 1):
        learner.observe(exposure)
        print(f"\r{name}, seed {seed}: {number} of {len(stream)} exposures", end="", file=sys.stderr)
    print(file=sys.stderr)
    learner.ask_again()
    return learner, stream


def copied(learner: Preset) -> Preset:
    """Another one that knows the same."""
    own = copy.copy(learner.learner)
    own.store = copy.deepcopy(own.store)
    return replace(learner, learner=own)


def answered(learner: Preset, stream: Stream, order: Asking, seed: int, most: int) -> Answers:
    """A person answers until the places are right."""
    person = Person(stream.truths, np.random.default_rng([seed, 1]), order)
    found = Answers(len(stream), [ari_of(learner, stream)], [0])
    while len(found.ari) <= most and not found.enough and (question := person.asked(learner)):
        said = person.says(question)
        done = learner.answer(question, said)
        person.answered |= {one.exposure for one in done if one.by == "person"} | {question.exposure}
        found.ari.append(ari_of(learner, stream))
        found.keys.append(found.keys[-1] + keys_pressed(question, said))
        print(f"\r{order}: {found.keys[-1]} keys, ARI {found.ari[-1]:.3f}", end=" ", file=sys.stderr)
    print(file=sys.stderr)
    return found


def ari_of(learner: Preset, stream: Stream) -> float:
    """Of the places of all exposures."""
    places = learner.places()
    return metrics.ari([places.get(number) for number in range(len(stream))], stream.truths)


def measured(given: argparse.Namespace) -> dict[tuple[str, Asking], list[Answers]]:
    """Of every stream and every order, one a seed. What was measured before is in the log."""
    chosen = split(given.streams)
    if odd := [name for name in chosen if name not in STREAMS]:
        raise BadSetting(f"There is no stream {odd[0]!r}: take some of {', '.join(STREAMS)}.")
    given.out.mkdir(parents=True, exist_ok=True)
    log = given.out / "keys.jsonl"
    lines = [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
    done = {tuple(line["of"]): Answers(**line["answers"]) for line in lines}
    found: dict[tuple[str, Asking], list[Answers]] = {}
    for name in chosen:
        for seed in range(given.seeds):
            learner: Preset | None = None
            for order in ORDERS:
                of = (name, seed, order, given.share)
                if of not in done:
                    if learner is None:
                        learner, stream = learned(name, seed, given.calibrations)
                    done[of] = answered(copied(learner), stream, order, seed, round(given.share * len(stream)))
                    with log.open("a") as opened:
                        opened.write(json.dumps({"of": of, "answers": asdict(done[of])}) + "\n")
                found.setdefault((name, order), []).append(done[of])
    return found


def table(found: dict[tuple[str, Asking], list[Answers]]) -> tables.Grid:
    """One row a stream and order."""
    rows = []
    for (name, order), own in found.items():
        keys = median(one.until for one in own)
        rows.append(
            (
                name,
                str(own[0].exposures),
                ORDERS[order],
                tables.short(median(one.ari[0] for one in own), 3),
                ("" if all(one.enough for one in own) else "> ") + f"{keys:g}",
                tables.short(keys / own[0].exposures, 3),
                tables.short(median(max(one.ari) for one in own), 3),
            )
        )
    head = ("stream", "exposures", "order", "ARI at first", "keys until .95", "a exposure", "best ARI")
    return tables.Grid(head, tuple(rows))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--streams", default=",".join(STREAMS), help="by commas; all by default")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--share", type=float, default=1.0, help="answers at most, as a share of the exposures")
    parser.add_argument("--calibrations", type=Path, help="folder with one for each family, fitted without it")
    parser.add_argument("--out", type=Path, default=Path("runs/keys"), help="where the log lies")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    try:
        found = measured(given)
    except IlapError as error:
        sys.exit(f"keys: {error}")
    grid = table(found)
    tables.write(grid, given.out, "keys")
    if given.json:
        print(json.dumps({" ".join(key): [asdict(one) for one in own] for key, own in found.items()}))
    else:
        show(grid)


if __name__ == "__main__":
    main()
