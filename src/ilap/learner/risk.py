"""Which answers are sure enough: those that are wrong with at most the risk.

A person sets the risk. Every answer comes with the probability that it is wrong, and is taken if that is no
larger than the risk. So the expected share of wrong answers among those that were taken is within the risk too,
of any of them and in any order, as far as the probabilities are true. While more exposures may come, only a
part of the risk is taken for *known* (learner/step.py).
"""

from __future__ import annotations


def sure_enough(error: float, risk: float) -> bool:
    """Whether an answer with this probability of being wrong is taken.

    >>> sure_enough(0.04, risk=0.05), sure_enough(0.3, risk=0.05)
    (True, False)
    """
    return error <= risk
