"""A small video, made here."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ilap.core.exposure import Picture

RATE = 10


def film(path: Path, pictures: Sequence[Picture], created: str | None = None) -> Path:
    """A video that shows every picture for a second. A path is given to PyAV as a file: it may be no text."""
    import av

    with (
        path.open("wb") as file,
        av.open(file, "w", format=path.suffix[1:].replace("mkv", "matroska")) as container,
    ):
        if created:
            container.metadata["creation_time"] = created
        stream = container.add_stream("mpeg4", rate=RATE)
        height, width = pictures[0].shape[:2]
        stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
        for picture in pictures:
            rgb = np.ascontiguousarray(np.dstack([picture] * 3) if picture.ndim == 2 else picture)
            for _ in range(RATE):
                container.mux(stream.encode(av.VideoFrame.from_ndarray(rgb, format="rgb24")))
        container.mux(stream.encode())
    return path
