from __future__ import annotations

import json
from typing import Any

import pytest

import rates
from ilap.core.metrics import wilson


def row(exposures: int = 10, **figures: Any) -> dict[str, Any]:
    """A stream of which all is sure and right."""
    plain = {"asked": 0, "sure": 1.0, "sure_at_end": 1.0, "wrong_of_sure": 0.0, "sure_answers": exposures}
    return {"exposures": exposures, **plain, "ari": 1.0, "log_loss": None, "ece": None, **figures}


def test_streams_weigh_the_same_whatever_their_length() -> None:
    found = rates.figures([[row(1000), row(10, wrong_of_sure=0.4, ari=0.0)]])
    assert found["wrong_of_sure"].value == pytest.approx(0.2)
    assert found["wrong_of_sure"].count == 1010
    assert found["ari"] == 0.5
    assert (found["streams"], found["exposures"]) == (2, 1010)


def test_families_weigh_the_same_whatever_the_number_of_their_streams() -> None:
    found = rates.over_all({"many": [row()] * 9, "one": [row(wrong_of_sure=0.5)]})
    assert found["pool"]["wrong_of_sure"].value == pytest.approx(0.25)
    assert list(found) == ["many", "one", "pool"]


def test_of_equal_streams_the_interval_is_that_of_all_their_exposures() -> None:
    found = rates.rate([[row(40, sure=0.75), row(60, sure=0.75)]], "sure")
    assert found is not None
    assert found.effective <= 100
    even = rates.rate([[row(50, sure=0.5), row(50, sure=1.0)]], "sure")
    assert even is not None
    assert even.effective == pytest.approx(100)
    assert even.plain() == {"value": 0.75, "n": 100, "interval": pytest.approx(wilson(0.75, 100))}


def test_a_stream_without_a_figure_is_left_out_of_it_and_so_is_what_a_person_answered() -> None:
    nothing = row(20, asked=20, sure=None, sure_at_end=None, wrong_of_sure=None, sure_answers=0)
    found = rates.figures([[nothing, row(10, asked=4, sure=0.5)]])
    assert (found["sure"].value, found["sure"].count) == (0.5, 6)
    assert found["asked"] == 24
    assert rates.figures([[nothing]])["sure"] is None


def test_the_table_and_the_json_say_what_there_is_not() -> None:
    found = rates.over_all({"toys": [row(100, wrong_of_sure=0.05)]})
    line = dict(zip(rates.table(found).header, rates.table(found).rows[0], strict=True))
    assert line["family"] == "toys"
    assert line["wrong of sure"] == ".050 [.022, .112] n 100"
    assert (line["ari"], line["log loss"]) == ("1.000", "-")
    assert json.loads(json.dumps(rates.plain(found)))["toys"]["ece"] is None


SCORES = {0.1: {"a": 0.9, "b": 0.1, "c": 0.2}, 0.2: {"a": 0.3, "b": 0.5, "c": 0.6}}


def test_a_family_has_no_say_in_its_own_threshold() -> None:
    found = rates.choices(SCORES)
    assert {name: choice.value for name, choice in found.items()} == {"a": 0.2, "b": 0.1, "c": 0.1}
    changed = rates.choices({value: {**own, "a": 1 - own["a"]} for value, own in SCORES.items()})
    assert changed["a"].value == 0.2


def test_the_table_has_every_value_and_the_choice() -> None:
    grid = rates.choice_table(SCORES)
    assert grid.header == ("family", "0.1", "0.2", "chosen", "left out")
    assert grid.rows[0] == ("a", ".900", ".300", "0.2", ".300")
    assert grid.rows[-1] == ("mean", ".400", ".467", "", ".200")
