"""A backbone that looks at no picture twice: features are kept in memory by the pictures' content."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ilap.backbones.contract import Backbone
from ilap.core.exposure import Picture, digest


class Cached:
    """The same features as ``backbone``, at the cost of memory (8 KB a picture with ``lite0``)."""

    def __init__(self, backbone: Backbone) -> None:
        self._backbone = backbone
        self._rows: dict[str, NDArray[np.float32]] = {}
        self.key = backbone.key
        self.dim = backbone.dim

    def features(self, pictures: Sequence[Picture]) -> NDArray[np.float32]:
        """One row a picture."""
        digests = [digest(picture) for picture in pictures]
        fresh = {d: p for d, p in zip(digests, pictures, strict=True) if d not in self._rows}
        self._rows.update(zip(fresh, self._backbone.features(list(fresh.values())), strict=True))
        return np.stack([self._rows[d] for d in digests]) if digests else np.empty((0, self.dim), np.float32)
