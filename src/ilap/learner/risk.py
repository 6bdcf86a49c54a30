"""Which answers are sure enough: those that are wrong with at most the risk.

A person sets the risk. Every answer comes with the probability that it is wrong, and is taken if that is no
larger than the risk. So the expected share of wrong answers among those that were taken is within the risk too,
of any of them and in any order, as far as the probabilities are true. While more exposures may come, only a
part of the risk is taken for *known* (``part_at_once``).
"""

from __future__ import annotations


def sure_enough(error: float, risk: float) -> bool:
    """Whether an answer with this probability of being wrong is taken.

    >>> sure_enough(0.04, risk=0.05), sure_enough(0.3, risk=0.05)
    (True, False)
    """
    return error <= risk


def part_at_once(seen: int, caution: float) -> float:
    """The part of the risk that is taken for *known* at once, when so many exposures were seen. A wrong *known*
    mixes two things in a class, which misleads all that come after it; and the fewer were seen, the less is
    known of the stream, and the more are still to come.

    >>> [round(part_at_once(seen, 20.0), 2) for seen in (2, 20, 100)]
    [0.01, 0.25, 0.69]
    """
    return (seen / (seen + caution)) ** 2
