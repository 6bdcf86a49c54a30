"""Golden runs: what the learner decided on fixed streams, written down, so that a change of the code can be
held against it.

    python tools/golden.py record golden.json        with the code as it is before a change
    python tools/golden.py compare golden.json       after it: every decision equal, every number to 1e-9

Streams of COIL-20, MNIST and CIFAR-10 are taken from the folder that ILAP_DATA names and left out, with a word,
where it is not there. Numbers are those of one machine: another processor rounds features differently, so
``--tolerance`` may have to be larger there.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from threadpoolctl import threadpool_limits

from ilap import Decision, Exposure, Learner
from ilap.bench.stream import Plan, plan
from ilap.data.load import load
from ilap.errors import MissingFile

NAMED = 40  # test pictures whose probabilities are compared
PLANS = {
    "digits 20x3": ("digits", Plan(20, 3)),
    "mnist 10x8": ("mnist", Plan(10, 8)),
    "cifar10 10x8": ("cifar10", Plan(10, 8)),
    "coil20 arcs 9x6": ("coil20", Plan(9, 6, draw="contiguous")),
}


def told(decision: Decision) -> dict[str, Any]:
    """All that a decision says, but for the time that it took."""
    return {
        "kind": decision.kind,
        "class": decision.class_id,
        "exposure": decision.exposure,
        "score": number(decision.score),
        "error": decision.error,
        "p_new": decision.p_new,
        "p_known": sum(share * (k + 1) for k, share in decision.p_known.items()),
        "drops": sum(drop * (k + 1) for k, drop in decision.drops.items()),
        "discarded": list(decision.discarded),
        "moved": list(decision.moved),
        "moved_to": decision.moved_to,
        "strangers": list(decision.strangers),
        "settled": [told(answer) for answer in decision.settled],
    }


def number(value: float) -> float | None:
    """JSON has no number for what is none."""
    return None if math.isnan(value) else float(value)


def stream(name: str, seed: int, preset: str = "fast", **changes: Any) -> dict[str, Any]:
    """A learner in memory on a stream: its decisions, and how it names test pictures in the end."""
    data, wanted = PLANS[name]
    dataset = load(data)
    learner = Learner(preset, seed=seed, **changes)
    decisions = [told(learner.observe(shown)) for shown, _ in plan(dataset, wanted, seed, seed)]
    step = max(1, len(dataset.test) // NAMED)
    pictures = [dataset.test.pictures[i] for i in range(0, len(dataset.test), step)][:NAMED]
    named = learner.predict(pictures)
    return {
        "decisions": decisions,
        "classes": {str(k): sorted(own.exposures) for k, own in learner.classes.items()},
        "exemplars": {str(k): [list(at) for at in own.exemplars] for k, own in learner.classes.items()},
        "named": named.class_ids.tolist(),
        "probabilities": named.probabilities.sum(0).tolist(),
    }


def in_a_file() -> dict[str, Any]:
    """A learner in a file on 80 bursts of COIL-20, corrected, corrected back, closed and opened on the way."""
    dataset = load("coil20")
    shown = plan(dataset, Plan(15, 4, draw="contiguous"), 0, 0)
    decisions = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "golden.ilap"
        for part in (range(0, 30), range(30, 60), range(60, 80)):
            with Learner.open(path) as learner:
                for n in part:
                    exposure = shown.exposure(n)
                    shown_as = Exposure(exposure.pictures, True, name=f"burst {n}")
                    decisions.append(told(learner.observe(shown_as)))
                corrected(learner)
        with Learner.open(path) as learner:
            rows = learner.samples([dataset.train.pictures[i] for i in range(0, len(dataset.train), 36)])
            named = learner.predict_samples(rows)
            events = [
                [event.by, event.kind, [[c.exposure, c.before, c.after] for c in event.changes]]
                for event in learner.history()
            ]
            return {
                "decisions": decisions,
                "events": events,
                "waiting": list(learner.waiting),
                "classes": {str(k): sorted(own.exposures) for k, own in learner.classes.items()},
                "exemplars": {str(k): [list(at) for at in own.exemplars] for k, own in learner.classes.items()},
                "names": {str(k): name for k, name in learner.names.items()},
                "named": named.class_ids.tolist(),
                "probabilities": named.probabilities.sum(0).tolist(),
            }


def corrected(learner: Any) -> None:
    """One correction of every kind, chosen by what the learner knows now; every other one is taken back."""
    classes = list(learner.classes)
    first, second, third = classes[0], classes[1], classes[2]
    learner.rename(first, f"thing {len(learner.history())}")
    learner.merge(first, second)
    learner.undo()
    large = max(classes, key=lambda k: (len(learner.classes[k].exposures), -k))
    if len(learner.classes[large].exposures) > 1:
        learner.split([learner.classes[large].exposures[0]], "split off")
        learner.undo()
    learner.move(learner.classes[third].exposures[0], first)
    learner.undo()
    learner.move(learner.classes[second].exposures[0], second)
    learner.discard([learner.classes[classes[-1]].exposures[-1]])
    if len(classes) % 2:
        learner.undo()
    learner.merge(classes[3], classes[4])


def cases() -> Iterator[tuple[str, Callable[[], dict[str, Any]]]]:
    """All runs, by name."""
    for name in PLANS:
        for seed in (0, 1):
            yield f"{name} seed {seed}", lambda name=name, seed=seed: stream(name, seed)  # type: ignore[misc]
    yield (
        "paper, small, digits 20x3 seed 0",
        lambda: stream("digits 20x3", 0, "paper", backbone="small", resolution=16),
    )
    yield "a file of 80 bursts, corrected", in_a_file


def run(only: str) -> dict[str, Any]:
    """Carry out all runs whose name has ``only`` in it."""
    found = {}
    for name, case in cases():
        if only not in name:
            continue
        started = time.perf_counter()
        try:
            found[name] = case()
        except MissingFile as error:
            print(f"{name}: left out ({error})", file=sys.stderr)
            continue
        print(f"{name}: {time.perf_counter() - started:.0f} s", file=sys.stderr)
    return found


def differences(old: Any, new: Any, tolerance: float, at: str = "") -> Iterator[str]:
    """Where two runs differ."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in sorted({*old, *new}):
            if key not in old or key not in new:
                yield f"{at}/{key} is only in the {'old' if key in old else 'new'} run"
            else:
                yield from differences(old[key], new[key], tolerance, f"{at}/{key}")
    elif isinstance(old, list) and isinstance(new, list):
        if len(old) != len(new):
            yield f"{at} has {len(old)} and {len(new)} entries"
        for place, (one, other) in enumerate(zip(old, new, strict=False)):
            yield from differences(one, other, tolerance, f"{at}/{place}")
    elif isinstance(old, float) and isinstance(new, float | int):
        if abs(old - new) > tolerance * max(1.0, abs(old)):
            yield f"{at} is {old} and {new}"
    elif old != new:
        yield f"{at} is {old} and {new}"


def main() -> None:
    """Record or compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("what", choices=("record", "compare"))
    parser.add_argument("file", type=Path)
    parser.add_argument("--only", default="", help="runs whose name has this in it")
    parser.add_argument("--tolerance", type=float, default=1e-9)
    given = parser.parse_args()
    with threadpool_limits(1):  # sums in one order, whatever else the machine does
        found = run(given.only)
    if given.what == "record":
        given.file.write_text(json.dumps(found, separators=(",", ":")) + "\n", encoding="utf-8")
        return
    golden = json.loads(given.file.read_text(encoding="utf-8"))
    wrong = 0
    for name, case in json.loads(json.dumps(found)).items():
        told = list(differences(golden[name], case, given.tolerance))
        wrong += len(told)
        print(f"{name}: {'equal' if not told else f'{len(told)} differences'}")
        print("".join(f"    {line}\n" for line in told[:10]), end="")
    if not found:
        sys.exit("There was nothing to compare.")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
