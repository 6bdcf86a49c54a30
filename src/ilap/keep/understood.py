"""What a learner understood of its stream, in one sentence."""

from __future__ import annotations

from ilap.exact.stream import StreamTraits, stream_traits
from ilap.keep.learner import LearnerInFile
from ilap.keep.tally import Tally, tally

UNCLEAR = (0.3, 0.7)  # between which nobody can say whether these are bursts
CLEAR_GAP = 0.5  # by which things are far apart
SMALL_GAP = 0.25  # under which they are hardly told apart


def understood(learner: LearnerInFile) -> str:
    """The sentence."""
    found = stream_traits(learner.exact.model, learner.places)
    return in_words(found, tally(learner), learner.settings.risk)


def in_words(found: StreamTraits | None, counts: Tally, risk: float) -> str:
    """What was found, as a person reads it.

    >>> in_words(StreamTraits(42, 0.02, 0.71, 0.55), Tally(25, 8, 17, 3, 7), 0.05)
    'Taken for bursts (98%): two exposures of one thing are alike by .71, and things lie far apart (by .55); \
at a risk of 5% 25 of 42 exposures are decided (60%).'
    >>> in_words(None, Tally(1, 1, 0, 0, 0), 0.05)
    'There are too few exposures to tell what kind of stream this is.'
    """
    if found is None:
        return "There are too few exposures to tell what kind of stream this is."
    total = counts.sure + counts.tentative
    if UNCLEAR[0] < found.whole < UNCLEAR[1]:
        kind = "Bursts or shuffled pictures, which is not clear yet"
    elif found.whole >= UNCLEAR[1]:
        kind = f"Taken for shuffled pictures ({found.whole:.0%})"
    else:
        kind = f"Taken for bursts ({1 - found.whole:.0%})"
    parts = []
    if found.within is not None:
        parts.append(f"two exposures of one thing are alike by {short(found.within)}")
    if found.gap is not None:
        far = "far apart" if found.gap >= CLEAR_GAP else "apart" if found.gap >= SMALL_GAP else "close together"
        parts.append(f"things lie {far} (by {short(found.gap)})")
    alike = ", and ".join(parts) or "nothing came twice so far"
    decided = f"at a risk of {100 * risk:g}% {counts.sure} of {total} exposures are decided"
    return f"{kind}: {alike}; {decided} ({counts.sure / total:.0%})."


def short(number: float) -> str:
    """A number near 1, in two digits.

    >>> short(0.714), short(1.02), short(-0.05)
    ('.71', '1.02', '-.05')
    """
    return f"{number:.2f}".replace("0.", ".", 1) if abs(number) < 1 else f"{number:.2f}"
