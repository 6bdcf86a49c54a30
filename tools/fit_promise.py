"""Fits the calibration of decisions (src/ilap/exact/calibration.json) as it is deployed, leaving families out.

    ILAP_DATA=../shared/data python tools/fit_promise.py --out fitted

Streams are drawn at random from every family (fitting/material.py), and sessions are made of single pictures
(fitting/synthetic.py), which count to the family that the pictures are of. First a learner that is taught goes
along the streams, and from its questions (fitting/asks.py) come the weights (fitting/fit.py). Then the learner
itself goes along, each family with what was fitted without it, in so many rounds: what it asks in the last
one, with classes that it split or mixed and exposures that wait, is fitted on too. At the end OUT holds
all.json and, for each family, one that was fitted without it. The same command again goes on where it was.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import argparse
import json
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))
from fitting import fit, store
from fitting.asks import along
from fitting.material import FAMILIES, streams
from ilap.backbones import prior
from ilap.bench.data import frozen
from ilap.core import files
from ilap.core.settings import resolve
from ilap.exact.calibration import parsed

RISKS = (0.02, 0.05, 0.1)  # with which the learner goes along, so that surer and bolder ones are met
KEY, DIM = "lite0-128-7-10", 2048
WIDEN = 0.6  # log odds on other features than these; by hand
VERSION = 2


def taught(out: Path, family: str, count: int) -> None:
    """The questions of a learner that is taught."""
    path = out / f"taught-{family}.npz"
    if not path.exists():
        backbone, known = frozen(resolve("fast", {})), prior.load(KEY, DIM)
        walks = (along(stream, backbone, known, None, RISKS[1], 0) for stream in streams(family, count, out))
        store.write(path, [fit.together(family, walk.names, walk.asks) for walk in walks if walk.asks])


def went_along(out: Path, family: str, count: int, fitted: dict[str, Any], number: int) -> None:
    """Those of the learner itself. How it decided is told."""
    path = out / f"round-{number + 1}-{family}.npz"
    if not path.exists():
        backbone, known = frozen(resolve("fast", {})), prior.load(KEY, DIM)
        calibration = parsed(fitted)
        found, decided = [], []
        for stream in streams(family, count, out):
            risk = float(np.random.default_rng([number, stream.seed]).choice(RISKS))
            walk = along(stream, backbone, known, calibration, risk, number)
            if walk.asks:
                found.append(fit.together(family, walk.names, walk.asks))
            decided.append((risk, len(stream.exposures), walk.right))
        store.write(path, found)
        print(f"round {number + 1}, without it: {report(family, decided)}", flush=True)


def calibration(out: Path, names: Sequence[str], left: str, rounds: int) -> dict[str, Any]:
    """What is shipped, fitted without a family: on what a taught learner asked, and on what the learner itself
    asked in the last round, since it was worse before."""
    stages = ["taught", f"round-{rounds}"] if rounds else ["taught"]
    asked = [
        one
        for name in names
        if name != left
        for stage in stages
        for one in store.read(out / f"{stage}-{name}.npz", name)
    ]
    weights = fit.weights(asked)
    return {"version": VERSION, "features": [KEY], "widen": WIDEN, "weights": weights}


def report(family: str, decided: Sequence[tuple[float, int, Sequence[bool]]]) -> str:
    """How a family went that was left out, at every risk."""
    parts = []
    for risk in RISKS:
        own = [(count, right) for used, count, right in decided if used == risk]
        seen, sure = sum(count for count, _ in own), sum(len(right) for _, right in own)
        wrong = sure - sum(sum(right) for _, right in own)
        parts.append(f"{risk}: {sure / max(seen, 1):.2f} sure, {wrong / max(sure, 1):.3f} wrong")
    return f"{family:12} " + "; ".join(parts)


def main() -> None:
    """Fit and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path("fitted"))
    parser.add_argument("--streams", type=int, default=20, help="of a family, and as many synthetic ones")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--at-once", type=int, default=2)
    parser.add_argument("--without", default="", help="families that are not fitted on at all, by commas")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    names = [name for name in FAMILIES if name not in given.without.split(",")]
    every, began = [*names, "all"], time.time()
    outs, counts = [given.out] * len(every), [given.streams] * len(names)
    with ProcessPoolExecutor(given.at_once) as pool:
        list(pool.map(taught, outs, names, counts))
        for number in range(given.rounds + 1):
            print(f"asked along all streams ({time.time() - began:.0f} s)", flush=True)
            stages = [names] * len(every), every, [number] * len(every)
            fitted = dict(zip(every, pool.map(calibration, outs, *stages), strict=True))
            for left, own in fitted.items():
                files.write(given.out / f"{left}.json", json.dumps(own, indent=1))
            print(f"fitted ({time.time() - began:.0f} s)", flush=True)
            if number < given.rounds:
                left_out = [fitted[name] for name in names]
                list(pool.map(went_along, outs, names, counts, left_out, [number] * len(names)))


if __name__ == "__main__":
    main()
