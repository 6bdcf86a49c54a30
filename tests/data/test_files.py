from __future__ import annotations

import hashlib
import warnings
from pathlib import Path

import pytest

from ilap.core.errors import BadOutput, MissingFile
from ilap.data import files

SOURCE = files.Source("http://127.0.0.1:9/toys.bin", hashlib.md5(b"toys").hexdigest())
NAMES = {"toys.bin": SOURCE.md5}


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "root"
    (root / "toys").mkdir(parents=True)
    monkeypatch.setenv("ILAP_DATA", str(root))
    return root


def test_the_data_sets_own_folder_comes_before_the_root(root: Path) -> None:
    (root / "toys.bin").write_bytes(b"toys")
    assert files.find("toys", NAMES, SOURCE) == root / "toys.bin"
    (root / "toys" / "toys.bin").write_bytes(b"toys")
    assert files.find("toys", NAMES, SOURCE) == root / "toys" / "toys.bin"


def test_the_published_file_gives_no_warning(root: Path) -> None:
    (root / "toys.bin").write_bytes(b"toys")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        files.find("toys", NAMES, SOURCE)


def test_a_file_that_differs_is_used_with_a_warning(root: Path) -> None:
    (root / "toys.bin").write_bytes(b"own toys")
    with pytest.warns(files.DifferentData, match=r"toys.bin differs from the published file"):
        assert files.find("toys", NAMES, SOURCE) == root / "toys.bin"


def test_the_check_sees_that_a_file_has_changed(root: Path) -> None:
    (root / "toys.bin").write_bytes(b"own toys")
    with pytest.warns(files.DifferentData):
        files.find("toys", NAMES, SOURCE)
    (root / "toys.bin").write_bytes(b"toys")
    assert files.md5_of(root / "toys.bin") == SOURCE.md5


def test_the_systems_copy_comes_after_the_root(root: Path, tmp_path: Path) -> None:
    system = tmp_path / "system"
    system.mkdir()
    (system / "toys.bin").write_bytes(b"packed again")
    assert files.find("toys", NAMES, SOURCE, system) == system / "toys.bin"
    (root / "toys.bin").write_bytes(b"toys")
    assert files.find("toys", NAMES, SOURCE, system) == root / "toys.bin"


def test_a_missing_file_is_named_with_the_places_and_what_to_do(root: Path) -> None:
    with pytest.raises(MissingFile) as caught:
        files.find("toys", NAMES, SOURCE)
    assert str(caught.value) == (
        f"There is no toys.bin in {root / 'toys'} or {root}, and ILAP_OFFLINE forbids to download it: get it "
        f"from http://127.0.0.1:9/toys.bin and put it there, or set ILAP_DATA to the folder that holds it."
    )


def test_what_has_no_md5_is_not_downloaded(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ILAP_OFFLINE")
    with pytest.raises(MissingFile, match="it is not downloaded by itself"):
        files.find("toys", {"toys.bin": ""}, files.Source(SOURCE.url))


@pytest.mark.parametrize("place", [".", "toys", "toys/toys-2"])
def test_an_unpacked_folder_is_known_by_a_file_in_it(root: Path, place: str) -> None:
    (root / place).mkdir(exist_ok=True)
    (root / place / "labels.txt").write_text("")
    assert files.find_folder(["toys", "toys-2"], "labels.txt", SOURCE) == root / place


def test_a_cache_that_cannot_be_written_is_named(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "blocked").write_text("")
    monkeypatch.setenv("ILAP_CACHE", str(tmp_path / "blocked"))
    with pytest.raises(BadOutput, match="set ILAP_CACHE to another folder"):
        files.find("toys", NAMES, SOURCE)
