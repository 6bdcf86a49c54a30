from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

from ilap.backbones import runtime
from ilap.core import files

PROGRAM = """
import sys
from pathlib import Path
import torch
from ilap.backbones import runtime

class Mean(torch.nn.Module):
    def forward(self, pictures):
        return pictures.float().mean((1, 2))

def load():
    with Path(sys.argv[1]).open("a") as file:
        file.write("exported ")
    return Mean()

print(runtime.cached_graph(load, "mean", 8))
"""


class Mean(torch.nn.Module):
    def forward(self, pictures: torch.Tensor) -> torch.Tensor:
        return pictures.float().mean((1, 2))


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ILAP_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_two_processes_at_once_export_one_graph(cache: Path, tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    command = [sys.executable, "-c", PROGRAM, str(journal)]
    processes = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    paths = {process.communicate(timeout=120)[0].strip().splitlines()[-1] for process in processes}
    assert [process.returncode for process in processes] == [0, 0]
    assert len(paths) == 1
    assert Path(paths.pop()).stat().st_size > 0
    assert journal.read_text() == "exported "
    assert not list(cache.glob("*.draft"))


def test_a_damaged_graph_is_made_again(cache: Path) -> None:
    pictures = np.random.default_rng(0).integers(0, 255, (5, 8, 8, 3), np.uint8)
    expected = pictures.mean((1, 2))
    np.testing.assert_allclose(runtime.exported_on_cpu(Mean, "mean", 8)(pictures), expected, rtol=1e-5)
    (graph,) = cache.glob("*.onnx")
    graph.write_bytes(graph.read_bytes()[:100])
    np.testing.assert_allclose(runtime.exported_on_cpu(Mean, "mean", 8)(pictures), expected, rtol=1e-5)


def test_exporting_prints_nothing(cache: Path, capfd: pytest.CaptureFixture[str]) -> None:
    runtime.cached_graph(Mean, "mean", 8)
    printed = capfd.readouterr()
    assert (printed.out, printed.err) == ("", "")


def test_where_nothing_can_be_kept_a_folder_of_the_process_serves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    monkeypatch.setenv("ILAP_CACHE", str(blocked / "cache"))
    assert files.cache_folder().is_dir()


def test_the_device_can_be_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ILAP_DEVICE", "meta")
    assert runtime.device() == "meta"
