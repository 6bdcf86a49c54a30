"""How time and memory grow with the number of exposures that a learner has seen.

    python benchmarks/exposures.py --exposures 100 1000 10000

Synthetic features with the prior's variances: identities, five exposures of each, a session around each
identity. Half of the identities are known as classes, by two exposures; all else waits. The forward pass is
left out. Every number has a process of its own, one after the other.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from ilap import Learner
from ilap.core.exposure import Samples, validation_mask
from ilap.exact.metric import Metric
from ilap.exact.statistics import NO_CLASS, Statistics, Traits, sums_of
from ilap.learner.log import UNSURE
from ilap.learner.store import InMemory, Kept
from synthetic import DRAWN, exact_of

OF_EACH, PICTURES, SESSIONS = 5, 8, 0.3
MOVES = {"which": "1", "same": "same", "batch": "all", "split": "all"}  # the answer to each kind of question


def ready(count: int) -> tuple[Learner, np.ndarray, np.ndarray]:
    """A learner that has seen so many exposures, the means of the identities, and what each exposure shows."""
    learner, rng = Learner(), np.random.default_rng(0)
    exact, state = exact_of(learner), learner.state
    rule, dim = exact.model.rule.class_prior, exact.model.prior.dim
    spread = rule.share * exact.model.prior.between + rule.floor
    identities = rng.normal(size=(count // OF_EACH, dim)) * np.sqrt((1 - SESSIONS) * spread)
    shows = rng.permutation(np.repeat(np.arange(len(identities)), OF_EACH))
    store, seen, memory = learner.store, dict[int, Statistics](), state.memory
    assert isinstance(store, InMemory)
    waiting, members = list[Samples](), dict[int, tuple[int, ...]]()
    for number, identity in enumerate(shows.tolist()):
        samples = exposure(number, identities[identity], spread, rng)
        known = identity % 2 == 0 and len(members.get(identity, ())) < 2
        traits = Traits(log_tr=0.0, log_ratio=float(np.log(3 / dim)))
        seen[number] = Statistics(identity if known else NO_CLASS, sums_of(samples), traits, samples.rows)
        store.exposures[number] = Kept(samples, identity if known else UNSURE, traits=traits)
        if known:
            members[identity] = (*members.get(identity, ()), number)
            memory = memory.remember(identity, samples, exact.features)
        else:
            waiting.append(samples)
    noise, freedom = rng.normal(size=(DRAWN, dim)), (PICTURES - 1) * count
    model = exact.model.with_metric(Metric(noise.T @ noise * (freedom / DRAWN), freedom, prior_known=True))
    sure = {n: own for n, own in seen.items() if own.class_id != NO_CLASS}
    unsure = {n: own for n, own in seen.items() if own.class_id == NO_CLASS}
    model = replace(model, exposures=sure, unsure=unsure)
    model = replace(model, by_class=model.summed(sure, set(members)))
    next_id = len(identities)
    learner.state = replace(
        state,
        classifier=replace(exact, model=model),
        memory=memory,
        sizes=(PICTURES,) * count,
        members=dict(sorted(members.items())),
        waiting=tuple(waiting),
        tentative={own.number: next_id + at for at, own in enumerate(waiting)},
        founded=next_id + len(waiting),
    )
    return learner, identities, spread


def exposure(number: int, centre: np.ndarray, spread: np.ndarray, rng: np.random.Generator) -> Samples:
    """One of an identity, at a session of its own."""
    session = centre + rng.normal(size=len(centre)) * np.sqrt(SESSIONS * spread)
    rows = (session + rng.normal(size=(PICTURES, len(centre)))).astype(np.float16)
    return Samples(number, rows, validation_mask(PICTURES))


def keep(learner: Learner, samples: Samples) -> None:
    """Write where an exposure is, and those that were decided with it."""
    store = learner.store
    assert isinstance(store, InMemory)
    for number, own in exact_of(learner).model.seen.items():
        place = UNSURE if own.class_id == NO_CLASS else own.class_id
        if number == samples.number:
            store.exposures[number] = Kept(samples, place, traits=own.traits)
        elif store.exposures[number].place != place:
            store.exposures[number] = replace(store.exposures[number], place=place)


def timed(work: Callable[[], object]) -> float:
    """Its seconds."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def measure(count: int) -> dict[str, float]:
    """Seconds of everything, and the largest memory in MB."""
    learner, identities, spread = ready(count)
    rng, found = np.random.default_rng(1), dict[str, float]()
    found["regroup"] = timed(learner.regroup)
    steps = []
    for at in range(5):
        samples = exposure(count + at, identities[at], spread, rng)

        def observe(samples: Samples = samples) -> None:
            learner.state = learner.loop.step(learner.state, samples, learner.store.samples_of)[-1].state

        steps.append(timed(observe))
        keep(learner, samples)
    found["observe"] = float(np.median(steps))
    found["ask"] = timed(lambda: learner.ask(5))
    question = learner.ask(1)[0]
    found["answer"] = timed(lambda: learner.answer(question, "cannot"))
    question = learner.ask(1)[0]
    found["answer, moves"] = timed(lambda: learner.answer(question, MOVES[question.kind]))
    found["memory, MB"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--exposures", type=int, nargs="*", default=[100, 1000, 10000])
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        print(json.dumps(measure(given.one)))
        return
    rows = {}
    for count in given.exposures:
        done = subprocess.run(
            [sys.executable, __file__, "--one", str(count)], capture_output=True, text=True, check=True
        )
        rows[count] = json.loads(done.stdout.splitlines()[-1])
        if not given.json:
            print(f"{count:>6}  " + "  ".join(f"{name} {value:.3g}" for name, value in rows[count].items()))
    if given.json:
        print(json.dumps(rows))


if __name__ == "__main__":
    main()
