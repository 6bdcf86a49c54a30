"""Makes the ONNX graph of lite0 that the package ships, and checks it against torch.

    python tools/make_graph.py            writes src/ilap/backbones/lite0-128-7-10.onnx
    python tools/make_graph.py --check    writes nothing; compares the one that is there

Features of torch and of ONNX Runtime have to agree to 1e-4 on the embedded digits and on random pictures. Needs
the extra ``train``.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np

from ilap.backbones import lite0, runtime
from ilap.core import files
from ilap.data.digits import create as digits

FILE = Path(lite0.__file__).parent / "lite0-128-7-10.onnx"
AGREE = 1e-4  # the largest difference of any feature; parts of a feature are of unit length


def difference(graph: bytes) -> float:
    """The largest difference between the graph's features and torch's."""
    noise = np.random.default_rng(0).integers(0, 256, (32, lite0.RESOLUTION, lite0.RESOLUTION, 3), np.uint8)
    drawn = runtime.square(digits().test.pictures[::3], lite0.RESOLUTION)
    shown = np.concatenate([noise, drawn])
    by_torch = runtime.on_torch(lite0.load(lite0.TAPS), "cpu")(shown)
    return float(np.abs(runtime.on_cpu(graph)(shown) - by_torch).max())


def main() -> None:
    """Write the graph, or check the one that is there."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; end with 1 if the features differ")
    check = parser.parse_args().check
    graph = FILE.read_bytes() if check else runtime.export(lite0.load(lite0.TAPS), lite0.RESOLUTION)
    apart = difference(graph)
    print(f"{FILE.name}: {len(graph) / 1e6:.1f} MB, features differ from torch's by {apart:.1e} at most")
    if apart > AGREE:
        sys.exit(f"That is more than {AGREE:g}: nothing was written.")
    if not check:
        files.write(FILE, graph)


if __name__ == "__main__":
    main()
