"""The size of the page of ``ilap report`` as a learner grows.

    python benchmarks/report_size.py PICTURES [--exposures 300 3000] [--keep many.ilap]

Real pictures of a folder, which the page shows small, with synthetic features: identities with the prior's
variances, five exposures of eight pictures of each, a session around every exposure. Nine in ten are taught as
classes, as if a person had said so; the others are observed, and nearly all stay tentative. Prints, for every
number of exposures, what the page holds, its size, and the seconds that it took.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ilap import Exposure, Learner
from ilap.backbones import prior
from ilap.backbones.load import load
from ilap.core.errors import BadPicture
from ilap.core.exposure import Picture, digest
from ilap.core.pictures import kind_of
from ilap.report import page
from ilap.sources.read import read

OF_EACH, PICTURES, SIDE = 5, 8, 128
SESSIONS = 0.3  # of the variance of identities
TAUGHT = 0.9


class Synthetic:
    """A backbone that knows the features of every picture beforehand."""

    def __init__(self) -> None:
        real = load("lite0")
        self.key, self.dim = real.key, real.dim
        self.prior = prior.load(real.key, real.dim)
        self.back = np.linalg.pinv(self.prior.projection.astype(np.float64))
        self.rows: dict[str, NDArray[np.float32]] = {}

    def features(self, pictures: Sequence[Picture]) -> NDArray[np.float32]:
        """One row a picture."""
        return np.stack([self.rows[digest(picture)] for picture in pictures])

    def know(self, pictures: Sequence[Picture], rows: NDArray[np.float64]) -> None:
        """These are the features, in the prior's coordinates."""
        made = (rows @ self.back + self.prior.mean).astype(np.float32)
        self.rows = dict(zip(map(digest, pictures), made, strict=True))


def pictures_of(folder: Path) -> list[Picture]:
    """The pictures of a folder, small."""
    found = []
    for path in sorted(folder.rglob("*")):
        if path.is_file() and kind_of(path):
            try:
                picture, _ = read(path, largest=SIDE)
            except BadPicture:
                continue
            assert picture is not None
            found.append(picture)
    return found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pictures", type=Path)
    parser.add_argument("--exposures", type=int, nargs="+", default=[300, 3000])
    parser.add_argument("--keep", type=Path, help="where to keep the learner")
    given = parser.parse_args()
    backbone, rng = Synthetic(), np.random.default_rng(0)
    small = pictures_of(given.pictures)
    spread = backbone.prior.between
    identities = rng.normal(size=(max(given.exposures) // OF_EACH, len(spread))) * np.sqrt(spread)
    shows = rng.permutation(np.repeat(np.arange(len(identities)), OF_EACH))
    with tempfile.TemporaryDirectory() as folder:
        path, known = given.keep or Path(folder) / "many.ilap", dict[int, int | None]()
        with Learner.open(path, backbone=backbone) as learner:
            for number, identity in enumerate(shows.tolist()):
                first = int(rng.integers(len(small) - PICTURES))
                shown = [picture.copy() for picture in small[first : first + PICTURES]]
                for place, picture in enumerate(shown):  # no two are the same
                    picture.reshape(-1)[:4] = np.array([8 * number + place], np.uint32).view(np.uint8)
                session = identities[identity] + rng.normal(size=len(spread)) * np.sqrt(SESSIONS * spread)
                backbone.know(shown, session + rng.normal(size=(PICTURES, len(spread))))
                burst = Exposure(shown, name=f"burst {number:04}")
                if rng.random() < TAUGHT:
                    known[identity] = learner.teach(burst, known.get(identity)).class_id
                else:
                    learner.observe(burst)
                if number + 1 in given.exposures:
                    started = time.perf_counter()
                    made = page.write(learner, Path(folder) / "report.html", force=True)
                    seconds = time.perf_counter() - started
                    print(
                        f"{number + 1} exposures, {made['classes']} classes, {made['tentative']} tentative: "
                        f"{made['bytes'] / 1e6:.1f} MB, {seconds:.0f} s",
                        flush=True,
                    )


if __name__ == "__main__":
    main()
