"""IOLfCV by the distance of means, as the paper describes it: far stronger on frozen features than the mean
distance of pictures, which the authors run (iolfcv.py). Otherwise the same."""

from __future__ import annotations

from functools import partial

from ilap.bench.learners import iolfcv

PRESET = iolfcv.PRESET

create = partial(iolfcv.create, form="means")
