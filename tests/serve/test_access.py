"""Nobody is answered without a key, by another name, or from another page; and browsers are told to be
careful."""

from __future__ import annotations

import signal
import socket
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from starlette.testclient import TestClient

from commands import ilap
from ilap.core.errors import BadSetting
from ilap.keep.learner import LearnerInFile
from ilap.serve.access import LOOPBACK, MOST_BYTES, Guard, Keys
from ilap.serve.server import listen, names_of, token_of
from pictures_in_file import Kept
from served import ADDRESS, TOKEN, Running, is_problem

STATUS = "/api/v1/status"


def test_nothing_but_health_is_told_without_a_token(stranger: TestClient) -> None:
    assert stranger.get("/health").json() == {"status": "ok"}
    for path in ("/", STATUS, "/api/v1/openapi.json", "/static/index.html", "/nowhere"):
        answer = stranger.get(path)
        assert is_problem(answer, 401), path
        assert answer.headers["WWW-Authenticate"] == "Bearer"


@pytest.mark.parametrize("header", ["", "Bearer", "Bearer wrong", f"Basic {TOKEN}", f"Bearer {TOKEN}x", "ü"])
def test_another_token_is_refused(stranger: TestClient, header: str) -> None:
    assert is_problem(stranger.get(STATUS, headers={"Authorization": header.encode()}), 401)


def test_where_no_token_was_set_none_is_taken() -> None:
    keys = Keys()
    assert not keys.opened_by_token("Bearer ")
    assert not keys.opened_by_token("Bearer None")
    assert not keys.opened_by_cookie("")


def test_a_script_with_the_token_is_answered(client: TestClient, opened: LearnerInFile) -> None:
    found = client.get(STATUS).json()
    assert found["learner"] == opened.path
    assert found["exposures"] == 9
    assert not found["read_only"]


def test_the_token_of_the_address_is_used_once_and_becomes_a_cookie(stranger: TestClient, keys: Keys) -> None:
    token = keys.once()
    answer = stranger.get(f"/?token={token}", follow_redirects=False)
    assert (answer.status_code, answer.headers["Location"]) == (303, "/")
    cookie = answer.headers["Set-Cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert token not in cookie
    assert stranger.get(STATUS).status_code == 200
    stranger.cookies.clear()
    assert is_problem(stranger.get(f"/?token={token}"), 401)
    assert is_problem(stranger.get(STATUS), 401)


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8420", "127.0.0.1.evil.example", "", "[", "10.0.0.7"]
)
def test_a_name_that_leads_here_is_not_enough(client: TestClient, host: str) -> None:
    assert is_problem(client.get(STATUS, headers={"Host": host}), 400)
    assert is_problem(client.get("/health", headers={"Host": host}), 400)


def test_a_server_for_other_machines_is_asked_by_numbers_and_its_own_names() -> None:
    guard = Guard(lambda *_: None, Keys(), names_of("0.0.0.0"), "ilap")  # type: ignore[arg-type, return-value]
    assert guard.is_name("10.0.0.7:8420")
    assert guard.is_name("[fe80::1]:8420")
    assert guard.is_name(f"{socket.gethostname()}:8420")
    assert not guard.is_name("evil.example:8420")
    assert names_of("127.0.0.1") == LOOPBACK


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:9", "file://", "http://["])
def test_a_page_of_another_server_is_refused(client: TestClient, origin: str) -> None:
    assert is_problem(client.get(STATUS, headers={"Origin": origin}), 403)


def test_a_page_of_this_server_is_answered(client: TestClient) -> None:
    assert client.get(STATUS, headers={"Origin": ADDRESS}).status_code == 200


def test_beside_a_cookie_whatever_changes_something_needs_its_origin(stranger: TestClient, keys: Keys) -> None:
    stranger.get(f"/?token={keys.once()}")
    assert is_problem(stranger.post("/api/v1/undo", json={}), 403)


def test_browsers_are_told_to_be_careful(stranger: TestClient, client: TestClient) -> None:
    for answer in (stranger.get("/health"), client.get("/"), client.get(STATUS), client.get("/nowhere")):
        policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "http" not in policy
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Referrer-Policy"] == "no-referrer"
        assert "Access-Control-Allow-Origin" not in answer.headers


@pytest.mark.parametrize(
    "path",
    [
        "/static/../app.py",
        "/static/%2e%2e/app.py",
        "/static/..%2fapp.py",
        "/static//etc/passwd",
        "/../../etc/passwd",
    ],
)
def test_no_path_leads_out_of_the_page(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert is_problem(answer, 404)
    assert "import" not in answer.text.replace("important", "")


def test_a_request_that_is_too_large_is_refused_before_it_is_read(client: TestClient) -> None:
    assert is_problem(client.post("/api/v1/answers", content=b"x" * (MOST_BYTES + 1)), 413)


def test_what_is_there_and_cannot_be_done_so_is_a_problem_too(client: TestClient) -> None:
    assert is_problem(client.delete(STATUS), 405)
    assert client.delete("/api/v1/classes/0").headers["Allow"] == "GET, PATCH"
    assert is_problem(client.get("/api/v1/nothing"), 404)


def test_the_token_of_a_file_is_made_once_and_only_its_owner_reads_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "token"
    made = token_of(file)
    assert made == token_of(file)
    assert file.stat().st_mode & 0o077 == 0
    monkeypatch.setenv("ILAP_TOKEN", TOKEN)
    assert token_of(None) == TOKEN
    file.write_text("short")
    with pytest.raises(BadSetting, match="16 ASCII characters"):
        token_of(file)


def test_a_port_that_is_taken_is_told() -> None:
    with listen("127.0.0.1", 0) as taken:
        taken.listen()
        port = str(taken.getsockname()[1])
        with pytest.raises(BadSetting, match=f"port {port}"):
            listen("127.0.0.1", int(port))


def test_there_is_nothing_to_serve_where_there_is_no_learner(tmp_path: Path) -> None:
    done = ilap("serve", str(tmp_path / "none.ilap"), "--no-open", "--port", "0")
    assert done.returncode == 1
    assert "There is no learner" in done.stderr


def test_it_holds_the_file_and_readers_go_on(kept: Kept, start: Callable[[Path], Running]) -> None:
    running = start(kept.file)
    headers = {"Authorization": f"Bearer {TOKEN}"}
    assert httpx.get(f"{running.root}{STATUS}", headers=headers).json()["exposures"] == 9
    busy = ilap("undo", str(kept.file))
    assert "being written to by another process" in busy.stderr
    assert ilap("history", str(kept.file)).returncode == 0


@pytest.mark.parametrize("with_what", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_at_once_when_it_is_told(
    kept: Kept, start: Callable[[Path], Running], with_what: signal.Signals
) -> None:
    running = start(kept.file)
    httpx.get(running.address)
    running.process.send_signal(with_what)
    assert running.process.wait(20) in (0, -with_what)
    assert ilap("check", str(kept.file)).returncode == 0
    assert not list(kept.file.parent.glob("*-wal"))
