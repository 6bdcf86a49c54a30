"""The figures of a run, derived from its records alone."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ilap.bench.follow import Followed, Judged
from ilap.bench.records import Record
from ilap.core import metrics


def summary(records: Sequence[Record]) -> dict[str, Any]:
    """The figures of a run. Novelty is scored from the second exposure on: the first is new by definition.
    A learner that is told its labels has no score. ``ari`` is that of the places at the end."""
    scored = records[1:]
    scores, novel = [r.decision.score for r in scored], [r.novel for r in scored]
    told = any(math.isnan(score) for score in scores)
    seconds = [r.decision.seconds for r in records]
    followed = Followed()
    judged = [one for r in records for one in followed.take(r.decision, r.truth)]
    places = followed.places if records[-1].places is None else records[-1].places
    return {
        "exposures": len(records),
        "decisions_right": sum(r.right for r in records),
        "unsure": sum(r.decision.kind == "unsure" for r in records),
        "right_at_end": right_at_end(judged),
        "unsure_at_end": len(records) - len({one.exposure for one in judged if one.answer.kind != "unsure"}),
        **promised(judged),
        "answers": len(records[-1].answers),
        "accuracy": records[-1].accuracy,
        "unique_classes": records[-1].unique_classes,
        "learned_classes": records[-1].learned_classes,
        "true_classes": len({r.truth for r in records}),
        "auroc": None if told else metrics.auroc(scores, novel),
        "fpr95": None if told else metrics.fpr95(scores, novel),
        "aupr": None if told else metrics.aupr(scores, novel),
        "ari": metrics.ari([places.get(n) for n in range(len(records))], followed.truths),
        "strangers": sum(r.strangers for r in records),
        "strangers_found": sum(r.strangers_found for r in records),
        "left_out": sum(len(r.decision.strangers) for r in records),
        "seconds": sum(seconds),
        "seconds_per_exposure": sum(seconds) / len(seconds),
    }


def promised(judged: Sequence[Judged]) -> dict[str, Any]:
    """What the risk is about: how much of what the learner was ever sure of is wrong.

    ``sure`` and ``sure_at_end`` are the shares of exposures that were sure at once, and ever. ``sure_answers``
    are all answers that were sure, at once or later, and ``wrong_of_sure`` is the share of them that was wrong
    when it was given. ``asked`` exposures, those whose first sure answer is a person's, are in none of these.
    ``log_loss`` and ``ece`` are about the first answer to every exposure.
    """
    by: dict[int, str] = {}
    for one in judged:
        if one.answer.kind != "unsure":
            by.setdefault(one.exposure, one.answer.by)
    asked = {exposure for exposure, who in by.items() if who == "person"}
    first = [one for one in judged if one.at_once]
    count = len(first) - len(asked)
    sure = [one for one in judged if one.sure and one.exposure not in asked]
    stated = [
        (one.stated, one.likeliest_right)
        for one in first
        if one.stated is not None and one.likeliest_right is not None
    ]
    return {
        "asked": len(asked),
        "sure": share(sum(one.at_once for one in sure), count),
        "sure_at_end": share(len({one.exposure for one in sure}), count),
        "sure_answers": len(sure),
        "wrong_of_sure": share(sum(not one.right for one in sure), len(sure)),
        "log_loss": metrics.log_loss([one.p_truth for one in first if one.p_truth is not None]),
        "ece": metrics.ece([said for said, _ in stated], [right for _, right in stated]),
    }


def right_at_end(judged: Sequence[Judged]) -> int:
    """How many exposures were decided in the end, at once or later, and never wrongly."""
    sure = [one for one in judged if one.sure]
    return len({one.exposure for one in sure} - {one.exposure for one in sure if not one.right})


def share(part: int, of: int) -> float | None:
    """A share, where there is anything.

    >>> share(1, 4), share(0, 0)
    (0.25, None)
    """
    return part / of if of else None
