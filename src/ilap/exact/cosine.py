"""The cosine of two exposures, freed of noise: how alike their means are in direction, whatever their lengths.

Light, blur and distance change how far a mean lies from the centre of a stream more than where it points, so
exposures of one thing on two sessions are alike in direction (speaker verification calls it length
normalisation: Garcia-Romero & Espy-Wilson, Interspeech 2011). Let v be the means less their centre, each band
of directions (bands.py) weighted by the share a = t / (t + blur) that a few pictures can tell of it. With tr
the noise of a mean in these directions

    cos(i, j) = v_i . v_j / sqrt(f_i f_j),    f = |v|^2 - tr.

Two exposures of pictures that are drawn from all of one class then have a cosine of 1 on average, two sessions
of one thing less, and two things one around 0. With s the mean noise of a direction its variance is about

    s_i / f_i + s_j / f_j + sqrt(tr2_i tr2_j) / (f_i f_j).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ilap.core.classifier import Array
from ilap.core.rule import PairsRule
from ilap.exact.bands import Bands


@dataclass(frozen=True)
class Cosines:
    """Of all pairs of some exposures, with the variance of each. The diagonal is 1 by definition."""

    values: Array
    variances: Array


def cosines(seen: Bands, rule: PairsRule) -> Cosines:
    """Of all exposures."""
    told = seen.expected / (seen.expected + rule.blur)
    centred = (seen.means - seen.centre) * np.sqrt(seen.weighted(told))
    products = centred @ centred.T
    lengths = np.diag(products)
    tr = (told * seen.sizes) @ seen.noise
    free = np.maximum(np.maximum(lengths - tr, rule.least_free * lengths), 1e-12)
    values = np.clip(products / np.sqrt(free[:, None] * free), rule.lowest, rule.highest)
    np.fill_diagonal(values, 1.0)
    own = tr / float(told @ seen.sizes) / free
    both = np.sqrt((told**2 * seen.sizes) @ seen.noise**2) / free
    return Cosines(values, np.minimum(own[:, None] + own + both[:, None] * both, rule.most_variance))
