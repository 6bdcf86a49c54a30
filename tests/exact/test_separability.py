from __future__ import annotations

import numpy as np
import pytest
from tests.exact.test_agglomerate import drawn

from ilap.core.rule import RULE
from ilap.exact.features import excess
from ilap.exact.separability import Separability, separability, spreads, usual
from ilap.exact.session import sessions
from ilap.exact.statistics import NO_CLASS
from ilap.exact.surroundings import Compared, Surroundings, joined

THINGS = np.repeat(np.arange(8), 5)


def of_share(share: float, seed: int = 0) -> Separability:
    """Of eight things that come five times each, where so much of what exposures differ by is the session."""
    seen = drawn(list(THINGS), seed, share)
    found = sessions(seen, np.arange(40), RULE.bands)
    compared = Compared(tuple(range(40)), np.full(40, 10.0), seen, found, None, 0.0, RULE)
    nothing = np.full(40, NO_CLASS)
    labels = joined(seen, compared.share, nothing, (), 0.0)
    around = Surroundings(compared, nothing, labels, ())
    inside = np.eye(labels.max() + 1)[labels]
    rest = np.maximum(inside.sum(0) - inside, 1)
    cosine = (compared.cosines.values - np.eye(40)) @ inside / rest
    return separability(around, cosine, -excess(compared, inside))


def test_the_more_sessions_differ_the_harder_it_is() -> None:
    easy, hard = of_share(0.1), of_share(0.9)
    assert easy.apart > 3 > hard.apart
    assert easy.agreement > 0.9 > hard.agreement
    assert easy.mixing < hard.mixing
    assert easy.coherence > hard.coherence
    assert easy.near[0] > hard.near[0]


def test_the_genuine_and_the_impostor_are_those_of_the_truth_where_it_is_easy() -> None:
    found = of_share(0.2)
    assert found.genuine[0] == pytest.approx(0.8, abs=0.1)
    assert found.impostor[0] < 0.3


def test_what_is_usual_holds_until_something_was_seen() -> None:
    assert usual(np.empty(0), 0.8, 0.2, RULE.pairs) == pytest.approx((0.8, 0.2))
    assert usual(np.full(10_000, 0.5), 0.8, 0.2, RULE.pairs) == pytest.approx((0.5, 0.0), abs=0.02)


def test_one_exposure_has_a_spread_too() -> None:
    for count in (1, 2, 3):
        medians, spread = spreads(np.eye(count), RULE.pairs)
        assert np.isfinite(medians).all()
        assert (spread > 0).all()
