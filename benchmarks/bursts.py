"""How real bursts are sorted: decisions right, wrong among those taken, and groups, in a closed loop.

    python benchmarks/bursts.py FOLDER

FOLDER holds a folder for each thing, and in that a folder for each burst of it, its pictures in the order in
which they were taken. Bursts come in random order; the learner sees no label. *New* is right if the thing was
not shown before, *known* if the class was founded by it, *unsure* never.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np

from ilap import Exposure, Learner
from ilap.backbones.cached import Cached
from ilap.backbones.load import load
from ilap.core.metrics import ari, decision_is_right
from ilap.sources import bursts
from ilap.sources.read import read


def exposures(folder: Path) -> list[tuple[Exposure, str]]:
    """All bursts, each with its thing."""
    found = []
    for burst in bursts.by_folder(folder, print):
        pictures = [picture for path in burst.paths if (picture := read(path)[0]) is not None]
        found.append((Exposure(pictures, burst.ordered, burst.name), Path(burst.name).parts[0]))
    return found


def run(shown: list[tuple[Exposure, str]], seed: int, risk: float, backbone: Cached) -> dict[str, float]:
    """One order of the bursts through one learner."""
    things = {thing: number for number, thing in enumerate(sorted({thing for _, thing in shown}))}
    learner = Learner(seed=seed, risk=risk, backbone=backbone)
    truth_of: dict[int, int] = {}
    truths: list[int] = []
    right = sure = 0
    for place in np.random.default_rng(seed).permutation(len(shown)):
        exposure, thing = shown[int(place)]
        truths.append(things[thing])
        decision = learner.observe(exposure)
        right += decision_is_right(decision, truths[-1], truth_of)
        sure += decision.kind != "unsure"
        for answer in (decision, *decision.settled):
            if answer.moved_to is not None:
                truth_of[answer.moved_to] = truths[min(answer.moved)]
            elif answer.kind == "new" and answer.class_id is not None:
                truth_of[answer.class_id] = truths[answer.exposure]
    placed = {n: k for k, own in learner.classes.items() for n in own.exposures}
    return {
        "seed": seed,
        "bursts": len(shown),
        "things": len(things),
        "right": right / len(shown),
        "decided": sure / len(shown),
        "wrong_of_decided": (sure - right) / max(sure, 1),
        "groups": len(learner.classes),
        "ari": ari([placed.get(n) for n in range(len(shown))], truths),
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--risk", type=float, default=0.05)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    shown, backbone = exposures(given.folder), Cached(load("lite0"))
    rows = [run(shown, seed, given.risk, backbone) for seed in range(given.seeds)]
    if given.json:
        print(json.dumps(rows))
        return
    for row in rows:
        print("  ".join(f"{name} {value:.3g}" for name, value in row.items()))


if __name__ == "__main__":
    main()
