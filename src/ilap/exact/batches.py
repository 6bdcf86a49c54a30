"""Batches: exposures that likely show one thing, which a person confirms together or takes out one by one.

A batch is about a place. It shows those of its exposures that nobody has placed, and the exposures of other
places, as far as each is likelier than not to belong; what is not is a question of another kind. With p the
probability that an exposure, or a place B, belongs to the place A that is asked about, the answer mends

    of an exposure in A       (1 - p) (|A| - 1) pairs
    of a place B              p |A| |B| pairs

on average, and takes one key, and one more for each exposure that is taken out: 1 - p.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

import numpy as np

from ilap.core.classifier import Array
from ilap.exact.questions import SHOWN, Question, Rows, Scene
from ilap.exact.statistics import NO_CLASS

LIKELY = 0.5  # exposures that are at least as likely to belong are shown
FEWEST = 2  # of them; one is a question of another kind


def batches(scene: Scene, named: Collection[int] = ()) -> Iterator[Question]:
    """One for every place that has something to confirm. Places that people named, or have placed exposures in,
    are not shown as part of others: two such are asked about by themselves."""
    ids, inside = scene.groups
    if len(ids) == 0:
        return
    likely = scene.likely(scene.between)
    np.fill_diagonal(likely, 0.0)
    for one, other in (*scene.apart, *scene.untold):
        likely[inside[one], inside[other]] = likely[inside[other], inside[one]] = 0.0
    closed = np.isin(ids, list(named))
    closed[inside[scene.said != NO_CLASS]] = True
    likely[:, closed] = 0.0
    for at in range(len(ids)):
        if question := batch(scene, at, likely[at]):
            yield question


def batch(scene: Scene, at: int, likely: Array) -> Question | None:
    """That of one place; ``likely`` is how likely each other one belongs to it."""
    inside, own = scene.groups[1], np.flatnonzero(scene.groups[1] == at)
    placed = own[scene.said[own] != NO_CLASS]
    about = scene.typical(placed if len(placed) else own)
    odd = {other for pair in scene.untold if about in pair for other in pair}
    free = np.array([row for row in own if scene.said[row] == NO_CLASS and row not in odd | {about}], np.intp)
    with_own = scene.likely(scene.means[free, at])
    rows, shares = [free], [with_own]
    values, doubts = [(1 - with_own) * (scene.sizes[at] - 1)], [1 - with_own]
    for other in np.argsort(-likely, kind="stable"):
        if likely[other] < LIKELY:
            break
        joined = np.flatnonzero(inside == other)
        share = np.full(len(joined), likely[other])
        rows.append(joined)
        shares.append(share)
        values.append(share * scene.sizes[at])
        doubts.append(share)
    join = np.concatenate
    return chosen(scene, about, join(rows), join(shares), join(values), join(doubts))


def chosen(
    scene: Scene, about: int, rows: Rows, shares: Array, values: Array, doubts: Array
) -> Question | None:
    """The likely exposures that are worth a look, the likeliest first; None where there are too few."""
    some = np.argsort(-values, kind="stable")
    some = some[shares[some] >= LIKELY][:SHOWN]
    some = some[np.argsort(-shares[some], kind="stable")]
    if len(some) < FEWEST:
        return None
    return Question(
        "batch",
        scene.numbers[about],
        tuple(scene.numbers[row] for row in rows[some]),
        tuple(int(scene.places[row]) for row in rows[some]),
        tuple(map(float, shares[some])),
        float(values[some].sum()),
        1 + float((1 - shares[some]).sum()),
        float(1 - np.prod(1 - np.clip(doubts[some], 0, 1))),
    )
