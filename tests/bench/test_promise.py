from __future__ import annotations

import json
from typing import Any

import pytest

from ilap.bench import promise
from ilap.core.metrics import wilson


def row(exposures: int = 10, **figures: Any) -> dict[str, Any]:
    """A stream of which all is sure and right."""
    plain = {"asked": 0, "sure": 1.0, "sure_at_end": 1.0, "wrong_of_sure": 0.0, "sure_answers": exposures}
    return {"exposures": exposures, **plain, "ari": 1.0, "log_loss": None, "ece": None, **figures}


def test_streams_weigh_the_same_whatever_their_length() -> None:
    found = promise.figures([[row(1000), row(10, wrong_of_sure=0.4, ari=0.0)]])
    assert found["wrong_of_sure"].value == pytest.approx(0.2)
    assert found["wrong_of_sure"].count == 1010
    assert found["ari"] == 0.5
    assert (found["streams"], found["exposures"]) == (2, 1010)


def test_families_weigh_the_same_whatever_the_number_of_their_streams() -> None:
    found = promise.over_all({"many": [row()] * 9, "one": [row(wrong_of_sure=0.5)]})
    assert found["pool"]["wrong_of_sure"].value == pytest.approx(0.25)
    assert list(found) == ["many", "one", "pool"]


def test_of_equal_streams_the_interval_is_that_of_all_their_exposures() -> None:
    found = promise.rate([[row(40, sure=0.75), row(60, sure=0.75)]], "sure")
    assert found is not None
    assert found.effective <= 100
    even = promise.rate([[row(50, sure=0.5), row(50, sure=1.0)]], "sure")
    assert even is not None
    assert even.effective == pytest.approx(100)
    assert even.plain() == {"value": 0.75, "n": 100, "interval": pytest.approx(wilson(0.75, 100))}


def test_a_stream_without_a_figure_is_left_out_of_it_and_so_is_what_a_person_answered() -> None:
    nothing = row(20, asked=20, sure=None, sure_at_end=None, wrong_of_sure=None, sure_answers=0)
    found = promise.figures([[nothing, row(10, asked=4, sure=0.5)]])
    assert (found["sure"].value, found["sure"].count) == (0.5, 6)
    assert found["asked"] == 24
    assert promise.figures([[nothing]])["sure"] is None


def test_the_table_and_the_json_say_what_there_is_not() -> None:
    found = promise.over_all({"toys": [row(100, wrong_of_sure=0.05)]})
    line = dict(zip(promise.table(found).header, promise.table(found).rows[0], strict=True))
    assert line["family"] == "toys"
    assert line["wrong of sure"] == ".050 [.022, .112] n 100"
    assert (line["ari"], line["log loss"]) == ("1.000", "-")
    assert json.loads(json.dumps(promise.plain(found)))["toys"]["ece"] is None
