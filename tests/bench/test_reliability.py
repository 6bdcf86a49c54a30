from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

from ilap.bench.records import Record
from ilap.core.decision import Decision
from reliability import Stated, bins, draw, gap, stated


def record(number: int, truth: int, kind: str, class_id: int | None, error: float) -> Record:
    p_known = {0: 1 - error} if kind == "known" else {0: error}
    p_new = error if kind == "known" else 1 - error
    answer = Decision(kind, class_id, 0.0, {}, "", number, 0.0, (), error, p_new, p_known)  # type: ignore[arg-type]
    return Record(answer, truth, False, True, None, None, 1, 1, 0, 0)


RECORDS = [
    record(0, 5, "new", 0, 0.0),
    record(1, 5, "known", 0, 0.02),
    record(2, 6, "known", 0, 0.04),  # wrong
    record(3, 7, "unsure", None, 0.3),  # held for new, and is
]


def test_every_answer_counts_by_what_it_held_for_the_likeliest() -> None:
    assert [(round(one.probability, 2), one.right) for one in stated(RECORDS)] == [
        (1.0, True),
        (0.98, True),
        (0.96, False),
        (0.7, True),
    ]


def test_what_a_person_said_is_none_of_them() -> None:
    told = replace(RECORDS[1], decision=replace(RECORDS[1].decision, by="person"))
    assert len(stated([RECORDS[0], told])) == 1


def test_each_answer_is_in_one_bin() -> None:
    answers = [Stated(at / 100, at % 3 == 0) for at in range(101)]
    found = bins(answers)
    assert sum(one.count for one in found) == 101
    assert [one.stated for one in found] == sorted(one.stated for one in found)


def test_answers_that_claim_too_much_have_a_gap() -> None:
    assert gap([Stated(0.95, True), Stated(0.95, False), Stated(0.2, False)]) == pytest.approx(0.45)
    assert gap([Stated(0.2, False)]) is None


def test_there_is_a_diagram_for_every_family(tmp_path: Path) -> None:
    path = tmp_path / "all.png"
    draw({name: stated(RECORDS) for name in ("one", "two", "three", "four", "five")}, path)
    with Image.open(path) as picture:
        assert picture.width > picture.height > 300
