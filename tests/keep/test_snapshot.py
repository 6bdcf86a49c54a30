"""What is told of a learner is of one moment, also while another process writes to its file."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ilap import Learner
from ilap.backbones.stored import Cached
from ilap.checks.digits import Exposures
from ilap.keep import answers
from ilap.keep.learner import LearnerInFile
from ilap.keep.overview import Overview, overview
from ilap.keep.store import view
from ilap.report import page

SHOWN = (3, 8, 5, 3, 8)


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory, exposures: Exposures, lite0: Cached) -> Path:
    file = tmp_path_factory.mktemp("snapshot") / "a.ilap"
    counts = dict.fromkeys(SHOWN, 0)
    with Learner.open(file, backbone=lite0, risk=1e-6) as made:
        for label in SHOWN:
            made.observe(exposures[label][counts[label]])
            counts[label] += 1
        made.answer("0=3", "same")
    return file


@pytest.fixture
def path(tmp_path: Path, learned: Path) -> Path:
    return Path(shutil.copy(learned, tmp_path / "a.ilap"))


@pytest.fixture
def writer(path: Path, lite0: Cached) -> Iterator[LearnerInFile]:
    with Learner.open(path, backbone=lite0) as made:
        yield made


@pytest.fixture
def reader(path: Path, lite0: Cached, writer: LearnerInFile) -> Iterator[LearnerInFile]:
    """Opened when the writer has written nothing yet."""
    with LearnerInFile(path, backbone=lite0, writable=False) as made:
        yield made


def write(writer: LearnerInFile, exposures: Exposures) -> None:
    """A new exposure, a class less, another name."""
    taught = writer.teach(exposures[7][0])
    writer.answer("1=4", "same")
    writer.discard([0, 3])
    writer.rename(taught.class_id or 0, "seven")


def agrees(told: Overview) -> bool:
    """Whether the exposures are where the classes say."""
    inside = {row.class_id: set[int]() for row in told.exposures if row.class_id is not None}
    for row in told.exposures:
        if row.class_id is not None:
            inside[row.class_id].add(row.exposure)
    names = {row.class_id: row.class_name for row in told.exposures if row.class_id is not None}
    return inside == {row.class_id: set(row.exposures) for row in told.classes} and names == {
        row.class_id: row.name for row in told.classes
    }


def test_what_was_written_since_opening_is_told_whole(
    path: Path, lite0: Cached, reader: LearnerInFile, writer: LearnerInFile, exposures: Exposures
) -> None:
    before = overview(reader)
    write(writer, exposures)
    after = overview(reader)
    assert agrees(before)
    assert agrees(after)
    assert (len(before.exposures), len(after.exposures)) == (len(SHOWN), len(SHOWN) + 1)
    with LearnerInFile(path, backbone=lite0, writable=False) as opened_later:
        assert after == overview(opened_later)


def test_an_overview_is_of_one_state_if_somebody_writes_while_it_is_made(
    reader: LearnerInFile, writer: LearnerInFile, exposures: Exposures, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, history = overview(reader), reader.history

    def meanwhile(*given: Any) -> Any:
        monkeypatch.undo()
        write(writer, exposures)
        return history(*given)

    monkeypatch.setattr(reader, "history", meanwhile)
    during = overview(reader)
    assert (during.exposures, during.classes, during.events) == (
        before.exposures,
        before.classes,
        before.events,
    )
    assert overview(reader).events > before.events


def test_questions_are_of_one_state_if_somebody_writes_while_they_are_made(
    reader: LearnerInFile, writer: LearnerInFile, exposures: Exposures, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, typical = answers.ask(reader, 3), view.typical

    def meanwhile(*given: Any) -> Any:
        monkeypatch.undo()
        write(writer, exposures)
        return typical(*given)

    monkeypatch.setattr(view, "typical", meanwhile)
    assert answers.ask(reader, 3) == before
    assert [one.question for one in answers.ask(reader, 3)] == [one.id for one in writer.ask(3)]
    assert answers.ask(reader, 3) != before


def test_a_report_is_of_one_state_if_somebody_writes_while_it_is_made(
    reader: LearnerInFile,
    writer: LearnerInFile,
    exposures: Exposures,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    whole = page.whole

    def meanwhile(*given: Any) -> Any:
        monkeypatch.undo()
        write(writer, exposures)
        return whole(*given)

    monkeypatch.setattr(page, "whole", meanwhile)
    made = page.write(reader, tmp_path / "during.html")
    assert made["exposures"] == len(SHOWN)
    assert "seven" not in (tmp_path / "during.html").read_text(encoding="utf-8")
    made = page.write(reader, tmp_path / "after.html")
    assert made["exposures"] == len(SHOWN) + 1
    assert "seven" in (tmp_path / "after.html").read_text(encoding="utf-8")
