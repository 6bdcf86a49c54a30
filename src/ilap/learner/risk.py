"""Which answers are sure enough: so many that the expected share of wrong ones stays within the risk.

A person sets the risk, the share of decisions that may be wrong. Every answer comes with the probability that
it is wrong. Asking each to be surer than the risk would be stricter than that: most answers are all but
certain, so a few may be less so. An answer is taken if, with it and all surer ones of the last decisions, the
expected share of wrong decisions is no larger than the risk.
"""

from __future__ import annotations

from collections.abc import Sequence

from ilap.core.rule import RULE, RiskRule


def sure_enough(error: float, before: Sequence[float], risk: float, rule: RiskRule = RULE.risk) -> bool:
    """Whether an answer with this probability of being wrong is taken, after those before it.

    >>> sure_enough(0.3, [0.0] * 100, risk=0.01), sure_enough(0.3, [0.2] * 100, risk=0.01)
    (True, False)
    """
    recent = before[-rule.recent :]
    expected = error + sum(other for other in recent if other <= error)
    return error <= rule.at_most and expected <= risk * (len(recent) + 1 + rule.credit)
