"""How diarisation goes on from there: a Bayesian mixture over the same model, started from the agglomeration
(Landini and others, "Bayesian HMM clustering of x-vector sequences (VBx) in speaker diarization", 2022).

With n_t pictures in exposure t, rho = sqrt(psi) x and shares g, in turn until the bound rises no more:

    L_s = 1 + Fa/Fb sum_t g_ts n_t psi,   alpha_s = Fa/Fb (1 / L_s) sum_t g_ts n_t rho_t            (16, 17)
    g_ts ~ pi_s exp(Fa n_t [alpha_s rho_t - 1/2 sum_d psi (1 / L_s + alpha_s^2)]),  pi = mean_t g   (23, 24)

A frame of theirs is a picture here, and an exposure frames that are known to be of one speaker. Their chain has
a probability to stay with a speaker from one frame to the next (.65, .40, .35 as shipped). Between exposures
that come in random order it would mean nothing, so this is the chain without it, a mixture. Groups of which
nothing is left are given up by themselves; Fb says how readily. The start is the agglomeration as it is: their
smoothing of it drowns among a hundred groups.

The settings are those that are shipped for AMI, CALLHOME and DIHARD, and by pyannote (community-1). All were
made for recordings of a few speakers with hundreds of frames each.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import scipy.special
from numpy.typing import NDArray

from ilap.bench.learners.contract import Task
from ilap.bench.learners.grouping import Array, given
from ilap.bench.learners.plda_ahc import PldaAhc, agglomerated, numbered
from ilap.core.parameters import one_of

PRESET = "fast"
SHIPPED = {"ami": (0.4, 64.0), "callhome": (0.4, 17.0), "dihard": (0.2, 6.0), "pyannote": (0.07, 0.8)}
"""Fa and Fb."""
ROUNDS, GAIN = 40, 1e-6  # as shipped: so many rounds at most, and none after the bound has risen by less


@dataclass(frozen=True)
class Parameters:
    """As shipped. Of the four settings this one groups streams of tiny ImageNet best (docs/results.md)."""

    setting: str = "callhome"
    fb: float | None = None  # in place of the setting's
    threshold: float = 0.0  # log odds of the agglomeration that it starts from

    def __post_init__(self) -> None:
        one_of("setting", self.setting, *SHIPPED)

    @property
    def scales(self) -> tuple[float, float]:
        """Fa and Fb."""
        own, shipped = SHIPPED[self.setting]
        return own, shipped if self.fb is None else self.fb


class Vbx(PldaAhc):
    """The mixture; as exposures come, it answers as the agglomeration does."""

    parameters: Parameters  # type: ignore[assignment]

    @property
    def facts(self) -> Mapping[str, float]:
        """Fb."""
        return {"threshold": self.parameters.scales[1]}

    def places(self) -> dict[int, int]:
        """All exposures, grouped again."""
        vectors, counts = self.vectors()
        start = agglomerated(vectors, counts, self.between, self.parameters.threshold)
        return numbered(mixed(vectors, counts, self.between, start, *self.parameters.scales))


def mixed(
    vectors: Array, counts: Array, between: Array, start: NDArray[np.intp], fa: float, fb: float
) -> NDArray[np.intp]:
    """The likeliest group of every exposure."""
    _, start = np.unique(start, return_inverse=True)
    shares = np.eye(int(start.max()) + 1)[start]
    weights = np.full(shares.shape[1], 1 / shares.shape[1])
    directed, bound = vectors * np.sqrt(between), -np.inf
    for _ in range(ROUNDS):
        taken = shares * counts[:, None]
        spread = 1 / (1 + fa / fb * taken.sum(0)[:, None] * between)
        means = fa / fb * spread * (taken.T @ directed)
        fits = fa * counts[:, None] * (directed @ means.T - 0.5 * (spread + means**2) @ between)
        odds = fits + np.log(np.maximum(weights, 1e-300))
        total = scipy.special.logsumexp(odds, axis=1, keepdims=True)
        shares = np.exp(odds - total)
        weights = shares.mean(0)
        before, bound = bound, float(total.sum() + fb / 2 * (np.log(spread) - spread - means**2 + 1).sum())
        if bound - before < GAIN:
            break
    likeliest: NDArray[np.intp] = shares.argmax(1)
    return likeliest


def create(task: Task) -> Vbx:
    """It needs no label and no hindsight."""
    return Vbx(*given(task, PRESET))
