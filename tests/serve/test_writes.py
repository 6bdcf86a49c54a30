"""What is said by the API does what it does by Python, whoever says it; and what is wrong changes nothing."""

from __future__ import annotations

import io
import json
import signal
import struct
import threading
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from PIL import Image
from starlette.testclient import TestClient

from commands import ilap
from ilap.checks.digits import Exposures, Pixels
from ilap.keep import answers
from ilap.keep.learner import LearnerInFile
from ilap.keep.store.check import problems
from ilap.serve.access import MOST_UPLOADED
from pictures_in_file import Kept
from served import TOKEN, Running, is_problem

HEADERS = {"Authorization": f"Bearer {TOKEN}"}
XSS = "<img src=x onerror=alert(1)>\"'&</script>"
SQL = "Robert'); DROP TABLE events;--"


def state_of(learner: LearnerInFile) -> tuple[Any, ...]:
    """Where everything is, what it is called, and by whose word."""
    return learner.state.members, learner.state.tentative, learner.names, sorted(learner.exact.fixed)


def said(client: TestClient, path: str, **body: Any) -> dict[str, Any]:
    answer = client.post(f"/api/v1/{path}", json=body)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


@pytest.fixture
def twin(kept: Kept, tmp_path: Path) -> Iterator[LearnerInFile]:
    """The same learner, for Python."""
    copy = kept.copied(tmp_path / "twin")
    with LearnerInFile(copy.file, backbone=Pixels(), create=False) as opened:
        yield opened


def test_answers_undo_and_redo_do_what_they_do_in_python(
    person: TestClient, learner: LearnerInFile, twin: LearnerInFile
) -> None:
    before = state_of(learner)
    after = [before]
    for _ in range(3):
        question = person.get("/api/v1/questions?count=1").json()["questions"][0]
        key = "same" if question["kind"] == "same" else "1"
        done = said(person, "answers", question=question["question"], key=key)
        assert done["said"] == answers.answer(twin, question["question"], key).said
        assert state_of(learner) == state_of(twin)
        assert learner.ask(10) == twin.ask(10)
        after.append(state_of(learner))
    for earlier in after[-2::-1]:
        assert said(person, "undo")["undone"] == twin.undo()
        assert state_of(learner) == earlier
        assert learner.ask(10) == twin.ask(10)
    for later in after[1:]:
        assert said(person, "redo")["redone"] == twin.redo()
        assert state_of(learner) == later
        assert learner.ask(10) == twin.ask(10)
    assert is_problem(person.post("/api/v1/redo", json={}), 409)
    said(person, "undo")
    assert state_of(learner) == after[-2]
    twin.undo()
    assert state_of(learner) == state_of(twin)
    assert list(problems(learner.file.connection)) == []


def test_after_another_word_there_is_nothing_to_redo(person: TestClient, kept: Kept) -> None:
    said(person, "undo")
    said(person, "move", exposure=kept.exposures["single"], to="new")
    assert is_problem(person.post("/api/v1/redo", json={}), 409)


def test_an_undo_with_what_depends_on_it_is_redone_as_one(
    person: TestClient, learner: LearnerInFile, kept: Kept
) -> None:
    number = kept.exposures["single"]
    first = said(person, "move", exposure=number, to=kept.fox)["event"]
    said(person, "move", exposure=number, to="new")
    moved = state_of(learner)
    assert is_problem(person.post("/api/v1/undo", json={"event": first}), 409)
    assert len(said(person, "undo", event=first, with_later=True)["undone"]) == 2
    assert state_of(learner) != moved
    assert len(said(person, "redo")["redone"]) == 2
    assert state_of(learner) == moved


def test_every_correction_of_the_command_line_is_there(
    person: TestClient, learner: LearnerInFile, kept: Kept
) -> None:
    one, other = (learner.place_of(kept.exposures[name]) for name in ("burst 10", "burst 20"))
    assert said(person, "merge", into=one, other=other)["class_id"] == one
    assert other not in learner.classes
    parted = said(person, "split", exposures=[kept.exposures["burst 20"]], name="two")
    assert learner.name_of(parted["class_id"]) == "two"
    said(person, "discard", exposures=[kept.exposures["single"]])
    assert learner.place_of(kept.exposures["single"]) == -2
    back = said(person, "move", exposure=kept.exposures["single"], to=kept.fox)
    assert back["class_id"] == kept.fox
    said(person, "undo"), said(person, "undo")
    (group,) = learner.groups
    assert said(person, "confirm", class_id=group)["class_id"] == group
    assert group in learner.classes


@pytest.mark.parametrize("name", [XSS, SQL, "../../etc/passwd", "x' OR '1'='1"])
def test_a_name_is_text_whatever_it_says(
    person: TestClient, learner: LearnerInFile, kept: Kept, name: str
) -> None:
    log = len(learner.history())
    answer = person.patch(f"/api/v1/classes/{kept.fox}", json={"name": name})
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == "application/json"
    assert person.get(f"/api/v1/classes/{kept.fox}").json()["name"] == name
    assert len(learner.history()) == log + 1
    assert name in person.get("/api/v1/history?newest=true&limit=1").json()["items"][0]["said"]


def test_what_does_not_fit_changes_nothing(person: TestClient, learner: LearnerInFile, kept: Kept) -> None:
    before, log = state_of(learner), len(learner.history())
    for path, body, status in (
        ("answers", {"question": "0=999", "key": "same"}, 409),
        ("answers", {"question": "'; DROP TABLE events", "key": "same"}, 409),
        ("answers", {"question": "0=1", "key": "perhaps"}, 409),
        ("answers", {"question": "0=1"}, 422),
        ("answers", {"question": "0=1", "key": "same", "more": 1}, 422),
        ("merge", {"into": kept.fox, "other": kept.fox}, 409),
        ("merge", {"into": False, "other": True}, 422),
        ("merge", {"into": "0", "other": 1}, 422),
        ("move", {"exposure": 0, "to": 10**20}, 422),
        ("move", {"exposure": 10**6, "to": "new"}, 409),
        ("split", {"exposures": []}, 422),
        ("split", {"exposures": [0] * 1001}, 422),
        ("discard", {"exposures": [-1]}, 422),
        ("undo", {"event": 10**6}, 409),
        ("audit", {"answers": [{"exposure": 0, "verdict": "maybe"}]}, 422),
        ("confirm", {"class_id": 10**6}, 409),
    ):
        assert is_problem(person.post(f"/api/v1/{path}", json=body), status), (path, body)
    assert is_problem(person.patch(f"/api/v1/classes/{kept.fox}", json={"name": "new"}), 409)
    assert is_problem(person.patch(f"/api/v1/classes/{kept.fox}", json={"name": "x" * 501}), 422)
    assert is_problem(person.post("/api/v1/answers", content=b"{"), 422)
    assert (state_of(learner), len(learner.history())) == (before, log)


def test_a_number_may_be_written_as_a_fraction_that_is_whole(person: TestClient, kept: Kept) -> None:
    moved = person.post("/api/v1/move", json={"exposure": float(kept.exposures["single"]), "to": "new"})
    assert moved.json()["exposures"] == [kept.exposures["single"]]
    assert is_problem(person.post("/api/v1/move", json={"exposure": 0.5, "to": "new"}), 422)


def test_what_does_not_fit_is_named(person: TestClient) -> None:
    refused = person.post("/api/v1/move", json={"exposure": [0, 1], "to": -1})
    assert is_problem(refused, 422)
    assert refused.json()["detail"].startswith("to: Input should be greater than or equal to 0.")


def test_an_audit_is_drawn_and_answered(person: TestClient, learner: LearnerInFile) -> None:
    drawn = said(person, "audit", number=3)
    assert len(drawn["sample"]) == 3
    assert drawn["sample"][0]["about"]["picture_ids"]
    number = drawn["sample"][0]["about"]["exposure"]
    judged = said(person, "audit", answers=[{"exposure": number, "verdict": "right"}])
    assert judged["right"] == 1
    assert number in learner.exact.fixed


def test_a_picture_is_named_and_nothing_is_learned(
    person: TestClient, learner: LearnerInFile, kept: Kept
) -> None:
    log = len(learner.history())
    (file,) = (kept.source / "cam1" / "burst 01").glob("03*.png")
    found = person.post("/api/v1/identify", content=file.read_bytes()).json()
    assert found["likeliest"] == learner.name_of(kept.fox)
    assert found["picture"] == "upload"
    assert len(learner.history()) == log


def bomb() -> bytes:
    """A PNG of a few bytes that says that it has 60,000 x 60,000 pixels."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", 60_000, 60_000, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(bytes(1000)))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"no picture",
        b"<svg onload='alert(1)'/>",
        b"%!PS-Adobe-3.0 EPSF-3.0\n(%pipe%id)",
        b"GIF89a" + bytes(9),
        bomb(),
    ],
    ids=["empty", "text", "svg", "postscript", "cut", "bomb"],
)
def test_what_is_no_picture_is_refused(client: TestClient, data: bytes) -> None:
    assert is_problem(client.post("/api/v1/identify", content=data), 422)


def test_a_picture_that_is_too_large_is_refused_also_where_its_size_is_not_told(client: TestClient) -> None:
    assert is_problem(client.post("/api/v1/identify", content=bytes(MOST_UPLOADED + 1)), 413)
    parts = (bytes(1 << 20) for _ in range((MOST_UPLOADED >> 20) + 1))
    assert is_problem(client.post("/api/v1/identify", content=parts), 413)
    assert client.get("/api/v1/status").status_code == 200


def test_a_server_that_only_reads_refuses_to_write(kept: Kept) -> None:
    from ilap.serve.access import Keys
    from ilap.serve.app import guarded
    from ilap.serve.service import Service
    from served import ADDRESS

    with LearnerInFile(kept.file, backbone=Pixels(), writable=False) as opened:
        app = guarded(Service(opened, read_only=True), Keys(TOKEN))
        with TestClient(app, base_url=ADDRESS, headers=HEADERS) as client:
            assert client.get("/api/v1/status").json()["read_only"]
            assert is_problem(client.post("/api/v1/undo", json={}), 403)
            events = client.get("/api/v1/status").json()["event"]
            with LearnerInFile(kept.file, backbone=Pixels(), create=False) as writer:
                writer.rename(kept.fox, "seen at once")
            assert client.get(f"/api/v1/classes/{kept.fox}").json()["name"] == "seen at once"
            assert client.get("/api/v1/status").json()["event"] == events + 1


def test_what_is_read_while_it_learns_is_of_one_moment(
    person: TestClient, learner: LearnerInFile, exposures: Exposures
) -> None:
    """The service is asked by several while exposures come in on its own thread."""
    service = person.app.app.state.service  # type: ignore[attr-defined]
    before, failed = len(learner.history()), list[str]()

    def ask() -> None:
        for _ in range(6):
            status = person.get("/api/v1/status").json()
            listed = person.get("/api/v1/exposures?limit=500").json()["items"]
            if not status["sure"] + status["tentative"] <= len(listed):
                failed.append(str((status, len(listed))))

    askers = [threading.Thread(target=ask) for _ in range(3)]
    for asker in askers:
        asker.start()
    for place in range(2):
        service._turn.submit(learner.observe, exposures[5 + place][0]).result()
    for asker in askers:
        asker.join()
    assert not failed
    assert len(learner.history()) >= before + 2
    assert person.get("/api/v1/status").json()["exposures"] == 11


def listen(root: str, headers: dict[str, str], count: int) -> list[tuple[int, dict[str, Any]]]:
    """The next events of a server."""
    found: list[tuple[int, dict[str, Any]]] = []
    number = 0
    with httpx.stream("GET", f"{root}/api/v1/events", headers={**HEADERS, **headers}, timeout=30) as answer:
        for line in answer.iter_lines():
            if line.startswith("id: "):
                number = int(line[4:])
            if line.startswith("data: "):
                found.append((number, json.loads(line[6:])))
                if len(found) == count:
                    break
    return found


def test_killed_in_the_middle_no_answered_question_is_lost_and_whoever_was_away_hears_of_all(
    kept: Kept, start: Callable[[Path], Running]
) -> None:
    running = start(kept.file)
    told: list[int] = []
    with httpx.Client(base_url=running.root, headers=HEADERS, timeout=60) as client:
        first = client.get("/api/v1/status").json()["event"]
        for name in ("a", "b", "c"):
            done = client.patch(f"/api/v1/classes/{kept.fox}", json={"name": name}).json()
            told.append(done["event"])
        question = client.get("/api/v1/questions?count=1").json()["questions"][0]
        key = "same" if question["kind"] == "same" else "1"
        done = client.post("/api/v1/answers", json={"question": question["question"], "key": key}).json()
        told.append(done["event"])
    heard = listen(running.root, {"Last-Event-ID": str(first)}, len(told))
    assert [number for number, _ in heard] == told
    assert [event["kind"] for _, event in heard] == ["rename"] * 3 + ["answer"]
    running.process.send_signal(signal.SIGKILL)
    running.process.wait()
    assert ilap("check", str(kept.file)).returncode == 0
    again = start(kept.file)
    log = httpx.get(f"{again.root}/api/v1/history?after={first}", headers=HEADERS).json()["items"]
    assert [row["event"] for row in log][: len(told)] == told
    assert not any(row["undone"] for row in log)


def test_connections_that_ask_for_nothing_do_not_stop_it(kept: Kept, start: Callable[[Path], Running]) -> None:
    import resource
    import socket

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(max(soft, 4096), hard), hard))
    running = start(kept.file)
    port = int(running.root.rpartition(":")[2])
    silent = [socket.create_connection(("127.0.0.1", port)) for _ in range(1000)]
    assert httpx.get(f"{running.root}/health").json() == {"status": "ok"}
    assert httpx.get(f"{running.root}/api/v1/status", headers=HEADERS).status_code == 200
    for one in silent:
        one.close()
    assert httpx.get(f"{running.root}/api/v1/status", headers=HEADERS).status_code == 200


def test_a_picture_of_another_format_than_its_name_is_what_it_is(client: TestClient) -> None:
    buffer = io.BytesIO()
    Image.new("L", (8, 8), 200).save(buffer, "BMP")
    polyglot = buffer.getvalue() + b"<script>alert(1)</script>"
    answer = client.post("/api/v1/identify", content=polyglot, headers={"Content-Type": "text/html"})
    assert answer.headers["Content-Type"] == "application/json"
    assert "script" not in answer.text
