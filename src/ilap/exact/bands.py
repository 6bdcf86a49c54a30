"""Bands: how the exposures of a stream vary, in a few bands of directions.

Directions are taken in the eigenbasis of the class prior (class_prior.py), the widest first, and put together
in bands. In each band one variance stands for all directions. The mean of an exposure of n pictures varies by

    t + s v / n,    t being the variance of classes and sessions together,

v the variance of residuals in the band and s the exposure's own noise over the usual one. Both t and v are the
prior's at first and are learned along the stream, without any label. Means are brought to the length that this
expects (Garcia-Romero & Espy-Wilson, Interspeech 2011), since light and blur change it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ilap.core.classifier import Array
from ilap.core.rule import BandsRule
from ilap.exact.frame import Frame
from ilap.exact.noise import scales
from ilap.exact.statistics import Traits


@dataclass(frozen=True)
class Bands:
    """Exposures in bands. ``means`` are theirs, ``centre`` that of the stream, ``factors`` what brings a mean
    less the centre to its length; ``starts`` is the first column of every band. ``noise`` has a row for each
    band and a column for each exposure; ``spread`` is t, ``expected`` the prior's t and ``sizes`` the number of
    directions of every band, ``weights`` how far each band is believed."""

    means: Array
    centre: Array
    factors: Array
    starts: NDArray[np.intp]
    noise: Array
    spread: Array
    expected: Array
    sizes: Array
    weights: Array

    @cached_property
    def rows(self) -> Array:
        """Means around the centre, brought to their length."""
        rows: Array = (self.means - self.centre) * self.factors[:, None]
        return rows

    def of(self, chosen: NDArray[np.intp]) -> Bands:
        """Some of the exposures."""
        return replace(
            self, means=self.means[chosen], factors=self.factors[chosen], noise=self.noise[:, chosen]
        )

    def half(self, side: int) -> Bands:
        """Every other direction of each band."""
        ends = (self.starts + self.sizes).astype(int)
        columns = [
            np.arange(start + side, end, 2) for start, end in zip(self.starts.tolist(), ends, strict=True)
        ]
        sizes = np.array([len(own) for own in columns])
        chosen = np.concatenate(columns)
        return replace(
            self,
            means=self.means[:, chosen],
            centre=self.centre[chosen],
            starts=np.cumsum(sizes) - sizes,
            sizes=sizes.astype(float),
        )

    def weighted(self, weights: Array) -> Array:
        """The factor of every direction, of one for each band, which lie along the last axis."""
        return np.repeat(weights, self.sizes.astype(int), axis=-1)

    def sums(self, rows: Array) -> Array:
        """The sums over every band, a row for each band."""
        found: Array = np.add.reduceat(rows, self.starts, axis=1).T
        return found

    def parts(self, rows: Array) -> list[Array]:
        """The columns of every band."""
        ends = [*self.starts[1:].tolist(), rows.shape[1]]
        return [rows[:, start:end] for start, end in zip(self.starts.tolist(), ends, strict=True)]


def bands(frame: Frame, white: Array, counts: Array, traits: Sequence[Traits]) -> Bands:
    """Of exposures by their whitened means, their numbers of pictures and their traits."""
    rule, prior = frame.rule.bands, frame.class_prior
    leading, dim = len(prior.values), white.shape[1]
    inside = [edge for edge in rule.edges if edge < leading - 1]
    edges = np.unique([0, *inside, leading if leading < dim - 1 else dim, dim])
    starts, sizes = edges[:-1], np.diff(edges).astype(float)
    means = white.copy()
    means[:, :leading] = white[:, :leading] @ prior.vectors[:, ::-1]
    centre = means.sum(0) / (len(means) + rule.centre)

    expected = mean_of(np.concatenate([prior.values[::-1], np.full(dim - leading, prior.floor)]), starts, sizes)
    trust = frame.metric.freedom / (frame.metric.freedom + rule.residuals)
    usual = np.maximum(mean_of(frame.residual_variances, starts, sizes), 1e-6) ** trust
    scale, _ = scales(traits, counts, frame.pair_view.white, frame.rule.noise)
    noise = usual[:, None] * scale / np.exp(np.log(scale).mean()) / counts

    squares = np.add.reduceat((means - centre) ** 2, starts, axis=1).T / sizes[:, None]
    spread, length = learned_spread(squares, noise, expected, sizes, rule)
    weights = np.where(starts >= leading, rule.beyond, 1.0)
    return Bands(means, centre, np.sqrt(length), starts, noise, spread, expected, sizes, weights)


def learned_spread(
    squares: Array, noise: Array, expected: Array, sizes: Array, rule: BandsRule
) -> tuple[Array, Array]:
    """t of every band, and by how much every exposure's squares have to be multiplied: the one follows from the
    other, so both are found in turns. Exposures with much noise count less."""
    total = sizes.sum()
    precision = 1 / (expected @ sizes / total + sizes @ noise / total)
    precision /= precision.sum()
    trust = squares.shape[1] / (squares.shape[1] + rule.exposures)

    def spread_of(squares: Array) -> Array:
        seen = (squares - noise) @ precision
        spread: Array = expected * (np.maximum(seen, rule.least * expected) / expected) ** trust
        return spread

    spread = spread_of(squares)
    for _ in range(rule.turns):
        size = sizes @ (squares / (spread[:, None] + noise)) / total
        length = 1 / np.maximum(size, 1e-9)
        spread = spread_of(squares * length)
    return spread, length


def mean_of(values: Array, starts: NDArray[np.intp], sizes: Array) -> Array:
    """The mean of every band."""
    means: Array = np.add.reduceat(values, starts) / sizes
    return means
