"""The trial in closed form: what the old classes lose if an exposure is learned as a class of its own.

Let the exposure be class K+1, 1/(1-lambda) times as frequent as an old class. Of a class at the Mahalanobis
distance D the newcomer then takes the share

    Phi((ln(1/(1-lambda)) - D^2/2) / D),

which is the paper's relative accuracy drop, whatever accuracy the class had. It is also the share of the
class that is likelier the newcomer than the class itself: both statistics of detect/confusion.py are the same.
Both means are noisy, so D^2 is estimated without the part that noise adds, and with a known spread:

    D^2 = |m_E - m_k|^2 - tr (1/n_E + 1/n_k),    sd = sqrt(2 tr2) (1/n_E + 1/n_k),

with tr and tr2 the traces of the exposure's own covariance and of its square, after whitening (noise.py).
"""

from __future__ import annotations

import numpy as np
import scipy.special

from ilap.core.classifier import Array, Trial
from ilap.core.exposure import Samples
from ilap.exact.model import Model
from ilap.exact.noise import Expected, Noise, estimate, noise_of
from ilap.exact.whitened import Whitened


def trial(model: Model, exposure: Samples, own: Whitened, imbalance: float) -> Trial:
    """The share of every class that the exposure would take. ``before`` is 1 by definition: the share does not
    depend on it. What the exposure was not compared with loses nothing."""
    noise, columns = own_noise(model, own.residuals), own.columns
    means, counts = model.means(columns), model.counts[columns]
    share = 1 / len(exposure) + 1 / counts
    distances = ((means - own.mean) ** 2).sum(1) - noise.tr * share
    spread = noise.spread(share)
    known = len(model.by_class)
    after, at_least, evidence = np.ones(known), np.ones(known), np.full(known, -np.inf)
    after[columns] = 1 - share_taken(distances, imbalance)
    at_least[columns] = 1 - share_taken(distances - model.rule.answer.doubt * spread, imbalance)
    evidence[columns] = -distances
    nearest = int(distances.argmin())
    resolved = np.ones(known, bool)
    resolved[columns[nearest]] = distances[nearest] + spread[nearest] < separation(
        model, means, counts, nearest
    )
    return Trial(np.ones(known), after, at_least, evidence, resolved, 1 - at_least, evidence)


def own_noise(model: Model, residuals: Array) -> Noise:
    """An exposure's noise in all directions: its own where it has three pictures, else that of the stream."""
    if len(residuals) > 2:
        return noise_of(residuals)
    before, dim = [own.traits for own in model.seen.values()], model.metric.dim
    return estimate(residuals, Expected(dim, 1 / dim), before, model.rule.noise).noise


def distances_from(model: Model, means: Array, counts: Array, place: int) -> Array:
    """Squared distances of one class to all of some, freed of noise."""
    raw = ((means - means[place]) ** 2).sum(1)
    distances: Array = raw - model.frame.tr * (1 / counts + 1 / counts[place])
    return distances


def separation(model: Model, means: Array, counts: Array, place: int) -> float:
    """The squared distance of a class to its nearest neighbour, at most that of the prior's classes."""
    others = np.delete(distances_from(model, means, counts, place), place)
    return float(min([model.prior.separation, *others]))


def share_taken(distances: Array, imbalance: float) -> Array:
    """The share of a class that a newcomer at this squared distance takes, 1/(1-imbalance) times as frequent.

    >>> share_taken(np.array([0.0, 8.0, 40.0]), 0.5).round(3).tolist()
    [1.0, 0.121, 0.001]
    >>> share_taken(np.array([0.0, 8.0, 40.0]), 0.0).round(3).tolist()
    [0.5, 0.079, 0.001]
    """
    d = np.sqrt(np.maximum(distances, 1e-12))
    share: Array = scipy.special.ndtr((-np.log1p(-imbalance) - d**2 / 2) / d)
    return share
