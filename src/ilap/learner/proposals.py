"""What is proposed to a person, each with its probability, and what accepting all of one kind changes.

*known* and *new*: an unsure exposure is of a class, or a class of its own. *merge* and *split*: two classes are
one, or one is two. A tentative group of several exposures has no probability of its own and is not among them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from ilap.core.errors import BadCorrection
from ilap.exact.review import likely_two
from ilap.exact.review import proposals as likely_one
from ilap.learner.corrections import Correction
from ilap.learner.log import UNSURE, Change
from ilap.learner.state import State
from ilap.learner.tentative import groups, id_of_new

ProposalKind = Literal["known", "new", "merge", "split"]
KINDS: tuple[ProposalKind, ...] = get_args(ProposalKind)
DecisionOf = Callable[[int], Mapping[str, Any]]
Pairs = Collection[tuple[int, int]]


@dataclass(frozen=True)
class Proposal:
    """``exposures`` are those that would move, ``classes`` those that it is about: the one that an exposure is
    of, the two that are one, the one that is two."""

    kind: ProposalKind
    probability: float
    exposures: tuple[int, ...]
    classes: tuple[int, ...] = ()


@dataclass(frozen=True)
class Accepted:
    """What was accepted, as one event; None where nothing was that likely."""

    kind: ProposalKind | None
    event: int | None = None
    proposals: tuple[Proposal, ...] = ()
    changes: tuple[Change, ...] = ()


def proposals(state: State, decision_of: DecisionOf, told_apart: Pairs, above: float) -> Iterator[Proposal]:
    """All that is at least this likely. ``told_apart`` are pairs of classes that a person has told apart."""
    exact, own_groups = state.exact, groups(state)
    for number, place in sorted(state.tentative.items()):
        told = decision_of(number)
        apart = {other for pair in exact.model.apart if number in pair for other in pair}
        for class_id, share in told.get("p_known", {}).items():
            members = state.members.get(int(class_id), ())
            if share >= above and members and apart.isdisjoint(members):
                yield Proposal("known", share, (number,), (int(class_id),))
        if (told.get("p_new") or 0.0) >= above and own_groups.get(place) == (number,):
            yield Proposal("new", told["p_new"], (number,))
    for pair in likely_one(exact, told_apart):
        if pair.probability >= above:
            low, high = sorted((pair.class_id, pair.other))
            yield Proposal("merge", pair.probability, state.members[high], (low, high))
    for class_id in exact.classes:
        two = likely_two(exact, class_id)
        smaller, rest = sorted((two.apart, two.together), key=len)
        by_a_person = not (exact.fixed.isdisjoint(smaller) or exact.fixed.isdisjoint(rest))
        if smaller and two.probability >= above and not by_a_person:
            yield Proposal("split", two.probability, smaller, (class_id,))


def of_one_kind(found: Sequence[Proposal], kind: ProposalKind | None) -> list[Proposal]:
    """Those of a kind; where none is named, of the only kind there is."""
    if kind is not None and kind not in KINDS:
        raise BadCorrection(f"There are no proposals of kind {kind!r}: say {', '.join(KINDS)}.")
    counts = {one: sum(own.kind == one for own in found) for one in KINDS}
    some = [f"{count} {one}" for one, count in counts.items() if count]
    if kind is None and len(some) > 1:
        raise BadCorrection(f"There are proposals of several kinds ({', '.join(some)}): name one by --kind.")
    return [own for own in found if kind in (None, own.kind)]


def accept(
    state: State, names: Mapping[int, str], chosen: Sequence[Proposal], told_apart: Pairs, above: float
) -> Correction:
    """All proposals of one kind as one correction."""
    kind = chosen[0].kind
    about = {"accepted": kind, "above": above, "proposals": len(chosen)}
    if kind == "merge":
        return merge(state, names, chosen, told_apart, about)
    if kind == "split":
        parted = tuple(
            Change(number, own.classes[0], state.founded + new)
            for new, own in enumerate(chosen)
            for number in own.exposures
        )
        return Correction("split", parted, about=about)
    moved = (
        Change(number, UNSURE, own.classes[0] if own.classes else id_of_new(state, number))
        for own in chosen
        for number in own.exposures
    )
    return Correction("move", tuple(moved), about=about)


def merge(
    state: State,
    names: Mapping[int, str],
    chosen: Sequence[Proposal],
    told_apart: Pairs,
    about: Mapping[str, Any],
) -> Correction:
    """Pairs that share a class are one class, of the lowest id, unless two of it were told apart; of these the
    less likely pair stays two."""
    joined = {k: frozenset({k}) for own in chosen for k in own.classes}
    for own in sorted(chosen, key=lambda own: -own.probability):
        one, other = (joined[k] for k in own.classes)
        if not any((min(a, b), max(a, b)) in told_apart for a in one for b in other):
            joined.update(dict.fromkeys(one | other, one | other))
    wholes = sorted((sorted(own) for own in set(joined.values()) if len(own) > 1), key=min)
    inherited = ((own[0], [names[k] for k in own if k in names]) for own in wholes if own[0] not in names)
    return Correction(
        "merge",
        tuple(Change(number, k, own[0]) for own in wholes for k in own for number in state.members[k]),
        tuple((into, None, found[0]) for into, found in inherited if found),
        {**about, "merged": wholes},
        tentative=tuple(
            Change(number, place, own[0])
            for own in wholes
            for number, place in sorted(state.tentative.items())
            if place in own[1:]
        ),
    )
