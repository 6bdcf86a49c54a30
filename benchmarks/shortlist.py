"""Whether the learner decides the same if every exposure is compared with all others, and not with the 100
nearest and 100 others alone.

    ILAP_DATA=... python benchmarks/shortlist.py --data cifar100 --exposure-size 20 --repeats 4

One stream, twice: with the rule in force, and with one that compares all. An answer is its kind and class, at
once or later; classes are compared by their oldest exposure.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import replace

from ilap import Learner
from ilap.bench.data import dataset, frozen
from ilap.bench.stream import Plan, Stream, plan
from ilap.core.rule import RULE, Rule
from ilap.core.settings import resolve
from ilap.exact.model import empty_model
from synthetic import exact_of

ALL = 1_000_000
Answer = tuple[str, int]


def answers(stream: Stream, rule: Rule) -> tuple[dict[int, Answer], dict[int, Answer]]:
    """What the learner says of every exposure, at once and when all that waits was asked about again."""
    learner = Learner(seed=0, backbone=frozen(resolve("fast", {})))
    exact = exact_of(learner)
    model = empty_model(exact.model.prior, rule)
    learner.state = replace(learner.state, classifier=replace(exact, model=model))
    once = dict[int, Answer]()
    for number in range(len(stream.truths)):
        decision = learner.observe(stream.exposure(number))
        class_id = decision.class_id
        oldest = -1 if decision.kind == "unsure" or class_id is None else learner.state.members[class_id][0]
        once[number] = decision.kind, oldest
    learner.ask_again()
    classes = {number: own[0] for own in learner.state.members.values() for number in own}
    return once, {number: ("sure", classes.get(number, -1)) for number in once}


def main() -> None:
    """Compare and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--data", default="cifar100")
    parser.add_argument("--exposure-size", type=int, default=20)
    parser.add_argument("--repeats", type=int, default=4)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    stream = plan(dataset(given.data), Plan(given.exposure_size, given.repeats), given.seed, given.seed)
    every = replace(RULE, pairs=replace(RULE.pairs, compared=ALL))
    near, full = answers(stream, RULE), answers(stream, every)
    beyond = [number for number in near[0] if number >= RULE.pairs.compared]
    same = [sum(a[number] == b[number] for number in a) for a, b in zip(near, full, strict=True)]
    late = sum(near[0][number] == full[0][number] for number in beyond)
    print(
        json.dumps(
            {"exposures": len(near[0]), "same at once": same[0], "same at the end": same[1]}
            | {f"of the {len(beyond)} after the first {RULE.pairs.compared}, at once": late}
        )
    )


if __name__ == "__main__":
    main()
