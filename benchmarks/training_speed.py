"""How many pictures a second a backbone trains on, on one core: python benchmarks/training_speed.py"""

from __future__ import annotations

import argparse
import time

import numpy as np
import torch
from torch import nn

from ilap.backbones.load import Named
from ilap.core.parameters import component
from ilap.network.training import Classified, Labelled, Schedule, train

CLASSES = 10


def main() -> None:
    """Train for some epochs on noise and print the best and the median speed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--backbone", default="small")
    parser.add_argument("--resolution", type=int, default=28)
    parser.add_argument("--pictures", type=int, default=3200)
    parser.add_argument("--rounds", type=int, default=7)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    chosen = component("backbone", arguments.backbone, {"resolution": arguments.resolution})
    trunk = Named(chosen).trunk(seed=0)
    model = Classified(nn.Sequential(*trunk.stages.values()), nn.Linear(trunk.dim, CLASSES))
    side = trunk.side
    pictures = torch.randint(0, 256, (arguments.pictures, side, side, 3), dtype=torch.uint8)
    labels = torch.randint(0, CLASSES, (arguments.pictures,))
    data = Labelled(pictures, labels, torch.ones(arguments.pictures))
    few = Labelled(pictures[:16], labels[:16], torch.ones(16))
    speeds = []
    for seed in range(arguments.rounds + 1):
        started = time.perf_counter()
        train(model, data, few, Schedule(epochs=1), seed)
        speeds.append(arguments.pictures / (time.perf_counter() - started))
    best, median = max(speeds[1:]), float(np.median(speeds[1:]))  # the first one warms up
    print(f"{trunk.key}: {median:.0f} training pictures a second on one core in the median, {best:.0f} at best")


if __name__ == "__main__":
    main()
