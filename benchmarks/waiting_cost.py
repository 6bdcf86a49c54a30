"""What a decision costs while exposures wait, and what it costs to look at all of them again.

    python benchmarks/waiting_cost.py
    python benchmarks/waiting_cost.py --waiting 0 200 2000 --regroup 5000

The embedded digits, exposures of ten pictures: a learner was taught two of each class, and so many others
wait. Times are of one exposure from its features to the next state, retries included; the forward pass is not
in them. Ratios are to the first number of waiting exposures. One thread, medians: machines are shared.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import argparse
import json
import statistics
import time
from dataclasses import replace

import numpy as np

from ilap import Learner
from ilap.bench.data import dataset
from ilap.core.exposure import Samples, validation_mask
from ilap.exact.statistics import Traits
from synthetic import exact_of

PICTURES, TAUGHT, BLUR = 10, 2, 0.3
USUAL = Traits(log_tr=0.0)  # of those that wait, so that it is ready in seconds


class Drawn:
    """Exposures of digits, each around a mean of its own, as sessions are."""

    def __init__(self, learner: Learner) -> None:
        part = dataset("digits").train
        self.rows = learner.samples(part.pictures).astype(np.float64)
        self.labels = np.asarray(part.labels)
        self.rng = np.random.default_rng(0)

    def exposure(self, number: int, label: int) -> Samples:
        """Ten pictures of a digit."""
        places = self.rng.choice(np.flatnonzero(self.labels == label), PICTURES)
        around = BLUR * self.rng.normal(size=self.rows.shape[1])
        rows = (self.rows[places] + around).astype(np.float16)
        return Samples(number, rows, validation_mask(PICTURES))


def taught(learner: Learner, drawn: Drawn) -> Learner:
    """Two exposures of every digit."""
    for number in range(10 * TAUGHT):
        label = number % 10
        class_id = None if number < 10 else label
        steps = learner.loop.teach(learner.state, drawn.exposure(number, label), class_id)
        learner.state = steps[-1].state
    return learner


def with_waiting(learner: Learner, drawn: Drawn, count: int) -> None:
    """So many wait, each in a group of its own."""
    for _ in range(count):
        state = learner.state
        samples = drawn.exposure(state.seen, int(drawn.rng.integers(10)))
        seen = replace(state.arrived(samples), classifier=exact_of(learner).see(samples, USUAL))
        learner.state = seen.waits([samples], state.founded)


def seconds(learner: Learner, drawn: Drawn, rounds: int) -> float:
    """Of a decision, in the median."""
    taken, known = [], {samples.number: samples for samples in learner.state.waiting}
    for at in range(rounds + 1):
        now = learner.state
        samples = drawn.exposure(now.seen, at % 10)
        started = time.perf_counter()
        learner.state = learner.loop.step(now, samples, known.__getitem__)[-1].state
        taken.append(time.perf_counter() - started)
        known[samples.number] = samples
    return statistics.median(taken[1:])


def main() -> None:
    """Time and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--waiting", type=int, nargs="*", default=[0, 200, 2000])
    parser.add_argument("--regroup", type=int, default=0, help="so many that wait are grouped, and timed")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    found: dict[str, float] = {}
    for count in given.waiting:
        learner = Learner()
        drawn = Drawn(learner)
        taught(learner, drawn)
        with_waiting(learner, drawn, count)
        found[str(count)] = seconds(learner, drawn, given.rounds)
        if not given.json:
            ratio = found[str(count)] / found[str(given.waiting[0])]
            print(
                f"{count:>6,} waiting: {1000 * found[str(count)]:.0f} ms, {ratio:.2f} times the first",
                flush=True,
            )
    if given.regroup:
        learner = Learner()
        drawn = Drawn(learner)
        with_waiting(taught(learner, drawn), drawn, given.regroup)
        started = time.perf_counter()
        learner.regroup()
        found["regroup"] = time.perf_counter() - started
        if not given.json:
            print(f"{given.regroup:>6,} grouped again: {found['regroup']:.1f} s", flush=True)
    if given.json:
        print(json.dumps(found))


if __name__ == "__main__":
    main()
