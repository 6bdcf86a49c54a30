from __future__ import annotations

import io
import stat
import tarfile
import zipfile
from pathlib import Path

import pytest

from ilap.core.errors import BadData
from ilap.data.archive import unpack


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    (tmp_path / "deep" / "cache").mkdir(parents=True)
    return tmp_path / "deep" / "cache"


def zipped(path: Path, name: str, mode: int = stat.S_IFREG | 0o644) -> Path:
    with zipfile.ZipFile(path, "w") as file:
        entry = zipfile.ZipInfo(name)
        entry.external_attr = mode << 16
        file.writestr(entry, "content")
    return path


def tarred(path: Path, info: tarfile.TarInfo) -> Path:
    with tarfile.open(path, "w:gz") as tar:
        info.size = 0 if info.issym() else 7
        tar.addfile(info, io.BytesIO(b"content"))
    return path


def test_both_kinds_are_unpacked_into_a_folder_of_their_own(tmp_path: Path, cache: Path) -> None:
    packed = (
        zipped(tmp_path / "a.zip", "in/file.txt"),
        tarred(tmp_path / "a.tgz", tarfile.TarInfo("in/file.txt")),
    )
    folders = [unpack(path, cache, "0123456789") for path in packed]
    assert [(folder / "in/file.txt").read_text() for folder in folders] == ["content", "content"]
    assert folders[0] != folders[1]


def test_another_archive_of_the_same_name_has_another_folder(tmp_path: Path, cache: Path) -> None:
    packed = zipped(tmp_path / "a.zip", "file.txt")
    assert unpack(packed, cache, "01234567") != unpack(packed, cache, "89abcdef")


@pytest.mark.parametrize("name", ["../out.txt", "/out.txt", "in/../../out.txt", "..\\out.txt", "C:/out.txt"])
def test_a_zip_entry_that_leads_out_is_refused(tmp_path: Path, cache: Path, name: str) -> None:
    with pytest.raises(BadData, match="leads out of it"):
        unpack(zipped(tmp_path / "a.zip", name), cache, "0")
    assert not list(tmp_path.rglob("out.txt"))


def test_a_link_in_a_zip_file_is_refused(tmp_path: Path, cache: Path) -> None:
    with pytest.raises(BadData, match="leads out of it"):
        unpack(zipped(tmp_path / "a.zip", "link", stat.S_IFLNK | 0o777), cache, "0")


def test_a_tar_entry_that_leads_out_is_refused(tmp_path: Path, cache: Path) -> None:
    with pytest.raises(BadData, match="cannot be unpacked"):
        unpack(tarred(tmp_path / "a.tgz", tarfile.TarInfo("../out.txt")), cache, "0")
    link = tarfile.TarInfo("link")
    link.type, link.linkname = tarfile.SYMTYPE, "/etc"
    with pytest.raises(BadData, match="cannot be unpacked"):
        unpack(tarred(tmp_path / "b.tgz", link), cache, "0")
    assert not list(tmp_path.rglob("out.txt"))


@pytest.mark.parametrize("content", [b"", b"hello", b"\x1f\x8b\x08\x00", b"PK\x03\x04"])
def test_what_is_no_archive_is_refused_and_leaves_nothing(tmp_path: Path, cache: Path, content: bytes) -> None:
    (tmp_path / "a.tgz").write_bytes(content)
    with pytest.raises(BadData, match=r"a.tgz cannot be unpacked .*download it again"):
        unpack(tmp_path / "a.tgz", cache, "0")
    assert not [path for path in cache.iterdir() if path.is_dir()]
