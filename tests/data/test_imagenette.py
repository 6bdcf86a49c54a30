from __future__ import annotations

import io
import tarfile
from pathlib import Path

import pytest
from PIL import Image

from ilap.core.errors import BadData, MissingFile
from ilap.data import imagenette

pytestmark = pytest.mark.filterwarnings("ignore::ilap.data.files.DifferentData")


def jpeg(colour: str) -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", (20, 16), colour).save(buffer, "JPEG")
    return buffer.getvalue()


@pytest.fixture
def packed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The archive as it is published, with two pictures of each class to learn from and one to test with."""
    path = tmp_path / "imagenette2-160.tgz"
    with tarfile.open(path, "w:gz") as tar:
        for part, count in (("train", 2), ("val", 1)):
            for folder in imagenette.NAMES:
                for number in range(count):
                    data = jpeg("red" if folder == "n03445777" else "blue")
                    info = tarfile.TarInfo(f"imagenette2-160/{part}/{folder}/{folder}_{number}.JPEG")
                    info.size = len(data)
                    tar.addfile(info, io.BytesIO(data))
    monkeypatch.setenv("ILAP_DATA", str(tmp_path))
    return path


def test_the_archive_is_unpacked_and_its_classes_have_readable_names(packed: Path) -> None:
    dataset = imagenette.create()
    assert (len(dataset.train), len(dataset.test)) == (20, 10)
    assert dataset.names[8] == "golf ball"
    red = dataset.test.pictures[8]
    assert red.shape == (16, 20, 3)
    assert red[0, 0, 0] > 200 > 50 > red[0, 0, 2]


def test_it_has_no_clips(packed: Path) -> None:
    assert imagenette.create().train.clips is None


def test_it_is_unpacked_once(packed: Path, alone: Path) -> None:
    imagenette.create()
    (unpacked,) = (path for path in (alone / "data").iterdir() if path.is_dir())
    before = unpacked.stat().st_mtime_ns
    imagenette.create()
    assert unpacked.stat().st_mtime_ns == before


def test_the_unpacked_folder_will_do(packed: Path) -> None:
    with tarfile.open(packed) as tar:
        tar.extractall(packed.parent, filter="data")
    packed.unlink()
    assert len(imagenette.create().train) == 20


def test_a_truncated_archive_is_refused_and_leaves_nothing(packed: Path, alone: Path) -> None:
    packed.write_bytes(packed.read_bytes()[:-200])
    with pytest.raises(BadData, match=r"imagenette2-160.tgz cannot be unpacked.*download it again"):
        imagenette.create()
    assert not [path for path in (alone / "data").iterdir() if path.is_dir()]


def test_without_it_the_error_names_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ILAP_DATA", str(tmp_path))
    with pytest.raises(MissingFile, match=r"imagenette2-160.tgz in .*, and ILAP_OFFLINE forbids"):
        imagenette.create()
