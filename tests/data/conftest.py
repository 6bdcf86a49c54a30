"""No test of the data sets uses the network or the user's own files."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def alone(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The empty cache of one test."""
    cache = tmp_path_factory.mktemp("cache")
    monkeypatch.setenv("ILAP_OFFLINE", "1")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("ILAP_CACHE", str(cache))
    return cache
