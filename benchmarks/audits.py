"""What an audit says beside what was promised and what is true.

    python benchmarks/audits.py
    python benchmarks/audits.py --streams arcs --number 50

On streams of real bursts, and of COIL-20 in arcs and in two views at a time, a learner decides by itself; then
sure decisions are drawn as by ``ilap audit``, and the true labels answer. The table has the share of all sure
decisions that is wrong, the risk that was promised, and what the audit found, with its interval. A decision is
wrong if it was when it was made: *new* where a class stood for the truth already, *known* where the class
stands for something else. Data sets are looked for in the folder that ILAP_DATA names.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict, replace

from ilap import Learner
from ilap.bench import tables
from ilap.bench.command import show
from ilap.bench.data import dataset, frozen
from ilap.bench.follow import Followed
from ilap.bench.stream import Plan, plan
from ilap.cli.app import split
from ilap.core.errors import BadSetting, IlapError
from ilap.core.settings import resolve
from ilap.learner.audit import Audit

STREAMS = {
    "arcs": ("coil20", Plan(9, 6, "contiguous")),
    "pairs": ("coil20", Plan(2, 8)),
    "cattle": ("bursts/cattle", Plan(draw="clips")),
    "turning": ("bursts/turning", Plan(draw="clips")),
    "signs": ("bursts/signs", Plan(draw="clips")),
    "chimpanzees": ("bursts/chimpanzees", Plan(draw="clips")),
}


def audited(name: str, given: argparse.Namespace) -> tuple[int, list[bool], Audit]:
    """A stream that was learned and audited: its exposures, which of its sure decisions are wrong, and what the
    audit found."""
    data, wanted = STREAMS[name]
    stream = plan(dataset(data), wanted, given.seed, given.seed)
    learner = Learner(seed=given.seed, backbone=frozen(resolve("fast", {})), risk=given.risk)
    followed, wrong = Followed(), dict[int, bool]()
    for number, (exposure, truth) in enumerate(stream, 1):
        decision = learner.observe(exposure)
        if number == len(stream):
            decision = replace(decision, settled=(*decision.settled, *learner.ask_again()))
        judged = followed.take(decision, truth)
        wrong |= {own.exposure: not own.right for own in judged if own.sure}
    learner.audit(given.number, given.seed)
    sample = learner.audit(answers={}).sample
    found = learner.audit(answers={own.exposure: "wrong" if wrong[own.exposure] else "right" for own in sample})
    return len(stream), list(wrong.values()), found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--streams", default=",".join(STREAMS), help="by commas; all by default")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--risk", type=float, default=0.05)
    parser.add_argument("--number", type=int, default=20, help="decisions that are looked at")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    rows = []
    try:
        for name in split(given.streams):
            if name not in STREAMS:
                raise BadSetting(f"There is no stream {name!r}: take some of {', '.join(STREAMS)}.")
            count, wrong, found = audited(name, given)
            if given.json:
                print(
                    json.dumps({"stream": name, "exposures": count, "wrong": wrong, **asdict(found)}),
                    flush=True,
                )
            judged = found.right + found.wrong
            ends = f"[{tables.short(found.low, 3)}, {tables.short(found.high, 3)}]"
            all_sure = f"{sum(wrong)} of {len(wrong)}"
            rows.append((name, count, given.risk, all_sure, f"{found.wrong} of {judged}", ends, found.broken))
    except IlapError as error:
        sys.exit(f"audits: {error}")
    if not given.json:
        heads = ("stream", "exposures", "promised", "wrong of all sure", "wrong of audited", "95 %", "broken")
        show(tables.Grid(heads, tuple(tuple(map(str, row)) for row in rows)))


if __name__ == "__main__":
    main()
