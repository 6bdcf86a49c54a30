from __future__ import annotations

import base64
import html
import io
import json
import re
import shlex
import shutil
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
from PIL import Image
from typer.testing import CliRunner

from ilap import Exposure, Learner
from ilap.backbones.stored import Cached
from ilap.cli import app
from ilap.core.errors import BadOutput, MissingFile
from ilap.keep.learner import LearnerInFile
from ilap.keep.words import class_of, exposure_of
from ilap.report import page as report

ANSWER = "<script>alert('狐')</script>"
UNSURE, DISCARDED = 6, 7


@pytest.fixture(scope="module")
def original(
    tmp_path_factory: pytest.TempPathFactory, exposures: dict[int, list[Exposure]], lite0: Cached
) -> Path:
    """Three digits, two exposures each; a single picture, which stays unsure; one that a person discards."""
    file = tmp_path_factory.mktemp("report") / "my digits.ilap"
    with Learner.open(file, backbone=lite0, risk=0.4, caution=0) as learner:
        for part in range(2):
            for label in range(3):
                learner.observe(Exposure(exposures[label][part].pictures, name=f"burst {label}{part}"))
    with Learner.open(file, backbone=lite0, risk=0.001) as learner:
        assert learner.observe(Exposure(exposures[4][0].pictures[:1], name="single")).exposure == UNSURE
        assert learner.observe(Exposure(exposures[5][0].pictures, name="useless")).exposure == DISCARDED
        learner.discard([DISCARDED])
        assert learner.waiting == (UNSURE,)
        assert len(learner.classes) == 3
    return file


@pytest.fixture
def learner(original: Path, lite0: Cached, tmp_path: Path) -> Iterator[LearnerInFile]:
    with Learner.open(shutil.copy(original, tmp_path), backbone=lite0) as opened:
        yield opened


def page_of(learner: LearnerInFile, tmp_path: Path) -> str:
    return Path(report.write(learner, tmp_path / "page.html")["page"]).read_text(encoding="utf-8")


def section(page: str, name: str) -> str:
    return re.findall(rf'<section id="{name}">(.*?)</section>', page, re.DOTALL)[0]


def commands(page: str) -> list[list[str]]:
    found = re.findall(r'<code class="command">(.*?)</code>', page, re.DOTALL)
    return [shlex.split(html.unescape(text)) for text in found]


class Elements(HTMLParser):
    """Every element must be closed, and no id is there twice."""

    void = ("meta", "img", "br")

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.all: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.all.append((tag, dict(attrs)))
        if tag not in self.void:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def elements(page: str) -> list[tuple[str, dict[str, str | None]]]:
    parser = Elements()
    parser.feed(page)
    assert not parser.open
    return parser.all


def refers_to_itself(page: str) -> None:
    found = elements(page)
    ids = [attributes["id"] for _, attributes in found if "id" in attributes]
    assert len(ids) == len(set(ids))
    for tag, attributes in found:
        assert tag not in ("script", "link", "iframe")
        assert (attributes.get("src") or "data:").startswith("data:")
        assert (attributes.get("href") or f"#{ids[0]}").removeprefix("#") in ids
        assert tag != "img" or attributes["alt"]


def test_every_class_and_every_exposure_is_in_the_page(learner: LearnerInFile, tmp_path: Path) -> None:
    page = page_of(learner, tmp_path)
    for class_id, known in learner.classes.items():
        card = re.findall(rf'<article [^>]*id="class-{class_id}".*?</article>', page, re.DOTALL)[0]
        assert card.count("data:image/webp;base64,") == report.SHOWN
        assert all(learner.name_of_exposure(number) in card for number in known.exposures)
        assert f"{known.pictures} pictures" in card
    cells = re.findall(r'<a class="(\w+)" href="#exposure-\d+" title', section(page, "timeline"))
    assert cells == ["new"] * 3 + ["known"] * 3 + ["unsure", "discarded"]


def test_what_is_unsure_is_listed_with_commands_that_mean_it(learner: LearnerInFile, tmp_path: Path) -> None:
    queue = section(page_of(learner, tmp_path), "unsure")
    assert "single" in queue
    assert "not sure enough" in queue
    found = commands(queue)
    assert ["ilap", "move", learner.path, str(UNSURE), "new"] in found
    assert ["ilap", "discard", learner.path, str(UNSURE)] in found
    assert {int(words[4]) for words in found if words[1] == "move" and words[4] != "new"} <= set(
        learner.classes
    )
    shares = [float(text) for text in re.findall(r"<li><b>([\d.]+)%", queue)]
    assert shares == sorted(shares, reverse=True)


def test_a_wrong_merge_is_shown_with_the_command_that_mends_it(learner: LearnerInFile, tmp_path: Path) -> None:
    before = sorted(known.exposures for known in learner.classes.values())
    assert commands(section(page_of(learner, tmp_path), "check")) == []
    first, second, *_ = learner.classes
    learner.merge(first, second)
    check = section(page_of(learner, tmp_path), "check")
    assert "Likely two" in check
    (words,) = (found for found in commands(check) if found[1] == "split")
    assert words[:3] == ["ilap", "split", learner.path]
    learner.split([exposure_of(learner, text) for text in words[3:]])
    assert sorted(known.exposures for known in learner.classes.values()) == before


def test_what_a_person_decided_is_marked(learner: LearnerInFile, tmp_path: Path) -> None:
    assert "by a person</span>" not in section(page_of(learner, tmp_path), "classes")
    learner.move(0, learner.place_of(0))
    page = page_of(learner, tmp_path)
    assert "✓ 1 of 2 by a person" in section(page, "classes")
    assert "new, a person said so\nilap had said: " in html.unescape(section(page, "timeline"))


def test_names_in_any_script_are_text_and_nothing_else(learner: LearnerInFile, tmp_path: Path) -> None:
    class_id = learner.place_of(0)
    learner.rename(class_id, ANSWER)
    page = page_of(learner, tmp_path)
    assert "<script" not in page
    assert html.escape(ANSWER, quote=False) in page.replace("&#39;", "'")
    assert f"class {class_id}</small>" in page


def test_commands_of_the_page_mean_what_they_say_where_numbers_are_also_names(
    learner: LearnerInFile, tmp_path: Path
) -> None:
    first, second, *_ = learner.classes
    learner.rename(first, str(second))
    learner.file.connection.execute("UPDATE classes SET name = 'new' WHERE id = ?", (second,))
    learner.reload()
    learner.file.connection.execute("UPDATE exposures SET name = ? WHERE number = 0", (str(UNSURE),))
    queue = section(page_of(learner, tmp_path), "unsure")
    moves = [words for words in commands(queue) if words[1] == "move"]
    assert moves
    assert {exposure_of(learner, words[3]) for words in moves} == {UNSURE}
    linked = [int(text) for text in re.findall(r"#class-(\d+)", queue)]
    assert [class_of(learner, words[4]) for words in moves if words[4] != "new"] == linked
    assert "new" in {words[4] for words in moves}


def test_the_page_is_whole_and_refers_to_nothing_outside(learner: LearnerInFile, tmp_path: Path) -> None:
    learner.merge(*list(learner.classes)[:2])
    page = page_of(learner, tmp_path)
    refers_to_itself(page)
    assert "://" not in page
    assert "url(" not in page


def test_a_learner_that_has_learned_nothing_has_a_page(lite0: Cached, tmp_path: Path) -> None:
    with Learner.open(tmp_path / "empty.ilap", backbone=lite0) as learner:
        page = page_of(learner, tmp_path)
    elements(page)
    assert "Nothing is learned yet" in page


def test_many_classes_are_collapsed_and_it_is_said_what_is_left_out(
    learner: LearnerInFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    learner.discard([0])
    monkeypatch.setattr(report, "LISTED", 1)
    monkeypatch.setattr(report, "PART", 1)
    monkeypatch.setattr(report, "ALL", 2 * len(learner.classes))
    page = page_of(learner, tmp_path)
    refers_to_itself(page)
    gallery = section(page, "classes")
    assert gallery.count("data:image/webp") == 2 * len(learner.classes)
    assert (gallery.count('<details name="classes" open>'), gallery.count("<summary><bdi>")) == (
        1,
        len(learner.classes),
    )
    assert "Up to 2 pictures of each" in gallery
    assert "1 more are left out here: ilap history lists all" in section(page, "timeline")


def test_exposures_in_order_are_in_parts_of_which_the_last_is_open(
    learner: LearnerInFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(report, "IN_ORDER", 3)
    page = page_of(learner, tmp_path)
    refers_to_itself(page)
    parts = re.findall(r'<details name="timeline"( open)?><summary>(.*?)</summary>', section(page, "timeline"))
    assert parts == [("", "exposures 0 to 2"), ("", "exposures 3 to 5"), (" open", "exposures 6 to 7")]


def test_pictures_are_of_the_size_that_they_are_shown_in(learner: LearnerInFile, tmp_path: Path) -> None:
    found = re.findall(r"data:image/webp;base64,([^\"]+)", page_of(learner, tmp_path))
    assert found
    for own in found:
        assert max(Image.open(io.BytesIO(base64.b64decode(own))).size) <= report.SIDE


def test_an_interrupted_write_leaves_what_was_there(
    learner: LearnerInFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "pages" / "page.html"
    report.write(learner, out)
    before = out.read_bytes()

    def interrupted(path: Path, text: str, **how: str) -> None:
        path.write_bytes(text.encode()[:100])
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "write_text", interrupted)
    with pytest.raises(KeyboardInterrupt):
        report.write(learner, out)
    assert [path.name for path in out.parent.iterdir()] == ["page.html"]
    assert out.read_bytes() == before


def test_only_an_earlier_page_is_replaced(learner: LearnerInFile, tmp_path: Path) -> None:
    out = tmp_path / "page.html"
    out.write_text("my own page")
    with pytest.raises(BadOutput, match="no such export of ilap"):
        report.write(learner, out)
    assert out.read_text() == "my own page"
    report.write(learner, out, force=True)
    report.write(learner, out)
    for wrong in (tmp_path, Path("/dev/null/page.html"), Path(learner.path)):
        with pytest.raises(BadOutput):
            report.write(learner, wrong, force=True)


def test_the_command_writes_the_page_and_tells_figures(original: Path, tmp_path: Path) -> None:
    out = tmp_path / "page.html"
    done = CliRunner().invoke(app, ["report", str(original), "--out", str(out), "--json"])
    assert done.exit_code == 0, done.output
    made = json.loads(done.stdout)
    assert made["page"] == str(out)
    assert made["bytes"] == out.stat().st_size
    assert (made["classes"], made["exposures"], made["unsure"]) == (3, 8, 1)
    missing = CliRunner().invoke(app, ["report", str(tmp_path / "none.ilap"), "--out", str(out)])
    assert isinstance(missing.exception, MissingFile)
