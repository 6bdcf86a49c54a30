from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from ilap.bench import jobs, processes
from ilap.bench.jobs import Line, carry_out, path_of, read, seconds
from ilap.core.errors import BadOutput

BEGUN: list[int] = []


@dataclass(frozen=True)
class Counting:
    steps: int
    title: str = "counting"

    @property
    def inputs(self) -> Mapping[str, Any]:
        return {"title": self.title}

    def lines(self, done: Sequence[Line]) -> Iterator[Line]:
        BEGUN.append(len(done))
        for number in range(len(done), self.steps):
            yield {"number": number, "seconds": 0.5}


def test_a_job_goes_on_after_its_last_whole_line(tmp_path: Path) -> None:
    job = Counting(4)
    carry_out(job, tmp_path)
    path = path_of(job, tmp_path)
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text("".join(lines[:2]) + '{"number": 1, "sec', encoding="utf-8")
    BEGUN.clear()
    carry_out(job, tmp_path)
    assert BEGUN == [1]
    found = read(job, tmp_path).lines
    assert [line["number"] for line in found] == [0, 1, 2, 3]
    assert seconds([found]) == 2.0


def test_a_first_line_that_was_cut_off_is_begun_anew(tmp_path: Path) -> None:
    job = Counting(2)
    path = path_of(job, tmp_path)
    path.parent.mkdir()
    path.write_text('{"log": {"kind"', encoding="utf-8")
    carry_out(job, tmp_path)
    assert len(read(job, tmp_path).lines) == 2


def test_a_finished_job_is_not_begun_again(tmp_path: Path) -> None:
    carry_out(Counting(2), tmp_path)
    BEGUN.clear()
    carry_out(Counting(2), tmp_path)
    assert BEGUN == []


def test_whatever_a_job_was_told_makes_it_another(tmp_path: Path) -> None:
    paths = {path_of(job, tmp_path) for job in (Counting(2), Counting(3), Counting(2, "other"))}
    assert len(paths) == 3


def test_jobs_in_processes_give_their_lines_and_progress_goes_to_stderr(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    found = processes.run([Counting(2), Counting(3)], tmp_path, 2)
    assert [len(lines) for lines in found] == [2, 3]
    printed = capfd.readouterr()
    assert printed.out == ""
    assert "counting: done" in printed.err


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(BadOutput, match="name another with --out"):
        jobs.folder_for(tmp_path / "file" / "out")
