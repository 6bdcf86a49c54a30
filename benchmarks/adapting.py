"""What adapting a network to classes is worth, and what it rests on.

    python benchmarks/adapting.py refused      too few pictures, groups that mean nothing; and enough pictures
    python benchmarks/adapting.py wrong        some exposures in a wrong group, a class split in two
    python benchmarks/adapting.py bursts       naming of later bursts: signs, cattle, COIL-20 in arcs
    python benchmarks/adapting.py choices      one choice of the recipe at a time, on SVHN and CIFAR-100

The learner is told the labels, so that nothing but adapting is measured; ``ilap bench --learner adapted``
measures it where groups are found. A row has the accuracy on test pictures of the frozen discriminant, of the
trained head alone and of both together, whether the network is kept or not. Of bursts that came later, which
judge in place of test pictures, it also has how many are named right by all of their pictures together. Rows
are written as they are done, and the same command goes on. Data sets are looked for in the folder that
ILAP_DATA names; run it with one thread (OMP_NUM_THREADS=1).
"""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ilap import Learner
from ilap.bench.data import dataset, frozen
from ilap.bench.stream import Plan, Stream, plan
from ilap.core.settings import resolve
from ilap.core.terminal import print_table
from ilap.network import adapt
from ilap.network.adapt import Recipe

LATER = 3  # one in so many bursts of a class comes later


@dataclass(frozen=True)
class Case:
    """A stream, how its groups are spoilt, and a recipe."""

    name: str
    data: str
    plan: Plan
    recipe: Recipe = field(default_factory=Recipe)
    seed: int = 0
    spoilt: str = ""  # shuffled, unlearnable, wrong or split
    later: bool = False  # whether later bursts are named, in place of test pictures


SVHN, CIFAR = Plan(200, 5), Plan(50, 3)
SHORT = Recipe(steps=280)
STUDIES = {
    "refused": [
        *(Case("50 a class", "svhn", Plan(10, 5), seed=seed) for seed in range(3)),
        *(Case("200 a class", "svhn", Plan(40, 5), Recipe(steps=400), seed) for seed in range(3)),
        Case("exposures shuffled", "svhn", Plan(40, 5), SHORT, spoilt="shuffled"),
        Case("labels of pictures shuffled", "svhn", Plan(40, 5), SHORT, spoilt="unlearnable"),
    ],
    "wrong": [
        Case("clean", "svhn", SVHN, SHORT),
        Case("3 of 50 exposures in a wrong group", "svhn", SVHN, SHORT, spoilt="wrong"),
        Case("a class split in two", "svhn", SVHN, SHORT, spoilt="split"),
    ],
    "bursts": [
        Case("signs", "bursts/signs", Plan(draw="clips"), later=True),
        Case("cattle", "bursts/cattle", Plan(draw="clips"), later=True),
        Case("COIL-20, arcs of 9", "coil20", Plan(9, 6, "contiguous"), later=True),
    ],
    "choices": [
        Case(name, data, wanted, replace(SHORT, **changed))
        for data, wanted in (("svhn", SVHN), ("cifar100", CIFAR))
        for name, changed in {
            "as it is, 280 steps": {},
            "140 steps": {"steps": 140},
            "64 px": {"side": 64},
            "from stage4 on": {"stage": "stage4"},
            "shifted by up to 4 px": {"shift": 1},
            "mirrored": {"mirrored": True},
        }.items()
    ],
}


def groups_of(case: Case, stream: Stream) -> list[int]:
    """The label that the learner is told of every exposure."""
    told, rng = list(stream.truths), np.random.default_rng(case.seed)
    if case.spoilt == "shuffled":
        return [told[i] for i in rng.permutation(len(told))]
    if case.spoilt == "wrong":
        for number in rng.choice(len(told), round(0.05 * len(told) + 0.5), replace=False):
            told[number] = int(rng.choice([label for label in set(told) if label != told[number]]))
    if case.spoilt == "split":
        own = [number for number, label in enumerate(told) if label == told[0]]
        for number in own[len(own) // 2 :]:
            told[number] = max(stream.truths) + 1
    return told


def measured(case: Case) -> dict[str, Any]:
    """One row."""
    stream = plan(dataset(case.data), case.plan, case.seed, case.seed)
    later = later_bursts(stream) if case.later else set()
    learner = Learner(seed=case.seed, backbone=frozen(resolve("fast", {})))
    ids, shown, truth_of = dict[int, int](), list[Any](), dict[int, int]()
    for number, (label, truth) in enumerate(zip(groups_of(case, stream), stream.truths, strict=True)):
        if number in later:
            continue
        exposure = stream.exposure(number)
        class_id = learner.teach(exposure, ids.get(label)).class_id
        assert class_id is not None
        ids[label] = class_id
        truth_of.setdefault(class_id, truth)
        shown.append(exposure.pictures)
    train = adapt.train_groups
    if case.spoilt == "unlearnable":
        rng = np.random.default_rng(case.seed)
        adapt.train_groups = lambda squares, groups, *rest: train(squares, rng.permutation(groups), *rest)
    try:
        found = learner.adapt(pictures_of=lambda number: dict(enumerate(shown[number])), recipe=case.recipe)
    finally:
        adapt.train_groups = train

    pictures, labels, bursts = tested(stream, later)
    rows, logits = learner.samples(pictures), found.network.logits(pictures)
    both = found.network.probabilities(learner.exact, rows, logits)
    scores = {"frozen": learner.exact.scores(rows) / 6, "head": logits, "both": np.log(np.maximum(both, 1e-12))}
    truths = np.array([truth_of[class_id] for class_id in learner.exact.classes])
    row: dict[str, Any] = {"kept": found.kept, "tested": len(labels)}
    for name, own in scores.items():
        row[name] = float((truths[own.argmax(1)] == labels).mean())
        if later:
            logs = own - np.logaddexp.reduce(own, axis=1, keepdims=True)
            named = [
                truths[logs[bursts == b].sum(0).argmax()] == labels[bursts == b][0] for b in np.unique(bursts)
            ]
            row[f"{name}, bursts"] = float(np.mean(named))
    return row | {name: value for name, value in found.plain().items() if name not in ("kept", "missing")}


def later_bursts(stream: Stream) -> set[int]:
    """The last third of the exposures of every class that has two or more; they are not learned."""
    numbers: dict[int, list[int]] = {}
    for number, truth in enumerate(stream.truths):
        numbers.setdefault(truth, []).append(number)
    return {n for own in numbers.values() if len(own) > 1 for n in own[-max(1, len(own) // LATER) :]}


def tested(stream: Stream, later: set[int]) -> tuple[list[Any], NDArray[np.int64], NDArray[np.int64]]:
    """Pictures to name, what they show, and the burst of each."""
    if not later:
        test = stream.dataset.test
        return [test.pictures[i] for i in range(len(test))], test.labels, np.arange(len(test))
    pairs = [(number, place) for number in sorted(later) for place in stream.pictures[number]]
    labels = np.array([stream.truths[number] for number, _ in pairs])
    shown = [stream.dataset.train.pictures[place] for _, place in pairs]
    return shown, labels, np.array([number for number, _ in pairs])


def main() -> None:
    """Measure what is not there yet, and print all of it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("study", choices=list(STUDIES))
    parser.add_argument("--out", type=Path, default=Path("runs/adapting.jsonl"), help="where rows are kept")
    given = parser.parse_args()
    given.out.parent.mkdir(parents=True, exist_ok=True)
    lines = given.out.read_text(encoding="utf-8").splitlines() if given.out.exists() else []
    done = {json.dumps(line["case"]): line["row"] for line in map(json.loads, lines)}
    rows = []
    for case in STUDIES[given.study]:
        key = json.dumps(asdict(case))
        if key not in done:
            done[key] = measured(case)
            with given.out.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"case": json.loads(key), "row": done[key]}) + "\n")
        rows.append((case, done[key]))
    columns = ["frozen", "head", "both", "frozen, bursts", "both, bursts", "kept", "held_out"]
    columns += ["frozen_right", "adapted_right", "steps", "seconds"]
    columns = [column for column in columns if any(column in row for _, row in rows)]
    cells = ((case.name, case.data, case.seed, *(told(row.get(c)) for c in columns)) for case, row in rows)
    print_table(("case", "data", "seed", *columns), cells)


def told(value: Any) -> str:
    """A figure."""
    if isinstance(value, bool) or value is None:
        return {True: "yes", False: "no", None: ""}[value]
    return f"{value:.0f}" if isinstance(value, int) or value > 2 else f"{value:.4f}"


if __name__ == "__main__":
    main()
