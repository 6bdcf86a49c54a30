from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import cast

import numpy as np
import pytest
from PIL import Image
from torch import Tensor, nn

from ilap import Exposure, Learner
from ilap.backbones import runtime, small
from ilap.backbones.contract import Graph
from ilap.backbones.runtime import FrozenTrunk, square
from ilap.backbones.stored import Cached
from ilap.checks.digits import Pixels
from ilap.core.errors import BadOutput, BadSetting, NothingLearned
from ilap.data.contract import Dataset
from ilap.exact.exact import Exact
from ilap.export import export
from ilap.export.onnx import joined
from pictures_in_file import FOX, Kept

ALONE = """
import json, sys
import numpy as np
import onnxruntime
session = onnxruntime.InferenceSession(sys.argv[1], providers=["CPUExecutionProvider"])
about = session.get_modelmeta().custom_metadata_map
pictures = np.load(sys.argv[2])
probabilities, class_ids = session.run(["probabilities", "class_ids"], {"pictures": pictures})
np.savez(sys.argv[3], probabilities=probabilities, class_ids=class_ids)
print(json.dumps({key: json.loads(value) for key, value in about.items()}))
assert not {"torch", "ilap", "onnx"} & set(sys.modules)
"""


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory, lite0: Cached, exposures: dict[int, list[Exposure]]) -> Path:
    """Five digits, one of them twice, one with a name."""
    path = tmp_path_factory.mktemp("graph") / "digits.ilap"
    with Learner.open(path, backbone=lite0) as learner:
        for label in range(5):
            learner.teach(exposures[label][0])
        learner.teach(exposures[3][1], 3)
        learner.rename(3, FOX)
    return path


def test_onnxruntime_alone_names_pictures_as_the_learner_does(
    file: Path, tmp_path: Path, lite0: Cached, digits: Dataset
) -> None:
    out = tmp_path / "digits.onnx"
    made = export(file, "onnx", out)
    pictures = [digits.test.pictures[i] for i in range(40)]
    pictures += [one // 2 + other // 2 for one, other in zip(pictures[:20], pictures[20:], strict=True)]
    script = tmp_path / "alone.py"
    script.write_text(ALONE)
    command = [sys.executable, "-I", str(script), str(out), str(tmp_path / "in.npy"), str(tmp_path / "out.npz")]
    scaled = [
        np.asarray(Image.fromarray(picture).resize((128, 128), Image.Resampling.BICUBIC).convert("RGB"))
        for picture in pictures
    ]
    np.save(tmp_path / "in.npy", np.stack(scaled))
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    about = json.loads(done.stdout)
    with Learner.open(file, backbone=lite0) as learner:
        named = learner.predict(pictures)
    assert named.probabilities.max(1).min() < 0.8  # what is easy to name would tell nothing
    with np.load(tmp_path / "out.npz") as found:
        assert np.abs(found["probabilities"] - named.probabilities).max() < 1e-3
        assert (found["class_ids"] == named.class_ids).all()
    assert [one["id"] for one in about["classes"]] == list(named.classes)
    assert about["classes"][3] == {"id": 3, "name": FOX, "tentative": False}
    assert about["preprocessing"]["side"] == 128
    assert about["preprocessing"]["resize"] == "bicubic"
    assert made.classes == len(named.classes)


class Grey(nn.Module):
    """What Pixels computes, as a network."""

    def forward(self, pictures: Tensor) -> Tensor:
        return pictures[..., 0].flatten(1).float() / 255


@pytest.mark.filterwarnings("ignore:There is no prior")
def test_without_a_prior_there_is_no_projection(
    pixels: Pixels, exposures: dict[int, list[Exposure]], digits: Dataset
) -> None:
    import onnxruntime

    learner = Learner(backbone=pixels)
    for label in range(3):
        learner.teach(exposures[label][0])
    pictures = np.stack([digits.test.pictures[i] for i in range(60)])
    named = learner.predict(pictures)
    exact = cast(Exact, learner.state.classifier)
    model = joined(Graph(runtime.export(Grey(), 8), 8), exact, {0: "a", 1: "b", 2: "c"}, [0, 1, 2])
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    probabilities, class_ids = session.run(None, {"pictures": np.stack([pictures] * 3, -1)})
    assert np.abs(probabilities - named.probabilities).max() < 1e-3
    assert (class_ids == named.class_ids).all()


def test_any_frozen_trunk_has_a_graph(digits: Dataset) -> None:
    import onnxruntime

    frozen = FrozenTrunk(small.trunk(small.Parameters(32)))
    graph = frozen.graph()
    session = onnxruntime.InferenceSession(graph.model, providers=["CPUExecutionProvider"])
    pictures = [digits.test.pictures[i] for i in range(5)]
    (features,) = session.run(None, {"pictures": square(pictures, graph.side)})
    assert np.abs(features - frozen.features(pictures)).max() < 1e-5


def test_an_earlier_model_is_replaced_and_another_is_not(file: Path, tmp_path: Path) -> None:
    import onnx

    out = tmp_path / "digits.onnx"
    export(file, "onnx", out)
    export(file, "onnx", out)
    model = onnx.load(out)
    model.producer_name = "somebody"
    onnx.save(model, out)
    with pytest.raises(BadOutput, match="no such export"):
        export(file, "onnx", out)


def test_a_learner_without_classes_has_nothing_to_name(tmp_path: Path, lite0: Cached) -> None:
    Learner.open(tmp_path / "empty.ilap", backbone=lite0).close()
    with pytest.raises(NothingLearned, match="learn first"):
        export(tmp_path / "empty.ilap", "onnx", tmp_path / "out.onnx")
    assert not (tmp_path / "out.onnx").exists()


def test_a_backbone_that_is_not_the_packages_cannot_be_exported(kept: Kept, tmp_path: Path) -> None:
    assert Pixels.key == "pixels"
    with pytest.raises(BadSetting, match="learned with the features of pixels"):
        export(kept.file, "onnx", tmp_path / "out.onnx")
