from __future__ import annotations

from ilap.bench.leave_out import choices, table

SCORES = {0.1: {"a": 0.9, "b": 0.1, "c": 0.2}, 0.2: {"a": 0.3, "b": 0.5, "c": 0.6}}


def test_a_family_has_no_say_in_its_own_threshold() -> None:
    found = choices(SCORES)
    assert {name: choice.value for name, choice in found.items()} == {"a": 0.2, "b": 0.1, "c": 0.1}
    changed = choices({value: {**own, "a": 1 - own["a"]} for value, own in SCORES.items()})
    assert changed["a"].value == 0.2


def test_the_table_has_every_value_and_the_choice() -> None:
    grid = table(SCORES)
    assert grid.header == ("family", "0.1", "0.2", "chosen", "left out")
    assert grid.rows[0] == ("a", ".900", ".300", "0.2", ".300")
    assert grid.rows[-1] == ("mean", ".400", ".467", "", ".200")
