from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ilap.paper.study import Line, carry_out, path_of, read, seconds

BEGUN: list[int] = []


@dataclass(frozen=True)
class Counting:
    steps: int
    title: str = "counting"

    def lines(self, begin: int) -> Iterator[Line]:
        BEGUN.append(begin)
        for number in range(begin, self.steps):
            yield {"number": number, "seconds": 0.5}


def test_a_study_goes_on_after_its_last_whole_line(tmp_path: Path) -> None:
    study = Counting(4)
    path = path_of(study, tmp_path)
    path.write_text('{"number": 0, "seconds": 0.5}\n{"number": 1, "sec', encoding="utf-8")
    BEGUN.clear()
    carry_out(study, tmp_path)
    assert BEGUN == [1]
    assert [line["number"] for line in read(path)] == [0, 1, 2, 3]
    assert seconds([read(path)]) == 2.0


def test_a_finished_study_is_not_begun_again(tmp_path: Path) -> None:
    carry_out(Counting(2), tmp_path)
    BEGUN.clear()
    carry_out(Counting(2), tmp_path)
    assert BEGUN == []


def test_another_setting_is_another_study(tmp_path: Path) -> None:
    assert path_of(Counting(2), tmp_path) != path_of(Counting(3), tmp_path)
