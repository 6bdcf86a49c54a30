from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from ilap.core import registry
from ilap.core.errors import BadSetting, MissingFile
from ilap.data.load import load


def test_a_name_is_that_of_a_file() -> None:
    assert load("digits").name == "digits"
    with pytest.raises(BadSetting, match="There is no data set 'toys'"):
        load("toys")


def test_all_data_sets_are_listed_and_nothing_else() -> None:
    assert registry.names("data set") == [
        "cifar10",
        "cifar100",
        "cifar100_pairs",
        "coil100",
        "coil20",
        "crib",
        "digits",
        "fashion_mnist",
        "imagenette",
        "mnist",
        "omniglot",
        "svhn",
        "tiny_imagenet",
    ]


@pytest.mark.parametrize("name", sorted(set(registry.names("data set")) - {"digits", "fashion_mnist"}))
def test_each_says_in_one_sentence_what_is_missing(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ILAP_DATA", str(tmp_path))
    with pytest.raises(
        MissingFile, match=rf"There is no .* in {tmp_path}.*get it from http.*set ILAP_DATA"
    ) as caught:
        load(name)
    assert len(str(caught.value).splitlines()) == 1


def test_a_folder_is_given_by_its_path(tmp_path: Path) -> None:
    for number in range(2):
        (tmp_path / "cat").mkdir(exist_ok=True)
        Image.new("L", (4, 4)).save(tmp_path / "cat" / f"{number}.png")
    assert load(f"folder:{tmp_path}").names == ("cat",)
    assert load(str(tmp_path)).names == ("cat",)
    with pytest.raises(MissingFile, match="There is no folder"):
        load(f"folder:{tmp_path}/none")


def test_a_path_is_taken_from_here_or_else_from_the_data_root(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for root, thing in (("here", "cat"), ("data", "dog")):
        (tmp_path / root / "bursts" / root / thing).mkdir(parents=True)
        for number in range(2):
            Image.new("L", (4, 4)).save(tmp_path / root / "bursts" / root / thing / f"{number}.png")
    monkeypatch.setenv("ILAP_DATA", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path / "here")
    assert load("bursts/here").names == ("cat",)
    assert load("bursts/data").names == ("dog",)
    with pytest.raises(MissingFile, match="There is no folder"):
        load("bursts/none")
