"""The ablation from logs worked by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from ilap.core.settings import resolve
from ilap.paper import ablation, scales
from ilap.paper.ablation import FACTORS, PRESET, SCALES
from ilap.paper.contract import Request
from paper.logs import log

RIGHT, WRONG = [log([True, True], [0.5, 0.9])] * 3, [log([True, False], [0.5, 0.6])] * 3


def test_a_row_is_a_setting_and_a_cell_has_decisions_and_accuracy() -> None:
    found = {(PRESET, "toys"): RIGHT, ("trials = 1", "toys"): WRONG}
    grid = ablation.grid(found, ["toys"])
    rows = {row[0]: row[1] for row in grid.rows}
    assert rows[PRESET] == "1.000 ± .000, .900 ± .000"
    assert rows["trials = 1"] == ".500 ± .000, .600 ± .000"
    assert rows["judge = validation"] == "no data"


def test_only_what_differs_by_more_than_its_spread_is_told() -> None:
    found = {(PRESET, "toys"): RIGHT, ("trials = 1", "toys"): WRONG, ("trials = 3", "toys"): RIGHT}
    said = ablation.finding(found)
    assert said.confirmed == {"trials = 1 on toys": True}
    assert "trials = 1 on toys: 50% against 100%" in said.sentence
    turned = {(PRESET, "toys"): WRONG, ("trials = 1", "toys"): RIGHT}
    assert ablation.finding(turned).confirmed == {"trials = 1 on toys": False}
    one_seed = {place: logs[:1] for place, logs in found.items()}
    assert ablation.finding(one_seed).confirmed == {}


@pytest.mark.parametrize("row", FACTORS)
def test_every_factor_is_a_setting_that_the_preset_does_not_have(row: str) -> None:
    plain, changed = resolve(PRESET, {}).plain(), resolve(PRESET, FACTORS[row]).plain()
    differ = {name.rpartition(".")[2] for name in plain if plain[name] != changed[name]}
    assert differ == set(FACTORS[row])


def test_the_long_scale_adds_cifar_100() -> None:
    short, long = (
        {column.data for column, _ in scales.of(SCALES, name).columns} for name in ("cpu", "cpu-long")
    )
    assert long - short == {"cifar100"}


@pytest.mark.slow
def test_the_table_is_made_from_embedded_data(tmp_path: Path) -> None:
    made = ablation.make(Request("quick", tmp_path, seeds=1))
    assert [row[0] for row in made.grid.rows] == [PRESET, *FACTORS]
    assert all(row[1].startswith((".", "1")) for row in made.grid.rows)
