from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from ilap import Learner
from ilap.checks.digits import Pixels
from ilap.core.errors import BadOutput
from ilap.export import export
from ilap.export.links import LIST
from pictures_in_file import BURST, Kept

pytestmark = pytest.mark.filterwarnings("ignore:There is no prior")
FOLDER = "狐__Füchse__B"


def links_in(folder: Path) -> dict[str, str]:
    """Every link, by its place, and what it points to."""
    return {str(path.relative_to(folder)): os.readlink(path) for path in folder.rglob("*") if path.is_symlink()}


def test_classes_are_folders_of_exposures_of_links_to_the_pictures(kept: Kept, tmp_path: Path) -> None:
    made = export(kept.file, "links", tmp_path / "tree")
    links = links_in(tmp_path / "tree")
    assert len(links) == made.pictures == 181
    source = kept.source / "cam0" / BURST
    own = {place: target for place, target in links.items() if target.startswith(f"{source}/")}
    assert own == {f"{FOLDER}/burst_one/{name}": str(source / name) for name in os.listdir(source)}
    assert links["tentative/group 3/single/00.png"] == str(kept.source / "cam0" / "single" / "00.png")
    assert not any("useless" in place for place in links)
    assert made.left_out == 25


def test_made_again_a_tree_follows_the_learner_and_spares_what_is_not_its_own(
    kept: Kept, tmp_path: Path
) -> None:
    out = tmp_path / "tree"
    export(kept.file, "links", out)
    place = out / FOLDER / "burst_one"
    (place / "notes.txt").write_text("mine")
    (place / "00.png").unlink()
    (place / "00.png").write_text("my own picture")
    (out / "my link").symlink_to(kept.source)
    with Learner.open(kept.file, backbone=Pixels()) as learner:
        learner.rename(kept.fox, "fox")
        learner.move(kept.exposures["single"], kept.fox)
    made = export(kept.file, "links", out)
    links = links_in(out)
    assert links.pop("my link") == str(kept.source)
    assert len(links) == made.pictures == 181
    assert "fox/single/00.png" in links
    assert not (out / "tentative").exists()
    assert sorted(os.listdir(place)) == ["00.png", "notes.txt"]
    assert (place / "00.png").read_text() == "my own picture"
    before = links_in(out)
    export(kept.file, "links", out)
    assert links_in(out) == before


def test_a_file_of_yours_where_a_link_belongs_is_left_and_told(kept: Kept, tmp_path: Path) -> None:
    out = tmp_path / "tree"
    export(kept.file, "links", out)
    (out / "tentative" / "group 3" / "single" / "00.png").unlink()
    (out / "tentative" / "group 3" / "single" / "00.png").write_text("mine")
    made = export(kept.file, "links", out)
    assert made.advice == "files of yours that were left where a link belongs: 1"
    assert (out / "tentative" / "group 3" / "single" / "00.png").read_text() == "mine"


def test_copies_are_made_only_where_asked_for_and_become_links_again(kept: Kept, tmp_path: Path) -> None:
    out = tmp_path / "tree"
    before = kept.checksums()
    missing = kept.source / "cam1" / "burst 11" / "00.png"
    export(kept.file, "links", out, copy=True)
    copy = out / FOLDER / "burst_one" / "00.png"
    assert not copy.is_symlink()
    assert copy.read_bytes() == (kept.source / "cam0" / BURST / "00.png").read_bytes()
    changed = out / FOLDER / "burst_one" / "02.png"
    changed.write_bytes(b"retouched")
    missing.unlink()
    made = export(kept.file, "links", out, copy=True)
    assert made.advice.startswith("pictures that are no longer where they were: 1")
    export(kept.file, "links", out)
    assert copy.is_symlink()
    assert changed.read_bytes() == b"retouched"
    del before[str(missing)]
    assert kept.checksums() == before


def test_a_folder_that_is_no_tree_is_left_alone(kept: Kept, tmp_path: Path) -> None:
    with pytest.raises(BadOutput, match="name a new folder"):
        export(kept.file, "links", kept.source)
    (tmp_path / "empty").mkdir()
    export(kept.file, "links", tmp_path / "empty")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine").write_text("mine")
    export(kept.file, "links", tmp_path / "full", force=True)
    assert (tmp_path / "full" / "mine").read_text() == "mine"


def test_a_list_that_names_places_outside_the_tree_removes_nothing_there(kept: Kept, tmp_path: Path) -> None:
    out = tmp_path / "tree"
    export(kept.file, "links", out)
    (tmp_path / "precious").symlink_to("target")
    (out / "away").symlink_to(tmp_path)
    claimed = {"../precious": "target", str(tmp_path / "precious"): "target", "away/precious": "target"}
    (out / LIST).write_text(json.dumps({"links": claimed, "copies": {}}))
    export(kept.file, "links", out)
    assert os.readlink(tmp_path / "precious") == "target"


def test_classes_and_pictures_of_one_name_get_names_of_their_own(kept: Kept, tmp_path: Path) -> None:
    with Learner.open(kept.file, backbone=Pixels()) as learner:
        one, other = [k for k in learner.classes if k != kept.fox][:2]
        learner.rename(one, "tentative")
        learner.rename(other, "Tentative")
    export(kept.file, "links", tmp_path / "tree")
    assert {f"tentative ({one})", f"Tentative ({other})", "tentative"} <= set(os.listdir(tmp_path / "tree"))


def test_strangers_are_apart(kept: Kept, tmp_path: Path) -> None:
    with Learner.open(kept.file, backbone=Pixels()) as learner, learner.file.transaction() as connection:
        connection.execute("UPDATE pictures SET included = 0 WHERE exposure = 0 AND place = 3")
    export(kept.file, "links", tmp_path / "tree")
    assert os.listdir(tmp_path / "tree" / "strangers" / "burst_one") == ["03 and, a comma.png"]


def test_where_no_links_can_be_made_it_advises_to_copy(
    kept: Kept, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(target: str, path: Path) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "symlink", refuse)
    with pytest.raises(BadOutput, match="use --copy"):
        export(kept.file, "links", tmp_path / "tree")
    assert [name for name in os.listdir(tmp_path) if "animals" not in name] == ["my pictures"]


def test_interrupted_a_tree_is_made_whole_by_the_next_run(
    kept: Kept, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "tree"
    export(kept.file, "links", out)
    with Learner.open(kept.file, backbone=Pixels()) as learner:
        learner.rename(kept.fox, "fox")
    symlink, made = os.symlink, 0

    def slow(target: str, path: Path) -> None:
        nonlocal made
        made += 1
        if made > 10:
            raise KeyboardInterrupt
        symlink(target, path)

    monkeypatch.setattr(os, "symlink", slow)
    with pytest.raises(KeyboardInterrupt):
        export(kept.file, "links", out)
    monkeypatch.undo()
    with Learner.open(kept.file, backbone=Pixels()) as learner:
        learner.rename(kept.fox, "hare")
    export(kept.file, "links", out)
    links = links_in(out)
    assert len(links) == 181
    assert sorted({place.split("/")[0] for place in links}) == ["class 1", "class 2", "hare", "tentative"]
    assert not (out / "fox").exists()
