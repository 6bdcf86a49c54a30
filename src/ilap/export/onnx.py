"""ONNX: the backbone, its prior's projection and the classifier as one graph, which onnxruntime runs alone.

Input ``pictures``: uint8 (n, side, side, 3), RGB, scaled as the metadata's ``preprocessing`` says. Outputs:
``probabilities`` (n, K) in the order of the metadata's ``classes``, and ``class_ids`` (n), the likeliest.
Tentative groups are among the classes, and marked there.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ilap.backbones.contract import Graph, HasGraph
from ilap.backbones.prior import Prior
from ilap.core.errors import BadSetting, NothingLearned
from ilap.core.extras import needed_for
from ilap.core.names import all_readable
from ilap.core.version import __version__
from ilap.exact.exact import Exact
from ilap.export.content import read, unique
from ilap.export.contract import Order, Written, whole
from ilap.sources.decode import LARGEST

MADE_BY = "ilap"
MARK = b"\x12\x04ilap"  # the producer's name, as it is written at the beginning of a model
PREFIX = "ilap_"  # names of ours in the backbone's graph


def write(order: Order) -> Written:
    """Write the model."""
    from ilap.keep.learner import LearnerInFile

    with needed_for("An ONNX model"):
        import onnx  # noqa: F401
    pictures = [row.path for row in read(order.learner).pictures if row.path]
    with LearnerInFile(order.learner, writable=False, create=False) as learner:
        exact = learner.naming
        names = unique((class_id, learner.name_of(class_id)) for class_id in exact.classes)
        sure = learner.classes
    if not exact.classes:
        raise NothingLearned(f"{order.learner} knows no class yet, so there is nothing to name: learn first.")
    if not isinstance(exact.backbone, HasGraph):
        raise BadSetting(
            f"The backbone {exact.backbone.key} has no graph: only the package's own can be exported."
        )
    model = joined(exact.backbone.graph(), exact, names, sure)
    with whole(order, MARK, pictures) as draft:
        draft.write_bytes(model.SerializeToString())
    return Written("onnx", str(order.out), 0, len(exact.classes))


def joined(backbone: Graph, exact: Exact, names: Mapping[int, str], sure: Collection[int]) -> Any:
    """The backbone's graph with what follows it, as an onnx.ModelProto."""
    import onnx
    from onnx import TensorProto, helper

    model = onnx.load_from_string(backbone.model)
    graph = model.graph
    (features,) = [output.name for output in graph.output]
    nodes, constants = head(features, exact)
    graph.node.extend(nodes)
    graph.initializer.extend(constants)
    del graph.output[:]
    count = graph.input[0].type.tensor_type.shape.dim[0].dim_param or "n"
    graph.output.extend(
        [
            helper.make_tensor_value_info("probabilities", TensorProto.FLOAT, [count, len(exact.classes)]),
            helper.make_tensor_value_info("class_ids", TensorProto.INT64, [count]),
        ]
    )
    model.producer_name, model.producer_version = MADE_BY, __version__
    helper.set_model_props(model, metadata(backbone.side, exact, names, sure))
    onnx.checker.check_model(model)
    return model


def metadata(side: int, exact: Exact, names: Mapping[int, str], sure: Collection[int]) -> dict[str, str]:
    """What a program has to know to run the model: all values are JSON. Classes that are not ``sure`` are
    tentative groups."""
    preprocessing = {
        "side": side,
        "resize": "bicubic",
        "longest_first": LARGEST,  # larger pictures are made this large first, keeping their shape
        "keep_ratio": False,
        "exif_rotation": True,
        "colours": "RGB",
        "transparent": "white",
        "dtype": "uint8",
        "layout": ["n", side, side, 3],
    }
    classes = [{"id": k, "name": names[k], "tentative": k not in sure} for k in exact.classes]
    about = {"classes": classes, "preprocessing": preprocessing, "backbone": exact.backbone.key}
    return {key: json.dumps(all_readable(value), ensure_ascii=False) for key, value in about.items()}


def head(features: str, exact: Exact) -> tuple[list[Any], list[Any]]:
    """Nodes and constants from features to names. Scores are taken around the classes' mean, which changes no
    probability and lets single precision do; the projected features are rounded as the learner rounds them."""
    from onnx import helper, numpy_helper

    nodes: list[Any] = []
    constants: list[Any] = []

    def constant(name: str, value: NDArray[Any]) -> str:
        constants.append(numpy_helper.from_array(np.ascontiguousarray(value), PREFIX + name))
        return PREFIX + name

    def node(kind: str, inputs: list[str], output: str, **attributes: Any) -> str:
        nodes.append(helper.make_node(kind, inputs, [output], PREFIX + output, **attributes))
        return output

    prior, temperature = exact.model.prior, exact.rule.naming.temperature
    rows = projected(features, prior, constant, node) if prior.known else features
    weights, offsets = exact.linear
    weights = (weights - weights.mean(1, keepdims=True)) / temperature
    centre = np.mean([exact.model.by_class[k].mean for k in exact.classes], 0).astype(np.float32)
    shift = centre.astype(np.float64) @ weights - (offsets - offsets.mean()) / temperature
    around = node("Sub", [rows, constant("centre", centre)], f"{PREFIX}around")
    scores = node("MatMul", [around, constant("weights", weights.astype(np.float32))], f"{PREFIX}products")
    scores = node("Add", [scores, constant("shift", shift.astype(np.float32))], f"{PREFIX}scores")
    node("Softmax", [scores], "probabilities", axis=1)
    best = node("ArgMax", ["probabilities"], f"{PREFIX}best", axis=1, keepdims=0)
    node("Gather", [constant("classes", np.array(exact.classes, np.int64)), best], "class_ids")
    return nodes, constants


def projected(features: str, prior: Prior, constant: Any, node: Any) -> str:
    """Features in the prior's coordinates, in half precision. The projection is kept in half precision where
    that loses nothing, as priors are shipped."""
    from onnx import TensorProto

    around = node("Sub", [features, constant("prior_mean", prior.mean)], f"{PREFIX}features_around")
    half = prior.projection.astype(np.float16)
    if np.array_equal(half.astype(np.float32), prior.projection):
        short = constant("projection", half)
        projection = node("Cast", [short], f"{PREFIX}projection_single", to=TensorProto.FLOAT)
    else:
        projection = constant("projection", prior.projection)
    rows = node("MatMul", [around, projection], f"{PREFIX}projected")
    rounded = node("Cast", [rows], f"{PREFIX}rounded", to=TensorProto.FLOAT16)
    single: str = node("Cast", [rounded], f"{PREFIX}samples", to=TensorProto.FLOAT)
    return single
