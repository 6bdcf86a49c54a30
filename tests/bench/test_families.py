from __future__ import annotations

from pathlib import Path

import pytest

import families
from ilap.bench import jobs
from ilap.bench.stream import Plan
from ilap.core.errors import BadSetting

STREAMS = Path(__file__).parents[2] / "benchmarks" / "streams.toml"

LIST = """
seeds = [0, 4]

[[family]]
name = "digits"
streams = [{ data = "digits", classes = [5, "all"], size = [1, 9], repeats = 2 }]

[[family]]
name = "cattle"
streams = [{ data = "bursts/cattle", classes = ["all"], draw = "clips" }]
"""


@pytest.fixture
def listed(tmp_path: Path) -> list[families.Family]:
    (tmp_path / "streams.toml").write_text(LIST, encoding="utf-8")
    found, seeds = families.read(tmp_path / "streams.toml")
    assert seeds == [0, 4]
    return found


def test_a_line_is_a_stream_for_each_number_of_classes(listed: list[families.Family]) -> None:
    digits, cattle = listed
    assert digits.streams == (("digits", Plan((1, 9), 2, classes=5)), ("digits", Plan((1, 9), 2)))
    assert cattle.streams == (("bursts/cattle", Plan(draw="clips")),)


def test_every_stream_is_run_with_every_seed_and_without_test_pictures(
    listed: list[families.Family], tmp_path: Path
) -> None:
    cells = listed[0].cells("cosine", [0, 1, 2], {})
    assert [(cell.plan.classes, cell.seed) for cell in cells[:4]] == [(5, 0), (5, 1), (5, 2), (None, 0)]
    assert all(len(cell.stream().dataset.test) == 0 for cell in cells)
    assert len({jobs.path_of(cell, tmp_path) for cell in cells}) == 6


def test_families_are_chosen_by_name(listed: list[families.Family]) -> None:
    assert families.chosen(listed, []) == listed
    assert [family.name for family in families.chosen(listed, ["cattle"])] == ["cattle"]
    with pytest.raises(BadSetting, match="take one of digits, cattle"):
        families.chosen(listed, ["sheep"])


def test_the_list_of_the_promise_can_be_read() -> None:
    found, seeds = families.read(STREAMS)
    assert seeds == [0, 1, 2]
    assert {"signs", "chimpanzees", "cattle", "turning"} <= {family.name for family in found}
