"""Makes the prior that is shipped with the embedded backbone from a tar of class folders.

    python tools/make_prior.py ../shared/data/tiny-imagenet-60.tar

writes src/ilap/backbones/lite0-128-7-10.npz. For other backbones and folders there is ``ilap prior``.
"""

from __future__ import annotations

import argparse
import tarfile
import tempfile
from pathlib import Path

from ilap.backbones import fit, lite0, prior


def main() -> None:
    """Unpack, fit, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("source", type=Path)
    parser.add_argument("--dim", type=int, default=1024)
    arguments = parser.parse_args()
    backbone = lite0.create(lite0.Parameters())
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(arguments.source) as archive:
            archive.extractall(folder, filter="data")
        source = Path(folder)
        inside = list(source.iterdir())
        made = fit.fit(
            backbone, inside[0] if len(inside) == 1 else source, arguments.dim, lambda done, of: None
        )
    path = Path(prior.__file__).parent / f"{backbone.key}.npz"
    fit.save(made, path)
    print(f"{path.name}: {backbone.dim} -> {made.dim}, separation {made.separation:.1f}")


if __name__ == "__main__":
    main()
