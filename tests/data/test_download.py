"""Against a server on this machine that can break off and go on."""

from __future__ import annotations

import hashlib
import io
import threading
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from ilap.core.errors import BadData, MissingFile
from ilap.data import files
from ilap.data.download import NotDownloaded, fetch

CONTENT = bytes(range(256)) * 2000
MD5 = hashlib.md5(CONTENT).hexdigest()


@dataclass
class Server:
    """What it serves, how much of it before it breaks off, and what it was asked for."""

    content: bytes = CONTENT
    breaks_after: int | None = None
    ranges: bool = True
    asked: list[str | None] = field(default_factory=list)
    url: str = ""


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    state = Server()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked = self.headers["Range"]
            state.asked.append(asked)
            start = int(asked.removeprefix("bytes=").rstrip("-")) if asked and state.ranges else 0
            if start and start >= len(state.content):
                self.send_error(416)
                return
            self.send_response(206 if start else 200)
            self.send_header("Content-Length", str(len(state.content) - start))
            self.end_headers()
            self.wfile.write(state.content[start : state.breaks_after])

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        state.url = f"http://127.0.0.1:{http.server_port}/toys.bin"
        thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        monkeypatch.delenv("ILAP_OFFLINE")
        for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
            monkeypatch.delenv(name, raising=False)
        yield state
        http.shutdown()
        thread.join()


def left(cache: Path) -> list[str]:
    return sorted(path.name for path in (cache / "data").iterdir() if path.suffix != ".lock")


def test_a_file_is_downloaded_once(server: Server, alone: Path) -> None:
    assert fetch(server.url, MD5).read_bytes() == CONTENT
    assert fetch(server.url, MD5).read_bytes() == CONTENT
    assert server.asked == [None]
    assert left(alone) == [f"{MD5[:8]}-toys.bin"]


def test_a_download_that_broke_off_goes_on_where_it_was(server: Server, alone: Path) -> None:
    server.breaks_after = 200_000
    with pytest.raises(NotDownloaded, match=f"broke off after 200000 of {len(CONTENT)} bytes"):
        fetch(server.url, MD5)
    assert left(alone) == [f"{MD5[:8]}-toys.bin.part"]
    server.breaks_after = None
    assert fetch(server.url, MD5).read_bytes() == CONTENT
    assert server.asked == [None, "bytes=200000-"]
    assert left(alone) == [f"{MD5[:8]}-toys.bin"]


def test_a_server_that_cannot_go_on_starts_anew(server: Server, alone: Path) -> None:
    server.breaks_after = 200_000
    with pytest.raises(NotDownloaded):
        fetch(server.url, MD5)
    server.breaks_after, server.ranges = None, False
    assert fetch(server.url, MD5).read_bytes() == CONTENT


def test_a_part_that_was_whole_already_is_taken(server: Server, alone: Path) -> None:
    (alone / "data").mkdir()
    (alone / "data" / f"{MD5[:8]}-toys.bin.part").write_bytes(CONTENT)
    assert fetch(server.url, MD5).read_bytes() == CONTENT


def test_what_is_not_the_published_file_is_thrown_away(server: Server, alone: Path) -> None:
    server.content = b"a page that says please log in"
    with pytest.raises(BadData, match="is not the published file: try it again later"):
        fetch(server.url, MD5)
    assert left(alone) == []


def test_a_part_of_something_else_is_thrown_away(server: Server, alone: Path) -> None:
    (alone / "data").mkdir()
    (alone / "data" / f"{MD5[:8]}-toys.bin.part").write_bytes(b"x" * 1000)
    with pytest.raises(BadData, match="is not the published file"):
        fetch(server.url, MD5)
    assert left(alone) == []
    assert fetch(server.url, MD5).read_bytes() == CONTENT


def test_offline_nothing_is_asked_for_but_the_cache_is_used(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ILAP_OFFLINE", "1")
    with pytest.raises(NotDownloaded, match="ILAP_OFFLINE"):
        fetch(server.url, MD5)
    assert server.asked == []
    monkeypatch.setenv("ILAP_OFFLINE", "0")
    fetch(server.url, MD5)
    monkeypatch.setenv("ILAP_OFFLINE", "1")
    assert fetch(server.url, MD5).read_bytes() == CONTENT


def test_offline_a_damaged_file_in_the_cache_is_not_used(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    fetch(server.url, MD5).write_bytes(b"damaged")
    monkeypatch.setenv("ILAP_OFFLINE", "1")
    with pytest.raises(NotDownloaded, match="ILAP_OFFLINE"):
        fetch(server.url, MD5)
    assert len(server.asked) == 1


def test_without_a_network_one_sentence_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("ILAP_OFFLINE")
    monkeypatch.setenv("ILAP_DATA", str(tmp_path))
    source = files.Source("http://127.0.0.1:9/toys.bin", MD5)
    with pytest.raises(
        MissingFile, match=r"no toys.bin in .*could not be downloaded .*set ILAP_DATA"
    ) as caught:
        files.find("toys", {"toys.bin": MD5}, source)
    assert len(str(caught.value).splitlines()) == 1


def test_an_archive_is_downloaded_and_unpacked(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ILAP_DATA", raising=False)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:
        file.writestr("toys/labels.txt", "duck")
    server.content = buffer.getvalue()
    source = files.Source(server.url, hashlib.md5(server.content).hexdigest())
    for _ in range(2):
        assert (files.find_folder(["toys"], "labels.txt", source) / "labels.txt").read_text() == "duck"
    assert server.asked == [None]
