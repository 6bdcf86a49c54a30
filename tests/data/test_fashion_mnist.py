from __future__ import annotations

import os
import warnings
from pathlib import Path

import pytest

from ilap.core.errors import MissingFile
from ilap.data import fashion_mnist


@pytest.mark.skipif(not fashion_mnist.DEBIAN.is_dir(), reason="dataset-fashion-mnist is not installed")
def test_debians_copy_is_used_without_a_data_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ILAP_DATA", raising=False)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        dataset = fashion_mnist.create()
    assert (len(dataset.train), len(dataset.test)) == (60_000, 10_000)
    assert dataset.names[dataset.train.labels[0]] == "ankle boot"


def test_without_any_copy_the_error_names_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ILAP_DATA", os.fspath(tmp_path))
    monkeypatch.setattr(fashion_mnist, "DEBIAN", tmp_path / "none")
    with pytest.raises(MissingFile, match="There is no train-images-idx3-ubyte"):
        fashion_mnist.create()
