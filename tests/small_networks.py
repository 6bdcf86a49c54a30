"""A trainer that takes no time, for tests of what is done with an adapted network: kernel regression."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
import pytest
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from ilap.backbones.contract import Graph
from ilap.network.adapt import Trained

STEPS = 7
CELLS = 8  # pictures are averaged to so many by so many grey cells


def small(pictures: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Pictures as rows of cells between 0 and 1."""
    side = pictures.shape[1] // CELLS
    cells = pictures.reshape(len(pictures), CELLS, side, CELLS, side, 3).mean((2, 4, 5)) / 255
    return cells.reshape(len(pictures), -1)


def graph_of(centres: NDArray[Any], weights: NDArray[Any], width: float, side: int) -> Graph:
    """Logits exp(-|x - c|^2 / width) @ weights of pictures (n, side, side, 3), as an ONNX graph."""
    cell = side // CELLS
    steps: list[tuple[str, list[str], str, dict[str, Any]]] = [
        ("Cast", ["pictures"], "numbers", {"to": TensorProto.FLOAT}),
        ("Transpose", ["numbers"], "planes", {"perm": [0, 3, 1, 2]}),
        ("AveragePool", ["planes"], "cells", {"kernel_shape": [cell, cell], "strides": [cell, cell]}),
        ("ReduceMean", ["cells"], "grey", {"axes": [1], "keepdims": 0}),
        ("Reshape", ["grey", "shape"], "bytes", {}),
        ("Div", ["bytes", "full"], "rows", {}),
        ("Mul", ["rows", "rows"], "squares", {}),
        ("ReduceSum", ["squares", "axis"], "lengths", {"keepdims": 1}),
        ("MatMul", ["rows", "twice"], "products", {}),
        ("Sub", ["products", "lengths"], "nearer", {}),
        ("Sub", ["nearer", "own"], "near", {}),
        ("Div", ["near", "width"], "powers", {}),
        ("Exp", ["powers"], "kernel", {}),
        ("MatMul", ["kernel", "weights"], "logits", {}),
    ]
    constants = {
        "shape": np.array([-1, CELLS * CELLS]),
        "axis": np.array([1]),
        "full": np.float32(255),
        "twice": (2 * centres.T).astype(np.float32),
        "own": (centres**2).sum(1).astype(np.float32),
        "width": np.float32(width),
        "weights": weights.astype(np.float32),
    }
    graph = helper.make_graph(
        [helper.make_node(kind, inputs, [output], **more) for kind, inputs, output, more in steps],
        "kernel",
        [helper.make_tensor_value_info("pictures", TensorProto.UINT8, ["n", side, side, 3])],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["n", weights.shape[1]])],
        [numpy_helper.from_array(np.asarray(value), name) for name, value in constants.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.checker.check_model(model)
    return Graph(model.SerializeToString(), side)


def kernel(pictures: NDArray[np.uint8], groups: NDArray[np.intp], *_: object, **__: object) -> Trained:
    """In place of ``train_groups``: it learns."""
    rows, count = small(pictures), groups.max() + 1
    away = ((rows[:, None] - rows[None]) ** 2).sum(2)
    width = float(np.median(away)) / 2
    targets = 10 * (np.eye(count)[groups] - 1 / count)
    weights = np.linalg.solve(np.exp(-away / width) + 0.1 * np.eye(len(rows)), targets)
    return Trained(graph_of(rows, weights, width, pictures.shape[1]), STEPS, 0.0)


def noise(pictures: NDArray[np.uint8], groups: NDArray[np.intp], *_: object, **__: object) -> Trained:
    """In place of ``train_groups``: it learns nothing."""
    rows = small(pictures)
    weights = np.random.default_rng(0).normal(size=(len(rows), groups.max() + 1))
    return Trained(graph_of(rows, weights, 1.0, pictures.shape[1]), STEPS, 0.0)


def train_by(monkeypatch: pytest.MonkeyPatch, trainer: Any) -> None:
    """Adapt by another trainer from now on."""
    monkeypatch.setattr("ilap.network.adapt.train_groups", trainer)
