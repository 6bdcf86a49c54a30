"""Trains a network on pictures of known groups: features that learn (learner/adapting.py decides what from).

The embedded backbone, at fewer pixels than the frozen features are made of, is trained from a middle stage on.
What lies below that stage stays as it is, so its activations are computed once and stored; shifts by whole
cells of these maps are free. AdamW with one cycle: a linear warm-up, then a cosine (Smith and Topin,
"Super-convergence", 2018). The head starts at zero. Groups of unequal size are made equal by the logits:
log n_k is added to them in the loss and left out afterwards (Menon et al., "Long-tail learning via logit
adjustment", ICLR 2021).

Which pictures a step sees follows from the seed and the step's number. So a training that was interrupted goes
on from its checkpoint (weights, optimiser, step) as if nothing had happened.
"""

from __future__ import annotations

import copy
import hashlib
import io
import math
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from ilap.backbones import runtime
from ilap.backbones.contract import Graph
from ilap.backbones.load import Named
from ilap.core import files
from ilap.core.errors import BadFeatures
from ilap.core.parameters import component
from ilap.network.frozen_part import parts_of
from ilap.network.training import Classified, steady

MEASURED = 3  # steps by which the time of one is measured, after one that is not counted
CHECKPOINT = 50  # steps between two checkpoints
AGREE = 1e-3  # of the largest logit: how far ONNX Runtime's may be from torch's

Watch = Callable[[int, int], None]


@dataclass(frozen=True)
class Recipe:
    """How it is trained. Steps are bounded by epochs where there are few pictures, and by a time where one is
    given: five minutes of one core are about 1,000. ``mirrored`` shows pictures mirrored half of the time,
    ``shift`` moves them by up to so many cells of the stored maps, which are 4 pixels wide at stage2."""

    side: int = 96
    stage: str = "stage2"
    steps: int = 2500
    epochs: int = 12
    batch: int = 32
    feature_rate: float = 5e-4
    head_rate: float = 3e-3
    weight_decay: float = 0.01
    warm_up: float = 0.2
    smoothing: float = 0.1
    momentum: float = 0.05  # of BatchNorm's statistics
    mirrored: bool = False
    shift: int = 0

    def steps_for(self, pictures: int) -> int:
        """The steps for so many pictures.

        >>> Recipe().steps_for(9000), Recipe().steps_for(450)
        (2500, 169)
        """
        return max(1, min(self.steps, math.ceil(self.epochs * pictures / self.batch)))

    def rate(self, step: int, steps: int) -> float:
        """The share of the highest rate at a step.

        >>> [round(Recipe().rate(step, 100), 3) for step in (0, 19, 20, 60, 99)]
        [0.05, 1.0, 1.0, 0.5, 0.0]
        """
        warm = max(1, round(self.warm_up * steps))
        if step < warm:
            return (step + 1) / warm
        return 0.5 * (1 + math.cos(math.pi * (step - warm) / max(1, steps - warm)))


@dataclass(frozen=True)
class Trained:
    """A network that was trained: pictures (n, side, side, 3) to the logits of groups, as an ONNX graph."""

    graph: Graph
    steps: int
    seconds: float


@dataclass(frozen=True)
class Lesson:
    """What the trained part is shown: activations at the cut (of mirrored pictures too, where they are shown),
    the group of each, and the logarithms of the groups' shares."""

    shown: tuple[NDArray[np.float16], ...]
    groups: Tensor
    shares: Tensor

    def __len__(self) -> int:
        return len(self.groups)


def train_groups(
    pictures: NDArray[np.uint8],
    groups: NDArray[np.intp],
    check: NDArray[np.uint8],
    recipe: Recipe,
    seed: int = 0,
    minutes: float | None = None,
    watch: Watch = lambda done, steps: None,
    checkpoint: Path | None = None,
) -> Trained:
    """Train a network to tell groups 0 to K-1 apart by pictures (n, side, side, 3). ``check`` are pictures on
    which the graph has to say what torch says. ``watch`` is told of every step; ``checkpoint`` is a file from
    which the same training goes on, removed when it is done."""
    started = time.perf_counter()
    source = Named(component("backbone", "lite0", {"resolution": recipe.side}))
    parts = parts_of(source, recipe.stage, seed, "cpu")
    assert parts.below is not None
    sizes = np.bincount(groups).astype(float)
    head = nn.Linear(parts.dim, len(sizes))
    nn.init.zeros_(head.weight)
    nn.init.zeros_(head.bias)
    model = Classified(parts.trained, head)
    for part in model.modules():
        if isinstance(part, nn.BatchNorm2d):
            part.momentum = recipe.momentum
    views = [pictures, pictures[:, :, ::-1]] if recipe.mirrored else [pictures]
    shown = tuple(parts.samples(list(view)) for view in views)
    shares = torch.from_numpy(np.log(sizes / sizes.sum())).float()
    lesson = Lesson(shown, torch.from_numpy(groups.astype(np.int64)), shares)

    digest = hashlib.sha256(pictures.tobytes() + groups.astype(np.int64).tobytes()).hexdigest()
    key = f"{digest} {asdict(recipe)} {seed}"
    found = restored(checkpoint, key) if checkpoint else None
    steps = int(found["steps"]) if found else recipe.steps_for(len(lesson))
    with steady(seed, small=False):
        if found is None and minutes is not None:
            left = 60 * minutes - (time.perf_counter() - started)
            steps = max(1, min(steps, int(left / seconds_a_step(model, lesson, recipe, seed))))
        train(model, lesson, recipe, seed, steps, watch, checkpoint, key, found)
    whole = nn.Sequential(parts.below, model).eval()
    graph = Graph(runtime.export(whole, recipe.side), recipe.side)
    agree(whole, graph, check)
    if checkpoint:
        checkpoint.unlink(missing_ok=True)
    return Trained(graph, steps, time.perf_counter() - started)


def train(
    model: Classified,
    lesson: Lesson,
    recipe: Recipe,
    seed: int,
    steps: int,
    watch: Watch = lambda done, steps: None,
    checkpoint: Path | None = None,
    key: str = "",
    found: dict[str, Any] | None = None,
) -> None:
    """Train a model in place, from its beginning or from a checkpoint that was ``found``."""
    optimiser = torch.optim.AdamW(
        [
            {"params": list(model.features.parameters()), "highest": recipe.feature_rate},
            {"params": list(model.head.parameters()), "highest": recipe.head_rate},
        ],
        weight_decay=recipe.weight_decay,
    )
    first = 0
    if found:
        model.load_state_dict(found["model"])
        optimiser.load_state_dict(found["optimiser"])
        first = int(found["step"])
    model.train()
    for step in range(first, steps):
        for group in optimiser.param_groups:
            group["lr"] = group["highest"] * recipe.rate(step, steps)
        samples, groups = batch(lesson, recipe, seed, step)
        logits = model(samples) + lesson.shares
        loss = functional.cross_entropy(logits, groups, label_smoothing=recipe.smoothing)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
        watch(step + 1, steps)
        if checkpoint and (step + 1) % CHECKPOINT == 0 and step + 1 < steps:
            kept = {"key": key, "step": step + 1, "steps": steps}
            keep(checkpoint, {**kept, "model": model.state_dict(), "optimiser": optimiser.state_dict()})
    model.eval()


def batch(lesson: Lesson, recipe: Recipe, seed: int, step: int) -> tuple[Tensor, Tensor]:
    """What a step sees: the next rows of a shuffled pass over all pictures, moved or mirrored at random."""
    size, count = min(recipe.batch, len(lesson)), len(lesson)
    places = np.arange(step * size, (step + 1) * size)
    passes = {int(n): np.random.default_rng([seed, int(n)]).permutation(count) for n in set(places // count)}
    rows = np.array([passes[int(place // count)][place % count] for place in places])
    chance = np.random.default_rng([seed, step, 1])
    which = chance.integers(len(lesson.shown), size=size)
    samples = torch.from_numpy(np.stack([lesson.shown[w][row] for w, row in zip(which, rows, strict=True)]))
    samples = samples.float()
    if recipe.shift:
        wide, side = recipe.shift, samples.shape[-1]
        padded = functional.pad(samples, (wide, wide, wide, wide), mode="replicate")
        moves = chance.integers(0, 2 * wide + 1, (size, 2))
        samples = torch.stack(
            [padded[i, :, y : y + side, x : x + side] for i, (y, x) in enumerate(moves.tolist())]
        )
    return samples, lesson.groups[rows]


def seconds_a_step(model: Classified, lesson: Lesson, recipe: Recipe, seed: int) -> float:
    """How long a step takes, by a few on a copy."""
    copied = copy.deepcopy(model)
    train(copied, lesson, recipe, seed, 1)
    started = time.perf_counter()
    train(copied, lesson, recipe, seed, MEASURED)
    return (time.perf_counter() - started) / MEASURED


def agree(whole: nn.Module, graph: Graph, pictures: NDArray[np.uint8]) -> None:
    """The graph, run without torch, says what torch says."""
    if not len(pictures):
        return
    with torch.inference_mode():
        by_torch = whole(torch.from_numpy(np.ascontiguousarray(pictures))).numpy()
    apart = float(np.abs(runtime.on_cpu(graph.model)(pictures) - by_torch).max())
    if not apart <= AGREE * max(1.0, float(np.abs(by_torch).max())):
        raise BadFeatures(
            f"The adapted network says other things outside torch (by {apart:.1e}): nothing was kept."
        )


def keep(path: Path, content: dict[str, Any]) -> None:
    """Write a checkpoint, whole or not at all."""
    written = io.BytesIO()
    torch.save(content, written)
    files.write(path, written.getvalue())


def restored(path: Path, key: str) -> dict[str, Any] | None:
    """The checkpoint of this very training, where there is one that can be read."""
    try:
        found: dict[str, Any] = torch.load(path, map_location="cpu", weights_only=True)
        return found if found["key"] == key else None
    except Exception:  # a file that is none, or not whole: torch raises many kinds, and training starts again
        return None
