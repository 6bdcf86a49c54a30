from __future__ import annotations

import io
import os
import tarfile
from pathlib import Path

import numpy as np
import pytest

from ilap.core.errors import BadData, MissingFile
from ilap.data import cifar10, cifar100, cifar100_pairs
from ilap.data.files import DifferentData

pytestmark = pytest.mark.filterwarnings("ignore::ilap.data.files.DifferentData")


def record(labels: list[int], picture: np.ndarray) -> bytes:
    return bytes(labels) + picture.transpose(2, 0, 1).tobytes()


@pytest.fixture
def picture() -> np.ndarray:
    return np.random.default_rng(0).integers(0, 256, (32, 32, 3), np.uint8)


@pytest.fixture
def ten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, picture: np.ndarray) -> Path:
    folder = tmp_path / "cifar-10-batches-bin"
    folder.mkdir()
    for number in (1, 2):
        (folder / f"data_batch_{number}.bin").write_bytes(
            b"".join(record([i], picture + number) for i in range(10))
        )
    (folder / "test_batch.bin").write_bytes(record([3], picture) + record([9], 255 - picture))
    monkeypatch.setenv("ILAP_DATA", str(tmp_path))
    return folder


@pytest.fixture
def hundred(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, picture: np.ndarray) -> Path:
    folder = tmp_path / "cifar-100-binary"
    folder.mkdir()
    (folder / "train.bin").write_bytes(b"".join(record([i // 5, i], picture) for i in range(100)))
    (folder / "test.bin").write_bytes(record([4, 72], picture))
    monkeypatch.setenv("ILAP_DATA", str(tmp_path))
    return folder


def test_the_planes_of_a_record_become_a_picture(ten: Path, picture: np.ndarray) -> None:
    dataset = cifar10.create()
    np.testing.assert_array_equal(dataset.test.pictures[0], picture)
    assert dataset.test.labels.tolist() == [3, 9]


def test_all_batches_that_are_there_are_read_in_order(ten: Path, picture: np.ndarray) -> None:
    dataset = cifar10.create()
    assert dataset.train.labels.tolist() == [*range(10), *range(10)]
    np.testing.assert_array_equal(dataset.train.pictures[10], picture + 2)


def test_pictures_are_views_of_one_array(ten: Path) -> None:
    first, second = cifar10.create().train.pictures[:2]
    assert first.base is second.base is not None


def test_a_cut_down_set_is_used_with_a_warning(ten: Path) -> None:
    with pytest.warns(DifferentData, match="20 pictures to learn from and 2 to test with here"):
        cifar10.create()


def test_classes_are_named_by_the_file_or_else_by_what_is_known(ten: Path) -> None:
    assert cifar10.create().names[6] == "frog"
    (ten / "batches.meta.txt").write_text("\n".join("abcdefghij") + "\n\n")
    assert cifar10.create().names == tuple("abcdefghij")
    (ten / "batches.meta.txt").write_text("a\nb\n")
    with pytest.raises(BadData, match=r"batches.meta.txt names 2 classes"):
        cifar10.create()


def test_the_fine_label_counts(hundred: Path) -> None:
    dataset = cifar100.create()
    assert dataset.train.labels.tolist() == list(range(100))
    assert dataset.names[dataset.test.labels[0]] == "seal"
    assert len(set(dataset.names)) == 100


def test_the_pairs_are_twenty_of_its_classes(hundred: Path) -> None:
    pairs = cifar100_pairs.create()
    assert len(pairs.names) == len(set(pairs.names)) == 20
    whole = cifar100.create()
    for picture, label in zip(pairs.train.pictures, pairs.train.labels, strict=True):
        row = whole.names.index(pairs.names[label])
        np.testing.assert_array_equal(picture, whole.train.pictures[row])


@pytest.mark.parametrize("size", [0, 1, 3072, 3074, 30729])
def test_a_truncated_file_gives_no_pictures(ten: Path, size: int) -> None:
    path = ten / "data_batch_2.bin"
    path.write_bytes(path.read_bytes()[:size])
    with pytest.raises(BadData, match=r"data_batch_2.bin.*download it again"):
        cifar10.create()


def test_a_label_out_of_range_is_refused(ten: Path, hundred: Path, picture: np.ndarray) -> None:
    (ten / "test_batch.bin").write_bytes(record([10], picture))
    with pytest.raises(BadData, match="has the label 10"):
        cifar10.create()
    (hundred / "test.bin").write_bytes(record([0, 100], picture))
    with pytest.raises(BadData, match="has the label 100"):
        cifar100.create()


def test_a_missing_file_is_named(ten: Path, hundred: Path) -> None:
    for number in (1, 2):
        (ten / f"data_batch_{number}.bin").unlink()
    with pytest.raises(MissingFile, match=r"data_batch_1.bin"):
        cifar10.create()
    (hundred / "train.bin").unlink()
    with pytest.raises(MissingFile, match=r"train.bin"):
        cifar100.create()


def test_the_archive_itself_will_do(ten: Path, alone: Path) -> None:
    with tarfile.open(ten.parent / "cifar-10-binary.tar.gz", "w:gz") as tar:
        for path in ten.iterdir():
            info = tarfile.TarInfo(f"cifar-10-batches-bin/{path.name}")
            info.size = path.stat().st_size
            tar.addfile(info, io.BytesIO(path.read_bytes()))
    for path in ten.iterdir():
        path.unlink()
    ten.rmdir()
    with pytest.warns(DifferentData, match=r"cifar-10-binary.tar.gz differs from the published file"):
        dataset = cifar10.create()
    assert len(dataset.train) == 20


@pytest.mark.slow
@pytest.mark.skipif("ILAP_DATA" not in os.environ, reason="ILAP_DATA does not name a folder with CIFAR")
@pytest.mark.parametrize(("module", "classes"), [(cifar10, 10), (cifar100, 100)])
def test_the_real_pictures_are_read(module: object, classes: int) -> None:
    try:
        dataset = module.create()  # type: ignore[attr-defined]
    except MissingFile as error:
        pytest.skip(str(error))
    assert set(dataset.train.labels) == set(dataset.test.labels) == set(range(classes))
    rows = np.stack([dataset.train.pictures[i] for i in range(0, len(dataset.train), 100)]).astype(float)
    across = np.abs(np.diff(rows, axis=2)).mean()
    assert across < np.abs(rows - rows[::-1]).mean() / 2, (
        "neighbouring pixels of a photograph resemble each other"
    )
