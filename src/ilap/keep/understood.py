"""What a learner understood of its stream, in one sentence."""

from __future__ import annotations

from ilap.exact.stream import StreamTraits, stream_traits
from ilap.keep.learner import LearnerInFile
from ilap.keep.tally import Tally, tally

UNCLEAR = (0.3, 0.7)  # between which nobody can say whether these are bursts
CLEAR_GAP = (
    0.5  # of the cosine between sessions of one class and of two, above which classes are well separated
)
SMALL_GAP = 0.25  # below which they are poorly separated


def understood(learner: LearnerInFile) -> str:
    """The sentence."""
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
