from __future__ import annotations

import contextlib
import socket
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

from ilap import Learner
from ilap.backbones import hub, lite0, resnet18, small
from ilap.backbones.contract import Trunk
from ilap.core.errors import BadSetting, MissingFile


def features(trunk: Trunk, count: int = 2) -> torch.Tensor:
    network = nn.Sequential(*trunk.stages.values()).eval()
    with torch.inference_mode():
        out: torch.Tensor = network(torch.zeros(count, trunk.side, trunk.side, 3, dtype=torch.uint8))
    return out


@pytest.mark.parametrize(
    "trunk",
    [
        small.trunk(),
        small.trunk(small.Parameters(8)),
        small.trunk(small.Parameters(40)),
        lite0.trunk(lite0.Parameters(64)),
        resnet18.trunk(resnet18.Parameters(64, "random")),
    ],
    ids=lambda trunk: trunk.key,
)
def test_a_trunk_takes_pixels_to_its_features(trunk: Trunk) -> None:
    assert features(trunk).shape == (2, trunk.dim)


def test_weights_at_random_carry_a_higher_rate() -> None:
    assert small.trunk().feature_rate == resnet18.trunk(resnet18.Parameters(64, "random")).feature_rate == 1e-3
    trained = lite0.trunk(lite0.Parameters(64))
    assert (trained.head_rate, trained.feature_rate) == (2e-4, 2e-5)


def test_random_weights_follow_the_seed() -> None:
    first, same, other = (small.trunk(seed=seed).stages["middle"].state_dict() for seed in (1, 1, 2))
    assert torch.equal(first["0.weight"], same["0.weight"])
    assert not torch.equal(first["0.weight"], other["0.weight"])


def test_resnet18_is_the_known_one() -> None:
    assert sum(parameter.numel() for parameter in resnet18.ResNet18().parameters()) == 11_176_512


def test_resnet18_takes_a_file_of_torchvision_s_names(tmp_path: Path) -> None:
    given = resnet18.load("random", seed=9)
    weights = {**given.state_dict(), "fc.weight": torch.zeros(1000, 512), "fc.bias": torch.zeros(1000)}
    torch.save(weights, tmp_path / "resnet18.pth")
    loaded = resnet18.load(str(tmp_path / "resnet18.pth"), seed=0)
    assert torch.equal(loaded.conv1.weight, given.conv1.weight)
    assert resnet18.trunk(resnet18.Parameters(64, str(tmp_path / "resnet18.pth"))).feature_rate == 2e-5


def test_a_file_of_something_else_is_refused(tmp_path: Path) -> None:
    torch.save({"conv1.weight": torch.zeros(3)}, tmp_path / "other.pth")
    with pytest.raises(BadSetting, match="does not hold the weights of a ResNet-18"):
        resnet18.load(str(tmp_path / "other.pth"), seed=0)
    (tmp_path / "damaged.pth").write_bytes(b"no weights")
    with pytest.raises(BadSetting, match="cannot be read as weights"):
        resnet18.load(str(tmp_path / "damaged.pth"), seed=0)
    torch.save(nn.Linear(2, 2), tmp_path / "pickled.pth")
    with pytest.raises(BadSetting, match="cannot be read as weights"):
        hub.read_tensors(tmp_path / "pickled.pth")


@pytest.mark.parametrize("changes", [{"backbone": "resnet18"}, {"backbone": "hf:nobody/nothing"}])
def test_without_network_or_weights_the_error_comes_at_once(
    changes: dict[str, str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(hub, "offline", lambda: True)
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    started = time.perf_counter()
    with pytest.raises(MissingFile, match=r"weights|folder"):
        Learner("paper", **changes)
    assert time.perf_counter() - started < 15


def test_a_model_of_the_hub_can_be_a_folder(tmp_path: Path) -> None:
    transformers = pytest.importorskip("transformers", reason="the extra hub is not installed")
    from ilap.backbones import huggingface

    config = transformers.ViTConfig(
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        image_size=32,
        patch_size=8,
    )
    transformers.ViTModel(config).save_pretrained(tmp_path / "tiny")
    frozen = huggingface.create(huggingface.Parameters(), name=str(tmp_path / "tiny"))
    rows = frozen.features([np.zeros((20, 30, 3), np.uint8), np.full((9, 9), 255, np.uint8)])
    assert rows.shape == (2, 32)
    assert features(huggingface.trunk(huggingface.Parameters(), 0, name=str(tmp_path / "tiny"))).shape == (
        2,
        32,
    )


@pytest.mark.parametrize(
    ("make", "advice"),
    [
        (lambda: small.Parameters(200), "8 to 96 pixels"),
        (lambda: small.create(small.Parameters()), "there to be trained"),
    ],
)
def test_what_a_backbone_cannot_do_is_said(make: object, advice: str) -> None:
    with pytest.raises(BadSetting, match=advice):
        make()  # type: ignore[operator]


@pytest.mark.parametrize("ask", [hub.offline, lambda: hub.file("nobody/nothing", "model.safetensors")])
def test_offline_means_that_no_connection_is_tried(ask: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def connect(*address: object, **more: object) -> None:
        pytest.fail("a socket was opened although ILAP_OFFLINE is set")

    hub.reachable.cache_clear()
    monkeypatch.setenv("ILAP_OFFLINE", "1")
    monkeypatch.setattr(socket, "create_connection", connect)
    monkeypatch.setattr(socket.socket, "connect", connect)
    with contextlib.suppress(MissingFile):
        assert ask() is True


def test_a_hub_that_does_not_answer_is_noticed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    tried = []

    def connect(*address: object, **more: object) -> None:
        tried.append(address)
        raise OSError("no route")

    hub.reachable.cache_clear()
    monkeypatch.setenv("ILAP_OFFLINE", "0")
    monkeypatch.setattr(socket, "create_connection", connect)
    assert hub.offline()
    assert hub.offline()
    assert len(tried) == 1
    hub.reachable.cache_clear()
