"""What `ilap learn` costs beside one forward pass: an exposure decided, learned and committed to the file.

    python benchmarks/learn_cost.py FOLDER

FOLDER has a folder for each exposure. The pictures of each go through the backbone by themselves, then through
the learner, so that both are timed under the same load; reading the files is timed apart.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

import numpy as np

from ilap import Exposure, Learner
from ilap.backbones.load import load
from ilap.sources import bursts
from ilap.sources.read import read


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    given = parser.parse_args()
    backbone = load("lite0")
    reading, passing, learning = [], [], []
    with tempfile.TemporaryDirectory() as folder, Learner.open(Path(folder) / "a.ilap") as learner:
        for burst in bursts.by_folder(given.folder, print):
            times = [time.perf_counter()]
            loaded = [read(path) for path in burst.paths]
            times.append(time.perf_counter())
            pictures = [picture for picture, _ in loaded if picture is not None]
            backbone.features(pictures)
            times.append(time.perf_counter())
            learner.observe(Exposure(pictures, burst.ordered, burst.name, [file for _, file in loaded]))
            times.append(time.perf_counter())
            for record, seconds in zip((reading, passing, learning), np.diff(times), strict=True):
                record.append(1e3 * float(seconds))
    for name, record in (("reading", reading), ("forward pass", passing), ("learning, committed", learning)):
        print(f"{name:<20} {np.median(record):7.1f} ms an exposure (median), {np.mean(record):7.1f} mean")
    ratios = np.array(learning) / np.array(passing)
    print(f"learning costs {np.median(ratios):.2f} times a forward pass (median of {len(ratios)} exposures)")


if __name__ == "__main__":
    main()
