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
from dataclasses import replace

import numpy as np

from ilap import Learner
from ilap.core.exposure import Samples, validation_mask
from ilap.exact.class_prior import FLOOR, SHARE
from ilap.exact.evidence import Traits
from ilap.exact.exact import Exact
from ilap.exact.metric import Metric
from ilap.exact.statistics import Learned, Member


def learner_of(classes: int, pictures: int) -> tuple[Learner, np.ndarray]:
    """A learner that has seen one exposure of every class, and the true class means. The scatter is drawn once
    and scaled, so that ten thousand classes are ready in seconds."""
    rng = np.random.default_rng(0)
    learner = Learner(exemplars=10)
    state = learner._state
    exact = state.classifier
    assert isinstance(exact, Exact)
    dim = exact.prior.dim
    centres = rng.normal(size=(classes, dim)) * np.sqrt(SHARE * exact.prior.between + FLOOR)
    members, memory = {}, state.memory
    for class_id, centre in enumerate(centres):
        rows = (centre + rng.normal(size=(pictures, dim))).astype(np.float16)
        learned = Learned(pictures, rows.sum(0, dtype=np.float64))
        members[class_id] = Member(class_id, learned, rows[:5], Traits(log_tr=0.0, log_ratio=np.log(3 / dim)))
        kept = Samples(class_id, rows[:10], validation_mask(10))
        memory = memory.remember(class_id, kept, exact.features)
    noise = rng.normal(size=(2000, dim))
    freedom = (pictures - 1) * classes
    learner._state = replace(
        state,
        classifier=replace(
            exact,
            metric=Metric(noise.T @ noise * (freedom / 2000), freedom, prior_known=True),
            exposures=members,
            by_class={class_id: member.learned for class_id, member in members.items()},
        ),
        memory=memory,
        sizes=(pictures,) * classes,
        members={class_id: (class_id,) for class_id in range(classes)},
        founded=classes,
    )
    return learner, centres


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
    for number in range(arguments.rounds):
        for classes, (learner, centres) in ready.items():
            shown = int(rng.integers(classes))
            dim = centres.shape[1]
            rows = (centres[shown] + rng.normal(size=(arguments.pictures, dim))).astype(np.float16)
            state = learner._state
            samples = Samples(state.seen, rows, validation_mask(len(rows)))
            started = time.perf_counter()
            after, decision = learner._step(replace(state, sizes=(*state.sizes, len(rows))), samples, number)
            seconds[classes].append(time.perf_counter() - started)
            learner._state = after
            right[classes] += decision.class_id == shown
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
