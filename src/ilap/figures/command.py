"""What ``ilap paper`` prints of figures and of the whole report."""

from __future__ import annotations

import json
from pathlib import Path

from rich.console import Console

from ilap.bench.paper import SCALES
from ilap.errors import BadOutput, BadSetting
from ilap.figures import load, report
from ilap.figures.contract import Finding, Order


def figure(what: str, scale: str, seeds: int | None, out: Path, jobs: int | None, as_json: bool) -> None:
    """Make a figure, or everything."""
    if scale not in SCALES:
        raise BadSetting(f"There is no scale {scale!r}: take one of {', '.join(SCALES)}.")
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadOutput(f"{out} cannot be written to ({error.strerror}): name another with --out.") from None
    order = Order(scale, out, jobs, seeds)
    aside = Console(stderr=True, highlight=False)
    if what == "all":
        made = report.make(order, lambda words: aside.print(words))
        if as_json:
            print(json.dumps(report.summary(made)))
            return
        for _, finding in made.findings:
            print(sentence(finding))
        for data, file in made.gaps.items():
            print(f"- No {data}: {file} is missing.")
        print(f"{made.page}: open it in a browser; the tables are in {made.page.with_name('tables.md')} too.")
        return
    one = load.make(what, order)
    if as_json:
        print(json.dumps(report.plain(one)))
        return
    print(f"{report.label(one.name)}: {one.title}. {one.caption}")
    for finding in one.findings:
        print(sentence(finding))
    for words in (*(f"No {data}: {file} is missing." for data, file in one.gaps.items()), *one.differs):
        print(f"- {words}")
    aside.print(f"Files: {', '.join(map(str, one.files))}", soft_wrap=True)


def sentence(finding: Finding) -> str:
    """A finding in one line."""
    return f"- {finding.claim}: {finding.verdict}. {finding.sentence}"
