"""A learner of real picture files, served in this process or in one of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ilap.checks.digits import Pixels
from ilap.core.extras import installed
from ilap.data.contract import Dataset
from ilap.keep.learner import LearnerInFile
from pictures_in_file import Kept, learned
from screens import ALONE, CHROMIUM

if TYPE_CHECKING:  # of the extra serve, without which these tests are skipped
    from playwright.sync_api import Browser, Page
    from starlette.testclient import TestClient

    from ilap.serve.access import Keys
    from served import Running

collect_ignore_glob = [] if installed("fastapi") and installed("httpx") else ["test_*.py"]


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory, digits: Dataset) -> Kept:
    return learned(tmp_path_factory.mktemp("served"), digits)


@pytest.fixture
def kept(made: Kept, tmp_path: Path) -> Kept:
    return made.copied(tmp_path / "kept")


@pytest.fixture
def learner(kept: Kept) -> Iterator[LearnerInFile]:
    with LearnerInFile(kept.file, backbone=Pixels(), create=False) as opened:
        yield opened


@pytest.fixture
def keys() -> Keys:
    from ilap.serve.access import Keys
    from served import TOKEN

    return Keys(TOKEN)


@pytest.fixture(scope="session")
def opened(made: Kept, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LearnerInFile]:
    """For tests that change nothing."""
    kept = made.copied(tmp_path_factory.mktemp("read"))
    with LearnerInFile(kept.file, backbone=Pixels(), create=False) as opened:
        yield opened


@pytest.fixture
def stranger(opened: LearnerInFile, keys: Keys) -> Iterator[TestClient]:
    """Somebody without a token, who changes nothing."""
    from starlette.testclient import TestClient

    from ilap.serve.app import guarded
    from ilap.serve.service import Service
    from served import ADDRESS

    app = guarded(Service(opened), keys)
    with TestClient(app, base_url=ADDRESS, raise_server_exceptions=False) as client:
        yield client


@pytest.fixture
def client(stranger: TestClient) -> TestClient:
    """A script with the token."""
    from served import TOKEN

    stranger.headers["Authorization"] = f"Bearer {TOKEN}"
    return stranger


@pytest.fixture
def person(learner: LearnerInFile) -> Iterator[TestClient]:
    """A script with the token, and a learner of its own that it may change."""
    from starlette.testclient import TestClient

    from ilap.serve.access import Keys
    from ilap.serve.app import guarded
    from ilap.serve.service import Service
    from served import ADDRESS, TOKEN

    headers = {"Authorization": f"Bearer {TOKEN}"}
    app = guarded(Service(learner), Keys(TOKEN))
    with TestClient(app, base_url=ADDRESS, headers=headers, raise_server_exceptions=False) as client:
        yield client


@pytest.fixture
def start() -> Iterator[Callable[..., Running]]:
    """Start servers, on free ports."""
    from served import starting

    with starting() as started:
        yield started


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A real one."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as started:
        opened = started.chromium.launch(executable_path=CHROMIUM, args=ALONE)
        yield opened
        opened.close()


@pytest.fixture
def window(browser: Browser) -> Iterator[Callable[[str], Page]]:
    """Open windows at an address. Whatever goes wrong in one fails the test."""
    wrong, context = list[str](), browser.new_context(viewport={"width": 1280, "height": 800})

    def opened(address: str) -> Page:
        page = context.new_page()
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.goto(address)
        page.locator("#status:not(:empty)").wait_for()
        return page

    yield opened
    context.close()
    assert wrong == []
