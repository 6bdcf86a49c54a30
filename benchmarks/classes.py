"""How the time of a decision grows with the number of classes.

    python benchmarks/classes.py

A learner knows 10, 100, 1,000 or 10,000 classes: synthetic features of the embedded backbone's dimension, class
means drawn with the variances between classes that its prior has. It decides and learns exposures of known
classes; the forward pass is left out. Numbers of classes take turns in one run, and medians count: machines
are shared, and seconds do not compare, ratios do.
"""

from __future__ import annotations

import argparse
import json
import time

import numpy as np

from ilap import Learner
from ilap.core.exposure import Samples, validation_mask
from synthetic import exact_of, teach


def learner_of(classes: int, pictures: int) -> tuple[Learner, np.ndarray]:
    """A learner that has seen one exposure of every class, and the true class means."""
    learner = Learner(exemplars=10)
    model = exact_of(learner).model
    rule = model.rule.class_prior
    spread = np.sqrt(rule.share * model.prior.between + rule.floor)
    centres = np.random.default_rng(0).normal(size=(classes, model.prior.dim)) * spread
    teach(learner, centres, pictures, kept=10)
    return learner, centres


def unknown(number: int) -> Samples:
    """Nothing is given up here, so nothing is asked for again."""
    raise KeyError(number)


def main() -> None:
    """Time decisions in turns."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--classes", type=int, nargs="*", default=[10, 100, 1000, 10000])
    parser.add_argument("--pictures", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()

    rng = np.random.default_rng(1)
    ready = {classes: learner_of(classes, arguments.pictures) for classes in arguments.classes}
    seconds: dict[int, list[float]] = {classes: [] for classes in ready}
    right = dict.fromkeys(ready, 0)
    for _ in range(arguments.rounds):
        for classes, (learner, centres) in ready.items():
            shown = int(rng.integers(classes))
            dim = centres.shape[1]
            rows = (centres[shown] + rng.normal(size=(arguments.pictures, dim))).astype(np.float16)
            samples = Samples(learner.state.seen, rows, validation_mask(len(rows)))
            started = time.perf_counter()
            (first, *_) = learner.loop.step(learner.state, samples, unknown)
            seconds[classes].append(time.perf_counter() - started)
            learner.state = first.state
            right[classes] += first.decision.class_id == shown
    medians = {classes: float(np.median(times)) for classes, times in seconds.items()}
    base = medians.get(100, min(medians.values()))
    rows_out = [
        {
            "classes": k,
            "milliseconds": 1e3 * t,
            "times_that_at_100": t / base,
            "right": right[k] / arguments.rounds,
        }
        for k, t in medians.items()
    ]
    if arguments.json:
        print(json.dumps(rows_out))
        return
    for row in rows_out:
        print(
            f"{row['classes']:>6} classes: {row['milliseconds']:.0f} ms a decision, "
            f"{row['times_that_at_100']:.2f} times that at 100, {row['right']:.0%} right"
        )


if __name__ == "__main__":
    main()
