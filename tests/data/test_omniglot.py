from __future__ import annotations

import io
import zipfile
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from ilap.core.errors import BadData
from ilap.data import omniglot

pytestmark = pytest.mark.filterwarnings("ignore::ilap.data.files.DifferentData")
CLASSES = ("Greek/character01", "Greek/character02", "Japanese_(hiragana)/character01")


def drawing(number: int) -> bytes:
    buffer = io.BytesIO()
    image = Image.new("1", (105, 105), 1)
    image.putpixel((number, 0), 0)
    image.save(buffer, "PNG")
    return buffer.getvalue()


@pytest.fixture
def packed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "omniglot" / "images_background.zip"
    path.parent.mkdir()
    with zipfile.ZipFile(path, "w") as file:
        for number, name in enumerate(CLASSES):
            for person in range(20):
                file.writestr(f"images_background/{name}/{number:04d}_{person + 1:02d}.png", drawing(person))
    monkeypatch.setenv("ILAP_DATA", str(tmp_path))
    return path


def test_a_character_of_an_alphabet_is_a_class(packed: Path) -> None:
    assert omniglot.create().names == CLASSES


def test_one_in_five_drawings_is_for_testing(packed: Path) -> None:
    dataset = omniglot.create()
    assert np.bincount(dataset.train.labels).tolist() == [16] * 3
    assert np.bincount(dataset.test.labels).tolist() == [4] * 3
    people = [int(picture[0].argmin()) for picture in dataset.test.pictures]
    assert people == [0, 5, 10, 15] * 3


def test_drawings_are_black_on_white(packed: Path) -> None:
    picture = omniglot.create().train.pictures[0]
    assert picture.shape == (105, 105)
    assert (picture.min(), picture.max()) == (0, 255)


def test_the_unpacked_folder_will_do(packed: Path) -> None:
    with zipfile.ZipFile(packed) as file:
        file.extractall(packed.parent)
    packed.unlink()
    assert omniglot.create().names == CLASSES


def test_an_archive_of_something_else_is_refused(packed: Path) -> None:
    with zipfile.ZipFile(packed, "w") as file:
        file.writestr("readme.txt", "nothing")
    with pytest.raises(BadData, match=r"images_background.zip does not hold .*download it again"):
        omniglot.create()


def test_a_truncated_archive_is_refused(packed: Path) -> None:
    packed.write_bytes(packed.read_bytes()[:-100])
    with pytest.raises(BadData, match="cannot be unpacked"):
        omniglot.create()
