"""Makes a backbone's prior (src/ilap/backbones/prior.py) from a tar or folder of class folders.

    python tools/make_prior.py ../shared/data/tiny-imagenet-60.tar

writes src/ilap/backbones/lite0-128-7-10.npz. The pictures should be of what the backbone was trained on.
"""

from __future__ import annotations

import argparse
import io
import tarfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from PIL import Image
from rich.progress import track

from ilap.backbones import lite0, prior

SUFFIXES = {".jpeg", ".jpg", ".png"}
CHUNK = 64


def pictures(source: Path) -> Iterator[tuple[str, bytes]]:
    """The class (the name of the folder) and the bytes of every picture."""
    if source.is_dir():
        for path in sorted(source.rglob("*")):
            if path.suffix.lower() in SUFFIXES:
                yield path.parent.name, path.read_bytes()
        return
    with tarfile.open(source) as archive:
        for member in sorted(archive.getmembers(), key=lambda m: m.name):
            file = archive.extractfile(member)
            if file and Path(member.name).suffix.lower() in SUFFIXES:
                yield Path(member.name).parent.name, file.read()


def main() -> None:
    """Read, extract, solve, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("source", type=Path)
    parser.add_argument("--resolution", type=int, default=lite0.RESOLUTION)
    parser.add_argument("--taps", type=int, nargs="*", default=lite0.TAPS)
    parser.add_argument("--dim", type=int, default=1024)
    parser.add_argument("--out", type=Path, default=Path(prior.__file__).parent)
    arguments = parser.parse_args()

    backbone = lite0.create(arguments.resolution, tuple(arguments.taps))
    labelled = list(pictures(arguments.source))
    rows = []
    for start in track(range(0, len(labelled), CHUNK), f"{len(labelled)} pictures"):
        decoded = [
            np.asarray(Image.open(io.BytesIO(data)).convert("RGB")) for _, data in labelled[start:][:CHUNK]
        ]
        rows.append(backbone.features(decoded))
    made = prior.make(np.concatenate(rows), np.array([label for label, _ in labelled]), arguments.dim)
    path = arguments.out / f"{backbone.key}.npz"
    np.savez(
        path,
        mean=made.mean.astype(np.float16),
        projection=made.projection.astype(np.float16),
        separation=np.float64(made.separation),
        between=made.between,
    )
    print(f"{path.name}: {backbone.dim} -> {made.dim}, separation {made.separation:.1f}")


if __name__ == "__main__":
    main()
