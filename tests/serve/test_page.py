"""The page of questions, by keys, in a real browser where there is one."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from ilap.core.extras import installed
from ilap.serve.app import STATIC
from pictures_in_file import Kept
from served import TOKEN, Running

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
HEADERS = {"Authorization": f"Bearer {TOKEN}"}
in_browser = pytest.mark.skipif(
    not CHROMIUM or not installed("playwright"), reason="needs Chromium and the package playwright"
)


def test_nothing_is_inline_and_nothing_is_from_elsewhere() -> None:
    page = (STATIC / "index.html").read_text()
    assert re.findall(r"<script[^>]*>(.*?)</script>", page, re.DOTALL) == [""]
    assert "<style" not in page
    assert not re.search(r"\s(on\w+|style)=", page)
    for file in STATIC.iterdir():
        text = file.read_text().replace('xmlns="http://www.w3.org/2000/svg"', "")
        assert not re.search(r"https?://|//[a-z]+\.|@import|innerHTML|insertAdjacentHTML|eval\(", text), file


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as started:
        opened = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture
def running(kept: Kept, start: Callable[[Path], Running]) -> Running:
    return start(kept.file)


@pytest.fixture
def page(browser: Browser, running: Running) -> Iterator[Page]:
    """The page with its first question. Whatever goes wrong in it fails the test."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    opened, wrong = context.new_page(), list[str]()
    opened.on("pageerror", lambda error: wrong.append(str(error)))
    opened.goto(running.address)
    expect(opened, "#asked").to_have_text(re.compile(r"\?$"))
    yield opened
    context.close()
    assert wrong == []


def expect(page: Page, selector: str) -> Any:
    from playwright.sync_api import expect

    return expect(page.locator(selector))


def api(running: Running, path: str) -> Any:
    return httpx.get(f"{running.root}/api/v1/{path}", headers=HEADERS, timeout=60).json()


def places(running: Running) -> dict[int, tuple[Any, ...]]:
    """Where every exposure is, how sure, and by whose word."""
    keys = ("class_id", "class_name", "certainty", "decided_by")
    return {row["exposure"]: tuple(row[key] for key in keys) for row in api(running, "exposures")["items"]}


@in_browser
def test_a_key_answers_and_undo_and_redo_are_keys_too(page: Page, running: Running) -> None:
    before = places(running)
    question = api(running, "questions")["questions"][0]
    page.keyboard.press({"same": "f", "which": "1", "split": "k"}[question["kind"]])
    expect(page, "#said").to_contain_text("(event ")
    answered = places(running)
    last = api(running, "history?newest=true&limit=1")["items"][0]
    assert answered != before or last["kind"] == "answer"
    page.keyboard.press("z")
    expect(page, "#said").to_contain_text("undone")
    assert places(running) == before
    assert api(running, "questions")["questions"][0]["kind"] == question["kind"]
    page.keyboard.press("Shift+Z")
    expect(page, "#said").to_contain_text("in force again")
    assert places(running) == answered


@in_browser
def test_a_refused_answer_is_taken_back_and_said(page: Page) -> None:
    asked = page.text_content("#asked")
    page.route("**/api/v1/answers", lambda route: route.fulfill(status=409, json={"detail": "It is gone."}))
    page.keyboard.press("Space")
    expect(page, "#said").to_have_text("Not taken: It is gone.")
    expect(page, "#asked").to_have_text(asked or "")


@in_browser
def test_keys_are_listed_and_pictures_are_seen_large(page: Page) -> None:
    page.keyboard.press("?")
    expect(page, "#all-keys").to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("v")
    expect(page, "#full").to_be_visible()
    expect(page, "#caption").to_contain_text("picture 1 of")
    page.keyboard.press("ArrowRight")
    expect(page, "#caption").to_contain_text("picture 2 of")
    page.keyboard.press("Escape")
    expect(page, "#full").not_to_be_visible()


@in_browser
def test_a_name_is_never_markup(page: Page, running: Running, kept: Kept) -> None:
    name = "<img src=x onerror=document.title=1><b>bold</b>"
    body = {"name": name}
    for row in api(running, "classes")["items"]:
        own = {"name": f"{name}{row['class_id']}"} if row["class_id"] != kept.fox else body
        path = f"{running.root}/api/v1/classes/{row['class_id']}"
        assert httpx.patch(path, json=own, headers=HEADERS).status_code == 200
    page.reload()
    expect(page, "#asked").to_have_text(re.compile(r"\?$"))
    expect(page, "main").to_contain_text("<b>bold</b>")
    assert page.locator("b").count() == 0
    assert page.title() == "Questions · ilap"


@in_browser
def test_another_window_hears_of_an_answer(page: Page, running: Running, kept: Kept) -> None:
    number = kept.exposures["single"]
    before = page.text_content("#status")
    moved = httpx.post(f"{running.root}/api/v1/move", json={"exposure": number, "to": "new"}, headers=HEADERS)
    assert moved.status_code == 200
    expect(page, "#status").not_to_have_text(before or "")
    expect(page, "#status").to_contain_text("none tentative")


@in_browser
@pytest.mark.parametrize("width", [390, 2560])
def test_it_fits_a_telephone_and_a_wall(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 844})
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= width
    for button in page.locator("#keys button").all():
        box = button.bounding_box()
        assert box is not None
        assert box["height"] >= 44
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
