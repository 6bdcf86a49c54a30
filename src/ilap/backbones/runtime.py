"""Runs a frozen network fast: by ONNX Runtime on the CPU, by torch on a GPU.

On two CPU cores ONNX Runtime is three to six times as fast as eager torch, and needs no torch. A graph that
does not come with the package is exported once, by torch, and kept in the user's cache folder under a name that
changes with the weights, the settings and the exporting code.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import warnings
from collections.abc import Callable, Sequence
from copy import deepcopy
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from ilap.backbones import runtime as pixels
from ilap.backbones.contract import Graph, Trunk
from ilap.core import files
from ilap.core.errors import BadSetting
from ilap.core.exposure import Picture
from ilap.core.extras import installed, needed_for

if TYPE_CHECKING:
    import torch

Batch = Callable[[NDArray[np.uint8]], NDArray[np.float32]]

BATCH = 32  # pictures that a trunk takes at a time
EXPORT = 2
"""Counts up when the exporting code changes, so that older graphs are not taken."""


def device(chosen: str | None = None) -> str:
    """The device that was chosen, or that ILAP_DEVICE names, or the fastest there is. Where torch is not
    installed, or was built for the CPU alone, it is not imported, which takes longer than opening a learner."""
    chosen = chosen or os.environ.get("ILAP_DEVICE")
    if chosen in (None, "", "cpu") and (not installed("torch") or version("torch").endswith("+cpu")):
        return "cpu"
    with needed_for(f"The device {chosen}"):
        import torch

    if chosen:
        try:
            torch.empty(0, device=chosen)
        except (RuntimeError, AssertionError):
            raise BadSetting(
                f"There is no device {chosen!r} here: take cpu, or leave the setting out."
            ) from None
        return chosen
    if torch.cuda.is_available():
        return "cuda"
    return "mps" if torch.backends.mps.is_available() else "cpu"


def on_torch(network: torch.nn.Module, where: str) -> Batch:
    """Run by torch, on any device."""
    import torch

    network = network.to(where).eval()

    def features(pictures: NDArray[np.uint8]) -> NDArray[np.float32]:
        with torch.inference_mode():
            out: NDArray[np.float32] = network(torch.from_numpy(pictures).to(where)).float().cpu().numpy()
        return out

    return features


def on_cpu(graph: bytes) -> Batch:
    """Run by ONNX Runtime."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    # threads that spin while they wait take the core from the linear algebra that follows
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.intra_op_num_threads = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 0
    session = onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])
    name = session.get_inputs()[0].name

    def features(pictures: NDArray[np.uint8]) -> NDArray[np.float32]:
        out: NDArray[np.float32] = session.run(None, {name: pictures})[0]
        return out

    return features


def exported_on_cpu(load: Callable[[], torch.nn.Module], key: str, side: int) -> Batch:
    """Run by ONNX Runtime from a graph that torch exports once. A kept graph that cannot be read is made
    again."""
    path = cached_graph(load, key, side)
    try:
        return on_cpu(path.read_bytes())
    except Exception:  # onnxruntime raises many kinds for a damaged file, all of them plain Exceptions
        path.unlink(missing_ok=True)
        return on_cpu(cached_graph(load, key, side).read_bytes())


def cached_graph(load: Callable[[], torch.nn.Module], key: str, side: int) -> Path:
    """The exported graph's file, made if it is not there. Of two processes one exports and one waits; the
    file appears whole or not at all."""
    from filelock import FileLock

    path = files.cache_folder() / f"{files.file_name(key)}-{EXPORT}.onnx"
    if not path.exists():
        with FileLock(path.with_suffix(".lock")):
            if not path.exists():
                files.write(path, export(load(), side))
    return path


def export(network: torch.nn.Module, side: int) -> bytes:
    """The network as an ONNX graph that takes any number of pictures. The exporter's chatter is muted."""
    import logging

    with needed_for("Exporting a network"):
        import onnx  # noqa: F401
        import onnxscript  # noqa: F401
        import torch

    noisy = logging.getLogger("torch.onnx")
    level = noisy.level
    noisy.setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
            warnings.simplefilter("ignore")
            program = torch.onnx.export(
                network.eval(),
                (torch.zeros(2, side, side, 3, dtype=torch.uint8),),
                dynamo=True,
                input_names=["pictures"],
                output_names=["features"],
                dynamic_shapes=({0: torch.export.Dim("n")},),  # by place: modules name their input as they like
                verbose=False,
            )
            if program is None:
                raise RuntimeError("torch.onnx.export gave no program")
            model = program.model_proto
            for part in (model.graph, *model.graph.node, *model.graph.value_info, *model.functions):
                del part.metadata_props[:]  # torch notes where its source lies on this machine
            graph: bytes = model.SerializeToString()
            return graph
    finally:
        noisy.setLevel(level)


def hash_of(path: Path) -> str:
    """sha256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


class FrozenTrunk:
    """The features of a trunk whose weights stay as they are."""

    def __init__(self, trunk: Trunk) -> None:
        from torch import nn

        self.key, self.dim, self.side = trunk.key, trunk.dim, trunk.side
        self._network = nn.Sequential(*trunk.stages.values())
        self._run = on_torch(self._network, device())

    def features(self, pictures: Sequence[Picture]) -> NDArray[np.float32]:
        """One row a picture."""
        rows = [
            self._run(pixels.square(pictures[i : i + BATCH], self.side)) for i in range(0, len(pictures), BATCH)
        ]
        return np.concatenate(rows) if rows else np.empty((0, self.dim), np.float32)

    def graph(self) -> Graph:
        """The network as an ONNX model."""
        return Graph(export(deepcopy(self._network).cpu(), self.side), self.side)


def square(pictures: Sequence[Picture], side: int) -> NDArray[np.uint8]:
    """Every picture whole, as RGB, scaled to ``side`` x ``side``; transparent parts become white.

    >>> square([np.zeros((8, 8), np.uint8), np.zeros((20, 30, 4), np.uint8)], 4)[:, 0, 0].tolist()
    [[0, 0, 0], [255, 255, 255]]
    """
    out = np.empty((len(pictures), side, side, 3), np.uint8)
    for row, picture in zip(out, pictures, strict=True):
        grey = picture.ndim == 3 and picture.shape[2] == 1
        image = Image.fromarray(picture[..., 0] if grey else picture)
        if image.mode == "RGBA":
            image = Image.alpha_composite(Image.new("RGBA", image.size, "white"), image)
        row[:] = np.asarray(image.resize((side, side), Image.Resampling.BICUBIC).convert("RGB"))
    return out
