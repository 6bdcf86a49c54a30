"""New bursts are taken in while the server answers, only from where it may; nothing is lost or taken twice."""

from __future__ import annotations

import json
import signal
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from starlette.testclient import TestClient

from commands import ilap
from digit_folders import burst
from ilap.checks.digits import Pixels
from ilap.data.contract import Dataset
from ilap.keep import learn
from ilap.keep.learner import LearnerInFile
from ilap.keep.store.check import problems
from ilap.serve import learning
from ilap.serve.access import Keys
from ilap.serve.app import guarded
from ilap.serve.service import Service
from ilap.sources.bursts import Cutting, cut
from keyboard import HEADERS, api, in_browser
from pictures_in_file import Kept
from served import ADDRESS, TOKEN, Running, is_problem

if TYPE_CHECKING:
    from playwright.sync_api import Page

LEARN = "/api/v1/learn"
JSON = {"Content-Type": "application/json"}
LABELS = (5, 6, 5, 7, 6, 7)
MANY = tuple(label for label in range(10) for _ in range(4))
SIZE = 10


def bursts(root: Path, digits: Dataset, labels: Sequence[int] = LABELS) -> Path:
    """Bursts of digits that the learner has not seen."""
    for number, label in enumerate(labels):
        first = 60 + SIZE * labels[:number].count(label)
        burst(root / f"new {number}", digits, label, first, SIZE)
    return root


@pytest.fixture
def fresh(kept: Kept, digits: Dataset) -> Path:
    """A folder with new bursts, in one that the learner knows."""
    return bursts(kept.source / "cam0" / "june", digits)


def until_idle(client: TestClient | httpx.Client, seconds: float = 60) -> dict[str, Any]:
    """How it ended."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        found: dict[str, Any] = client.get(LEARN).json()
        if found["state"] == "idle" and not found["waiting"]:
            return found
        time.sleep(0.02)
    raise AssertionError(found)


def paths_of(learner: LearnerInFile) -> list[str]:
    """Of all pictures that were learned."""
    asked = "SELECT path FROM pictures WHERE path IS NOT NULL"
    return [path for (path,) in learner.file.connection.execute(asked)]


def test_a_folder_is_learned_as_ilap_learn_would(
    person: TestClient, learner: LearnerInFile, kept: Kept, fresh: Path, tmp_path: Path
) -> None:
    with LearnerInFile(kept.copied(tmp_path / "twin").file, backbone=Pixels()) as twin:
        for outcome in learn.learn(twin, cut(fresh, Cutting(), print)):
            assert outcome.decision
        learn.look_again(twin)
        begun = person.post(LEARN, json={"folder": str(fresh)})
        assert begun.status_code == 202
        assert begun.json()["state"] in ("looking", "learning")
        assert begun.json()["roots"] == [str(kept.source / camera) for camera in ("cam0", "cam1")]
        ended = until_idle(person)
        assert ended["said"].startswith(f"6 exposures learned from {fresh}: ")
        assert (ended["bursts"], ended["of_bursts"], ended["pictures"], ended["total"]) == (6, 6, 60, 60)
        assert not ended["failed"]
        assert learner.places == twin.places
        assert learner.state.members == twin.state.members
    again = person.post(LEARN, json={"folder": str(fresh)})
    assert again.status_code == 202
    assert until_idle(person)["said"] == f"There is nothing new in {fresh}."
    assert list(problems(learner.file.connection)) == []


def test_only_folders_that_the_learner_knows_are_learned_from(
    person: TestClient, learner: LearnerInFile, kept: Kept, tmp_path: Path, digits: Dataset
) -> None:
    outside = bursts(tmp_path / "outside", digits)
    (kept.source / "cam0" / "away").symlink_to(outside)
    before = learner.places
    for folder in (
        str(outside),
        str(kept.source / "cam0" / "away"),
        f"{kept.source}/cam0/../../../outside",
        f"{kept.source}/cam00",
        str(kept.source),
        "june",
        ".",
        "/",
        "/etc",
        "/etc\0",
        "~",
        "file:///etc",
    ):
        refused = person.post(LEARN, content=json.dumps({"folder": folder}), headers=JSON)
        assert is_problem(refused, 403), refused.text
        assert "--root" in refused.json()["detail"]
    assert is_problem(person.post(LEARN, json={"folder": f"{kept.source}/cam0/nothing"}), 404)
    assert is_problem(person.post(LEARN, json={"folder": str(kept.source), "by_time": "a while"}), 422)
    assert is_problem(person.post(LEARN, json={"folder": str(kept.source), "by_time": "9" * 20}), 422)
    assert is_problem(person.post(LEARN, json={"folder": ""}), 422)
    assert person.get(LEARN).json()["state"] == "idle"
    assert learner.places == before


def test_a_root_allows_what_is_in_it_and_nothing_else(
    learner: LearnerInFile, kept: Kept, fresh: Path, tmp_path: Path, digits: Dataset
) -> None:
    root = bursts(tmp_path / "root", digits)
    (root / "new 0" / "link.png").symlink_to(next(fresh.rglob("*.png")))
    service = Service(learner, roots=[root])
    headers = {"Authorization": f"Bearer {TOKEN}"}
    with TestClient(guarded(service, Keys(TOKEN)), base_url=ADDRESS, headers=headers) as client:
        assert is_problem(client.post(LEARN, json={"folder": str(fresh)}), 403)
        assert client.post(LEARN, json={"folder": str(root)}).status_code == 202
        ended = until_idle(client)
        assert ended["notes"] == ["1 link to elsewhere was passed over: allow its folder by --root"]
        assert ended["pictures"] == len(LABELS) * SIZE
        assert not any("june" in path or "link" in path for path in paths_of(learner))


def test_a_server_that_only_reads_learns_nothing(kept: Kept, fresh: Path) -> None:
    with LearnerInFile(kept.file, backbone=Pixels(), writable=False) as learner:
        app = guarded(Service(learner, read_only=True), Keys(TOKEN))
        with TestClient(app, base_url=ADDRESS, headers={"Authorization": f"Bearer {TOKEN}"}) as client:
            assert is_problem(client.post(LEARN, json={"folder": str(fresh)}), 403)


def test_it_is_stopped_and_goes_on_with_the_same_request(
    person: TestClient, learner: LearnerInFile, fresh: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken: list[Any] = []

    def take(*words: Any, **more: Any) -> Any:
        taken.append(learn.take(*words, **more))
        if len(taken) == 2:
            assert person.delete(LEARN).json()["state"] == "stopping"
        return taken[-1]

    monkeypatch.setattr(learning, "take", take)
    seen = learner.state.seen
    person.post(LEARN, json={"folder": str(fresh)})
    assert until_idle(person)["said"] == f"Stopped after 2 of 6 bursts of {fresh}: the same request goes on."
    assert learner.state.seen == seen + 2
    person.post(LEARN, json={"folder": str(fresh)})
    assert until_idle(person)["said"].startswith(f"4 exposures learned from {fresh}")
    assert learner.state.seen == seen + 6
    paths = paths_of(learner)
    assert len(set(paths)) == len(paths)
    assert person.delete(LEARN).json()["said"] == "Nothing is being learned."


def test_people_answer_while_it_learns(
    person: TestClient, learner: LearnerInFile, kept: Kept, digits: Dataset
) -> None:
    number, fox = kept.exposures["single"], kept.fox
    person.post(LEARN, json={"folder": str(bursts(kept.source / "cam0" / "july", digits, MANY))})
    while not person.get(LEARN).json()["bursts"]:
        time.sleep(0.01)
    moved = person.post("/api/v1/move", json={"exposure": number, "to": fox})
    assert moved.status_code == 200, moved.text
    assert person.get(LEARN).json()["state"] == "learning"
    assert person.get("/api/v1/questions").json()["questions"]
    ended = until_idle(person)
    assert ended["bursts"] == len(MANY)
    assert learner.place_of(number) == fox
    undone = person.post("/api/v1/undo", json={"event": moved.json()["event"]})
    assert undone.status_code == 200
    assert list(problems(learner.file.connection)) == []


def test_what_cannot_be_read_is_told_and_an_error_ends_it(
    person: TestClient, learner: LearnerInFile, kept: Kept, fresh: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (fresh / "new 1" / "bad.png").write_bytes(b"no picture")
    person.post(LEARN, json={"folder": str(fresh)})
    (note,) = until_idle(person)["notes"]
    assert "bad.png cannot be read as a picture" in note
    monkeypatch.setattr(learning, "take", lambda learner, loaded, known: 1 / 0)
    person.post(LEARN, json={"folder": str(fresh)})
    ended = until_idle(person)
    assert ended["failed"]
    assert "defect" in ended["said"]
    monkeypatch.undo()
    person.post(LEARN, json={"folder": str(fresh)})
    assert not until_idle(person)["failed"]


def test_options_that_do_not_fit_are_told_and_no_file_is_made(tmp_path: Path) -> None:
    file = tmp_path / "new.ilap"
    words = ("serve", str(file), "--no-open", "--port", "0")
    assert "There is no folder" in ilap(*words, "--watch", str(tmp_path / "none")).stderr
    assert "There is no folder" in ilap(*words, "--root", str(tmp_path / "none")).stderr
    assert "not both" in ilap(*words, "--watch", str(tmp_path), "--read-only").stderr
    assert "not both" in ilap(*words, "--watch", str(tmp_path), "--by-time", "5m", "--by-name", "a").stderr
    assert list(tmp_path.iterdir()) == []


def listened(running: Running, until: Callable[[dict[str, Any]], bool]) -> list[dict[str, str]]:
    """Server-Sent Events until one of progress that is wanted, as their fields."""
    found: list[dict[str, str]] = []
    url = f"{running.root}/api/v1/events?after=0"
    with httpx.stream("GET", url, headers=HEADERS, timeout=60) as answer:
        fields: dict[str, str] = {}
        for line in answer.iter_lines():
            name, _, value = line.partition(": ")
            if line and name:
                fields[name] = value
            elif fields:
                found.append(fields)
                if fields["event"] == "progress" and until(json.loads(fields["data"])):
                    return found
                fields = {}
    raise AssertionError(found)


def ended(progress: dict[str, Any]) -> bool:
    return progress["state"] == "idle" and bool(progress["said"])


def test_bursts_of_a_watched_folder_are_learned_and_told_as_they_come(
    start: Callable[..., Running], tmp_path: Path, digits: Dataset
) -> None:
    watched = bursts(tmp_path / "watched", digits, MANY)
    running = start(tmp_path / "new.ilap", watch=[watched])
    events = listened(running, ended)
    numbers = [int(event["id"]) for event in events if event["event"] == "change"]
    assert numbers == sorted(set(numbers))
    told = [json.loads(event["data"]) for event in events if event["event"] == "progress"]
    assert all("id" not in event for event in events if event["event"] == "progress")
    assert told[-1]["watching"] == [str(watched)]
    assert [one["pictures"] for one in told] == sorted(one["pictures"] for one in told)
    assert any(one["seconds_left"] for one in told)
    assert api(running, "status")["exposures"] == len(MANY)
    burst(watched / "later", digits, 8, 0, SIZE)
    listened(running, lambda one: one["said"].startswith("1 exposure learned"))
    assert api(running, "status")["exposures"] == len(MANY) + 1
    with httpx.Client(base_url=running.root, headers=HEADERS) as client:
        assert client.delete(LEARN).json()["watching"] == []
        burst(watched / "unseen", digits, 8, SIZE, SIZE)
        time.sleep(2.5)
        assert api(running, "status")["exposures"] == len(MANY) + 1
        client.post(LEARN, json={"folder": str(watched)})
        until_idle(client)
    assert api(running, "status")["exposures"] == len(MANY) + 2


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_whatever_ends_it_the_file_holds_whole_exposures_and_it_goes_on(
    start: Callable[..., Running], tmp_path: Path, digits: Dataset, how: signal.Signals
) -> None:
    watched, file = bursts(tmp_path / "watched", digits, MANY), tmp_path / "new.ilap"
    running = start(file, watch=[watched])
    listened(running, lambda one: one["bursts"] >= 2)
    running.process.send_signal(how)
    running.process.wait(30)
    assert ilap("check", str(file)).returncode == 0
    with LearnerInFile(file, backbone=Pixels(), create=False) as learner:
        assert 2 <= learner.state.seen < len(MANY)
        assert len(paths_of(learner)) == learner.state.seen * SIZE
    listened(start(file, watch=[watched]), ended)
    with LearnerInFile(file, backbone=Pixels(), writable=False) as learner:
        assert learner.state.seen == len(MANY)
        assert len(set(paths_of(learner))) == len(MANY) * SIZE


@in_browser
def test_the_page_begins_it_and_shows_what_is_new_without_a_reload(
    kept: Kept, fresh: Path, start: Callable[..., Running], window: Callable[[str], Page]
) -> None:
    from playwright.sync_api import expect

    running = start(kept.file)
    page = window(running.address)
    page.keyboard.press("i")
    expect(page.locator(".identity")).not_to_have_count(0)
    before = page.locator(".identity").count()
    page.keyboard.press("l")
    page.locator("#folder").fill("/etc")
    page.keyboard.press("Enter")
    expect(page.locator("#learn-said")).to_contain_text("This server learns only from folders in")
    page.locator("#folder").fill(str(fresh))
    page.keyboard.press("Enter")
    expect(page.locator("#learned")).to_be_visible()
    expect(page.locator("#learned-said")).to_contain_text("6 exposures learned", timeout=60_000)
    expect(page.locator("#learned")).not_to_be_visible()
    expect(page.locator(".identity")).not_to_have_count(before)
    assert page.locator(".identity").count() == len(api(running, "classes?limit=500")["items"])
    page.locator("#learned-close").click()
    expect(page.locator("#learning")).not_to_be_visible()
