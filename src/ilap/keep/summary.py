"""A learner in two sentences: how much is sure and how much tentative, and what kind of stream it is."""

from __future__ import annotations

from dataclasses import dataclass

from ilap.core.plural import counted as counted
from ilap.exact.review import StreamTraits, stream_traits
from ilap.keep.learner import LearnerInFile
from ilap.keep.store import events

UNCLEAR = (0.3, 0.7)  # between which nobody can say whether these are bursts
CLEAR_GAP = (
    0.5  # of the cosine between sessions of one class and of two, above which classes are well separated
)
SMALL_GAP = 0.25  # below which they are poorly separated


@dataclass(frozen=True)
class Tally:
    """Exposures that are sure, with their classes, and tentative ones, some of them in ``groups``, the others
    tentatively in classes."""

    sure: int
    classes: int
    tentative: int
    groups: int
    in_groups: int

    @property
    def said(self) -> str:
        """The sentence.

        >>> Tally(20, 4, 5, 2, 3).said
        '20 exposures sure, in 4 classes; 5 tentative: 3 in 2 groups, 2 in classes'
        >>> Tally(1, 1, 0, 0, 0).said
        '1 exposure sure, in 1 class; none tentative'
        """
        sure = f"{counted(self.sure, 'exposure')} sure, in {counted(self.classes, 'class')}"
        within = self.tentative - self.in_groups
        parts = [f"{self.in_groups} in {counted(self.groups, 'group')}"] if self.groups else []
        parts += [f"{within} in classes"] if within else []
        return f"{sure}; {f'{self.tentative} tentative: ' + ', '.join(parts) if parts else 'none tentative'}"


def tally(learner: LearnerInFile) -> Tally:
    """Of a learner."""
    state, groups = learner.state, learner.groups
    return Tally(
        sum(map(len, state.members.values())),
        len(state.members),
        len(state.tentative),
        len(groups),
        sum(map(len, groups.values())),
    )


@dataclass(frozen=True)
class Status:
    """A learner in short. ``event`` is the number of the last event of its log."""

    learner: str
    said: str
    understood: str
    risk: float
    exposures: int
    pictures: int
    sure: int
    tentative: int
    classes: int
    groups: int
    event: int


def status(learner: LearnerInFile) -> Status:
    """Of a learner, all of one moment."""
    with learner.snapshot() as connection:
        counts = tally(learner)
        return Status(
            learner.path,
            counts.said,
            understood(learner),
            learner.settings.risk,
            len(learner.state.sizes),
            sum(learner.state.sizes),
            counts.sure,
            counts.tentative,
            counts.classes,
            counts.groups,
            events.last(connection),
        )


def understood(learner: LearnerInFile) -> str:
    """What a learner understood of its stream, as a sentence."""
    found = stream_traits(learner.exact.model, learner.places)
    return in_words(found, tally(learner), learner.settings.risk)


def in_words(found: StreamTraits | None, counts: Tally, risk: float) -> str:
    """What was found, as a person reads it.

    >>> in_words(StreamTraits(42, 0.02, 0.71, 0.55), Tally(25, 8, 17, 3, 7), 0.05)
    'Exposures look like bursts (98% likely), and classes are well separated. At a risk of 5% 25 of 42 \
exposures are decided (60%).'
    >>> in_words(None, Tally(1, 1, 0, 0, 0), 0.05)
    'There are too few exposures to tell what kind of stream this is.'
    """
    if found is None:
        return "There are too few exposures to tell what kind of stream this is."
    total = counts.sure + counts.tentative
    if UNCLEAR[0] < found.whole < UNCLEAR[1]:
        kind = "It is not clear yet whether exposures are bursts or shuffled pictures"
    elif found.whole >= UNCLEAR[1]:
        kind = f"Exposures look like shuffled pictures ({found.whole:.0%} likely)"
    else:
        kind = f"Exposures look like bursts ({1 - found.whole:.0%} likely)"
    if found.gap is None:
        separation = "nothing came twice so far"
    else:
        how = "well" if found.gap >= CLEAR_GAP else "moderately" if found.gap >= SMALL_GAP else "poorly"
        separation = f"classes are {how} separated"
    decided = f"At a risk of {100 * risk:g}% {counts.sure} of {total} exposures are decided"
    return f"{kind}, and {separation}. {decided} ({counts.sure / total:.0%})."
