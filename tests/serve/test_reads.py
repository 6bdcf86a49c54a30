"""What the server tells is what the command line and Python tell."""

from __future__ import annotations

import io
import json
from dataclasses import asdict
from typing import Any

import pytest
from PIL import Image
from starlette.testclient import TestClient

from ilap.core.names import all_readable
from ilap.keep import answers, listing
from ilap.keep.history import history
from ilap.keep.learner import LearnerInFile
from pictures_in_file import BURST, FOX, Kept
from served import is_problem


def plain(value: Any) -> Any:
    return json.loads(json.dumps(all_readable(value)))


def test_questions_are_those_of_the_learner(client: TestClient, opened: LearnerInFile) -> None:
    found = client.get("/api/v1/questions?count=5").json()
    assert found["questions"] == plain([asdict(own) for own in answers.ask(opened, 5)])
    assert found["questions"][0]["about"]["picture_ids"]
    assert found["event"] == len(opened.history())


def test_classes_come_page_by_page_and_a_name_is_text(client: TestClient, opened: LearnerInFile) -> None:
    found, cursor = [], ""
    while cursor is not None:
        answer = client.get(f"/api/v1/classes?limit=2{cursor and f'&cursor={cursor}'}").json()
        assert len(answer["items"]) <= 2
        found += answer["items"]
        cursor = answer["next"]
    assert [row["class_id"] for row in found] == sorted({*opened.classes, *opened.groups})
    assert FOX in [row["name"] for row in found]
    assert all(row["picture_ids"] for row in found)
    assert {row["class_id"] for row in found if row["tentative"]} == set(opened.groups)


@pytest.mark.parametrize("order", ["id", "size", "name"])
def test_every_order_of_classes_tells_each_once(client: TestClient, opened: LearnerInFile, order: str) -> None:
    whole = client.get(f"/api/v1/classes?order={order}").json()["items"]
    first = client.get(f"/api/v1/classes?order={order}&limit=1").json()
    rest = client.get(f"/api/v1/classes?order={order}&cursor={first['next']}").json()
    assert first["items"] + rest["items"] == whole
    assert len(whole) == len(opened.classes) + len(opened.groups)


def test_a_class_has_its_exposures_and_its_health(
    client: TestClient, opened: LearnerInFile, made: Kept
) -> None:
    found = client.get(f"/api/v1/classes/{made.fox}").json()
    assert found["name"] == FOX
    assert [row["exposure"] for row in found["exposures"]] == list(opened.classes[made.fox].exposures)
    assert 0 <= found["health"]["purity"] <= 1
    group = next(iter(opened.groups))
    assert client.get(f"/api/v1/classes/{group}").json()["tentative"]
    assert is_problem(client.get("/api/v1/classes/999"), 404)


@pytest.mark.parametrize("number", ["-1", "x", "1e3", str(2**70), "0x1", "1;DROP TABLE events"])
def test_what_is_no_number_is_refused(client: TestClient, number: str) -> None:
    assert is_problem(client.get(f"/api/v1/classes/{number}"), 422)
    assert is_problem(client.get(f"/api/v1/pictures/{number}/full"), 422)


def test_exposures_are_those_of_ilap_list(client: TestClient, opened: LearnerInFile) -> None:
    for words, wanted in (
        ("", listing.Wanted()),
        ("unsure=true", listing.Wanted(unsure=True)),
        ("by=person", listing.Wanted(by="person")),
        ("weakest=true&below=1", listing.Wanted(weakest=True, below=1)),
    ):
        found = client.get(f"/api/v1/exposures?{words}").json()
        assert found["items"] == plain([asdict(row) for row in listing.list_exposures(opened, wanted)]), words
        assert found["next"] is None


def test_a_cursor_of_something_else_is_refused(client: TestClient) -> None:
    by_name = client.get("/api/v1/classes?order=name&limit=1").json()["next"]
    for cursor in ("x", "W10x", by_name, "bnVsbA"):
        assert is_problem(client.get(f"/api/v1/exposures?cursor={cursor}"), 404), cursor


def test_an_exposure_names_its_pictures(client: TestClient, made: Kept) -> None:
    found = client.get(f"/api/v1/exposures/{made.exposures[BURST]}").json()
    assert len(found["pictures"]) == 30
    assert len(found["typical"]) == 8
    assert found["pictures"][1]["file"] == "01 and, a comma.png"
    assert is_problem(client.get("/api/v1/exposures/999"), 404)


def test_pictures_are_told_by_id_and_never_change(client: TestClient, made: Kept) -> None:
    number = client.get(f"/api/v1/exposures/{made.exposures[BURST]}").json()["pictures"][0]["picture_id"]
    for kind in ("thumb", "full"):
        answer = client.get(f"/api/v1/pictures/{number}/{kind}")
        assert answer.headers["Content-Type"] == "image/jpeg"
        assert "immutable" in answer.headers["Cache-Control"]
        assert Image.open(io.BytesIO(answer.content)).size == (8, 8)
        again = client.get(
            f"/api/v1/pictures/{number}/{kind}", headers={"If-None-Match": answer.headers["ETag"]}
        )
        assert (again.status_code, again.content) == (304, b"")
    assert is_problem(client.get("/api/v1/pictures/99999/thumb"), 404)


def test_a_picture_whose_file_is_another_now_is_not_told(person: TestClient, kept: Kept) -> None:
    """A file may be replaced by one that nobody wanted to show."""
    number = kept.exposures["burst 10"]
    own = person.get(f"/api/v1/exposures/{number}").json()["pictures"][0]
    (file,) = (kept.source / "cam0" / "burst 10").glob("00*.png")
    Image.new("RGB", (50, 50), "red").save(file)
    assert is_problem(person.get(f"/api/v1/pictures/{own['picture_id']}/full"), 404)
    file.unlink()
    assert is_problem(person.get(f"/api/v1/pictures/{own['picture_id']}/full"), 404)


def test_what_never_was_a_file_has_only_small_copies(client: TestClient, made: Kept) -> None:
    found = client.get(f"/api/v1/exposures/{made.exposures['array']}").json()
    assert client.get(f"/api/v1/pictures/{found['typical'][0]}/thumb").status_code == 200
    assert is_problem(client.get(f"/api/v1/pictures/{found['typical'][0]}/full"), 404)


def test_history_is_the_log_forth_and_back(client: TestClient, opened: LearnerInFile) -> None:
    with opened.snapshot() as connection:
        log = plain([asdict(event) for event in history(connection)])
    assert client.get("/api/v1/history").json()["items"] == log
    back = client.get("/api/v1/history?newest=true&limit=3").json()
    assert back["items"] == log[::-1][:3]
    then = client.get(f"/api/v1/history?newest=true&limit=500&cursor={back['next']}").json()
    assert then["items"] == log[::-1][3:]


def test_the_api_describes_itself(client: TestClient) -> None:
    described = client.get("/api/v1/openapi.json").json()
    assert {"/api/v1/status", "/api/v1/questions", "/health"} <= set(described["paths"])
    assert "QuestionView" in described["components"]["schemas"]
