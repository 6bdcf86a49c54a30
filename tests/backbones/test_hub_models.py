"""A model of the hub in one word: a prior is made for it, and it sorts pictures. Here they are tiny folders."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

from commands import ilap
from digit_folders import burst, bursts, told
from ilap.backbones import huggingface
from ilap.data.contract import Dataset
from ilap.errors import BadSetting, MissingFile
from ilap.keep.learner import LearnerInFile

SMALL: dict[str, Any] = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "image_size": 32}


def tiny(kind: str, folder: Path) -> str:
    """A model of an architecture, with random weights, as the hub would keep it."""
    transformers = pytest.importorskip("transformers", reason="the extra hub is not installed")
    torch.manual_seed(0)
    if kind == "dinov2":
        config = transformers.Dinov2Config(**SMALL, patch_size=8, mlp_ratio=2)
        transformers.Dinov2Model(config).save_pretrained(folder)
    else:
        config = transformers.SwinConfig(
            image_size=32, patch_size=4, window_size=4, embed_dim=16, depths=[1, 1], num_heads=[1, 2]
        )
        transformers.SwinModel(config).save_pretrained(folder)
    return f"hf:{folder}"


@pytest.mark.parametrize("kind", ["dinov2", "swin"])
def test_its_features_are_a_row_a_picture(kind: str, tmp_path: Path) -> None:
    name = tiny(kind, tmp_path / kind).removeprefix("hf:")
    frozen = huggingface.create(huggingface.Parameters(), name=name)
    rows = frozen.features([np.zeros((20, 30, 3), np.uint8), np.full((9, 9), 255, np.uint8)])
    assert rows.shape == (2, frozen.dim) == (2, 32)
    assert np.abs(rows[0] - rows[1]).max() > 0


def test_a_prior_is_made_for_it_and_it_sorts_pictures(
    tmp_path: Path, digits: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ILAP_CACHE", str(tmp_path / "cache"))
    name = tiny("dinov2", tmp_path / "dinov2")
    for label in range(10):
        burst(tmp_path / "classes" / str(label), digits, label, 0, 12)
    told("prior", tmp_path / "classes", "--backbone", name, "--dim", "16")
    found = told(
        "learn", tmp_path / "own.ilap", bursts(tmp_path / "in", digits, [0, 1, 0], 10), "--backbone", name
    )
    assert len(found["decisions"]) >= 3
    with LearnerInFile(tmp_path / "own.ilap", writable=False) as learner:
        assert learner.exact.model.prior.dim == 16
    assert ilap("check", str(tmp_path / "own.ilap")).returncode == 0


class Flat(nn.Module):
    """Stands for a model of timm's."""

    num_features = 5

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Linear(3 * 8 * 8, self.num_features)

    def forward(self, pixels: torch.Tensor) -> torch.Tensor:
        features: torch.Tensor = self.body(pixels.flatten(1))
        return features


@pytest.fixture
def timm(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("timm")
    module.create_model = lambda name, pretrained, num_classes: Flat()  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "timm", module)
    monkeypatch.setattr("ilap.backbones.hub.needs_extra", lambda package, wanted: None)


def kept(folder: Path, tensors: dict[str, torch.Tensor]) -> str:
    """A model as timm keeps it on the hub."""
    folder.mkdir()
    about = {"input_size": [3, 8, 8], "mean": [0.5] * 3, "std": [0.5] * 3}
    config = {"architecture": "flat", "num_classes": 0, "pretrained_cfg": about}
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    torch.save(tensors, folder / "pytorch_model.bin")
    return str(folder)


def test_a_model_of_timm_has_its_own_size_mean_and_weights_without_its_head(timm: None, tmp_path: Path) -> None:
    own = Flat().state_dict()
    name = kept(tmp_path / "mega", {**own, "head.weight": torch.zeros(2, 5)})
    trunk = huggingface.trunk(huggingface.Parameters(), 0, name=name)
    assert (trunk.side, trunk.dim) == (8, 5)
    rows = huggingface.create(huggingface.Parameters(), name=name).features([np.full((8, 8, 3), 255, np.uint8)])
    np.testing.assert_allclose(rows[0], (own["body.weight"].sum(1) + own["body.bias"]).numpy(), atol=1e-5)


def test_weights_that_do_not_fit_or_are_not_there_are_a_sentence(timm: None, tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match="do not fit flat"):
        huggingface.create(huggingface.Parameters(), name=kept(tmp_path / "other", {"x": torch.zeros(1)}))
    name = kept(tmp_path / "empty", {})
    (Path(name) / "pytorch_model.bin").unlink()
    with pytest.raises(MissingFile, match="no weights"):
        huggingface.create(huggingface.Parameters(), name=name)
