"""A file of an earlier rule: what ilap decided by it is decided again, from the features that are kept.

ilap's own decisions become tentative, with the old classes as tentative groups, so that ids and names stay with
them. Then all of it is asked about again, and what stays unsure is regrouped. People's words hold, and so do
decisions by the rule of today. All of it is one event, which can be undone; it is done once, so that what was
undone stays as it was. Pictures that were left out of an exposure stay left out, and no others are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ilap.keep.learner import LearnerInFile
from ilap.keep.store import state
from ilap.learner import corrections
from ilap.learner.log import ILAP, NOWHERE, UNSURE, Change, in_force
from ilap.learner.store import Entry, scores
from ilap.learner.tentative import regrouped

DONE = "anew"  # under which the file notes the version up to which this was done


@dataclass(frozen=True)
class Redecided:
    """What was decided again: how many exposures, how many of them are sure now, and how many as before."""

    event: int
    rule: str
    exposures: int
    sure: int
    as_before: int

    @property
    def said(self) -> str:
        """The sentence."""
        return (
            f"this file was decided by an earlier rule ({self.rule}), so {self.exposures} of ilap's decisions "
            f"were made tentative and decided again: {self.sure} are sure now, {self.as_before} as before "
            f"(ilap undo with event {self.event} takes that back)"
        )


def redecide(learner: LearnerInFile) -> Redecided | None:
    """Decide again what ilap decided by an earlier rule; None where there is nothing of the kind."""
    version = learner.loop.rule.version
    connection = learner.file.connection
    rules = state.meta(connection, "rules") or []
    if not rules or version_of(rules[0][0]) >= version or (state.meta(connection, DONE) or 0) >= version:
        return None
    numbers = by_earlier_rule(learner, rules, version)
    if not numbers:
        with learner.file.transaction() as connection:
            state.set_meta(connection, DONE, version)
        return None
    was = learner.places
    event = decide_again(learner, numbers)
    sure = {number: k for k, own in learner.state.members.items() for number in own}
    return Redecided(
        event,
        rules[0][0],
        len(numbers),
        sum(number in sure for number in numbers),
        sum(sure.get(number) == was[number] for number in numbers),
    )


def decide_again(learner: LearnerInFile, numbers: Sequence[int]) -> int:
    """Decide what is unsure and these exposures of classes again, in one event; gives its number."""
    before, was = learner.state, learner.places
    doubts = tuple(Change(number, was[number], UNSURE) for number in numbers)
    doubted = corrections.applied(
        before, doubts, learner.store, [Change(number, NOWHERE, was[number]) for number in numbers]
    )
    done = replace(learner.loop, purify=False).ask_again(doubted, learner.store.samples_of)
    after = regrouped(done[-1].state if done else doubted)
    sure = {number: k for k, own in after.members.items() for number in own}
    settled = (Change(n, UNSURE, sure[n]) for n in sorted(doubted.tentative) if n in sure)
    told = {step.decision.exposure: scores(step.decision) for step in done}
    former = {str(number): learner.store.decision_of(number) for number in told}
    entry = Entry(ILAP, "anew", {"decisions": former}, (*doubts, *settled), told)
    with learner.file.transaction() as connection:
        event = learner.store.write(entry, before, after)
        state.note_rule(connection, learner.rule)
        state.set_meta(connection, DONE, learner.loop.rule.version)
    learner.reload()
    return event


def version_of(rule: str) -> int:
    """The version of a rule, by its name.

    >>> version_of("1-72269880"), version_of("2-0b3e8ea4/2-5e0f3a1c")
    (1, 2)
    """
    return int(rule.partition("-")[0])


def by_earlier_rule(learner: LearnerInFile, rules: list[tuple[str, int]], version: int) -> list[int]:
    """The exposures of classes that ilap put there before the rule of today was in force."""
    last = min((since for name, since in rules if version_of(name) >= version), default=None)
    log = in_force(learner.history())
    decided = {c.exposure: (event.by, event.id) for event in log for c in event.changes}
    return sorted(
        number
        for own in learner.state.members.values()
        for number in own
        if decided[number][0] == ILAP and (last is None or decided[number][1] <= last)
    )
