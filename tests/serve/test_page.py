"""The page of questions, by keys, in a real browser where there is one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from ilap.learner.answers import question_of
from ilap.serve.app import STATIC
from keyboard import HEADERS, api, in_browser, places
from pictures_in_file import Kept
from served import Running, starting

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

LATE = """
const Real = EventSource;
window.EventSource = class {
  addEventListener(...all) { (this.own ??= []).push(all); }
  constructor(address) {
    setTimeout(() => {
      const real = new Real(address);
      for (const all of this.own) real.addEventListener(...all);
    }, 1000);
  }
};
"""
"""Begins to listen a second late."""
OWN_TILE = "ul[aria-label^='Exposures of'] .tile"  # questions have tiles, too


def test_nothing_is_inline_and_nothing_is_from_elsewhere() -> None:
    page = (STATIC / "index.html").read_text()
    assert re.findall(r"<script[^>]*>(.*?)</script>", page, re.DOTALL) == [""]
    assert "<style" not in page
    assert not re.search(r"\s(on\w+|style)=", page)
    for file in STATIC.iterdir():
        text = file.read_text().replace('xmlns="http://www.w3.org/2000/svg"', "")
        assert not re.search(r"https?://|//[a-z]+\.|@import|innerHTML|insertAdjacentHTML|eval\(", text), file


@pytest.fixture(scope="module")
def running(made: Kept, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """One server for all of these tests; each leaves it as it was."""
    with starting() as started:
        yield started(made.copied(tmp_path_factory.mktemp("page") / "kept").file)


@pytest.fixture(scope="module")
def entered(browser: Browser, running: Running) -> Iterator[BrowserContext]:
    """A browser that has been let in."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    context.new_page().goto(running.address)
    yield context
    context.close()


@pytest.fixture
def page(entered: BrowserContext, running: Running) -> Iterator[Page]:
    """The page with its first question. Whatever goes wrong in it fails the test."""
    opened, wrong = entered.new_page(), list[str]()
    opened.on("pageerror", lambda error: wrong.append(str(error)))
    opened.goto(running.root)
    expect(opened, "#asked").to_have_text(re.compile(r"\?$"))
    yield opened
    opened.close()
    assert wrong == []


def expect(page: Page, selector: str) -> Any:
    from playwright.sync_api import expect

    return expect(page.locator(selector))


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
    page.keyboard.press("z")
    expect(page, "#said").to_contain_text("undone")


@in_browser
def test_a_refused_answer_is_taken_back_and_said(page: Page, running: Running) -> None:
    asked = page.get_attribute("#screen", "data-question") or ""
    gone = question_of(asked).exposure
    assert httpx.post(f"{running.root}/api/v1/discard", json={"exposures": [gone]}, headers=HEADERS).is_success
    page.keyboard.press("Space")
    expect(page, "#said").to_contain_text(f"Not taken: Exposure {gone} is not there any more")
    expect(page, "#screen").to_have_attribute("data-question", asked)
    assert httpx.post(f"{running.root}/api/v1/undo", json={}, headers=HEADERS).is_success


@in_browser
def test_arrows_go_back_and_forth_and_an_answer_elsewhere_reorders_nothing(
    page: Page, running: Running
) -> None:
    page.locator("#left", has_text="1 of the").wait_for()
    first = page.get_attribute("#screen", "data-question")
    page.keyboard.press("ArrowRight")
    second = page.get_attribute("#screen", "data-question")
    assert second != first
    assert httpx.post(f"{running.root}/api/v1/audit", json={"number": 2}, headers=HEADERS).status_code == 200
    page.wait_for_timeout(600)
    assert page.get_attribute("#screen", "data-question") == second
    page.keyboard.press("ArrowLeft")
    assert page.get_attribute("#screen", "data-question") == first


@in_browser
def test_an_audit_is_judged_by_keys_and_undone(page: Page, running: Running) -> None:
    page.keyboard.press("a")
    if "?" not in (page.text_content("#asked") or "") or page.locator("#keys button").count() == 1:
        page.keyboard.press("d")
    expect(page, "#keys").to_contain_text("Right")
    before = api(running, "audit")
    page.keyboard.press("f")
    expect(page, "#why").to_contain_text("0 of 1")
    after = api(running, "audit")
    assert (after["right"], len(after["sample"])) == (before["right"] + 1, len(before["sample"]) - 1)
    page.keyboard.press("z")
    expect(page, "#said").to_contain_text("undone")
    assert api(running, "audit") == before


@in_browser
def test_identities_are_chosen_merged_and_named_by_keys(page: Page, running: Running) -> None:
    before = places(running)
    page.keyboard.press("i")
    expect(page, ".identity").not_to_have_count(0)
    for key in ("ArrowDown", "x", "ArrowRight", "x", "g"):
        page.keyboard.press(key)
    expect(page, "#sure").to_contain_text("become one class")
    page.keyboard.press("Enter")
    expect(page, "#said").to_contain_text("(event ")
    assert len({row[0] for row in places(running).values()}) < len({row[0] for row in before.values()})
    page.keyboard.press("z")
    expect(page, "#said").to_contain_text("undone")
    assert places(running) == before
    page.keyboard.press("ArrowDown")
    page.keyboard.press("r")
    page.keyboard.type("the old one")
    page.keyboard.press("Enter")
    expect(page, "main").to_contain_text("the old one")
    page.keyboard.press("z")
    expect(page, "main").not_to_contain_text("the old one")


@in_browser
def test_an_exposure_is_split_off_and_the_log_undoes_it_with_what_depends_on_it(
    page: Page, running: Running, made: Kept
) -> None:
    before = places(running)
    page.goto(f"{running.root}/#identity/{made.fox}")
    expect(page, OWN_TILE).not_to_have_count(0)
    for key in ("ArrowDown", "x", "k"):
        page.keyboard.press(key)
    expect(page, "#sure").to_contain_text("class of their own")
    page.keyboard.press("Enter")
    expect(page, "#said").to_contain_text("(event ")
    event = api(running, "history?newest=true&limit=1")["items"][0]
    (moved,) = event["exposures"]
    body = {"exposure": moved, "to": made.fox}
    assert httpx.post(f"{running.root}/api/v1/move", json=body, headers=HEADERS).status_code == 200
    page.keyboard.press("h")
    page.locator(f"button[data-event='{event['event']}']").press("Enter")
    expect(page, "#sure").to_contain_text("One event depends on it")
    page.keyboard.press("Enter")
    expect(page, "#said").to_contain_text("undone")
    assert places(running) == before


@in_browser
def test_what_happens_elsewhere_leaves_the_focus_on_the_exposure_that_has_it(
    page: Page, running: Running, made: Kept
) -> None:
    page.goto(f"{running.root}/#identity/{made.fox}")
    expect(page, OWN_TILE).not_to_have_count(0)
    page.keyboard.press("ArrowDown")
    name = f"{running.root}/api/v1/classes/{made.fox}"
    assert httpx.patch(name, json={"name": "a fox seen elsewhere"}, headers=HEADERS).is_success
    expect(page, "#asked").to_have_text("a fox seen elsewhere")
    page.keyboard.press("x")
    expect(page, f"{OWN_TILE}[aria-pressed=true]").to_have_count(1)
    assert httpx.post(f"{running.root}/api/v1/undo", json={}, headers=HEADERS).is_success


@in_browser
def test_what_happens_elsewhere_changes_nothing_behind_a_dialog_and_focus_comes_back(
    page: Page, running: Running, made: Kept
) -> None:
    page.keyboard.press("i")
    expect(page, ".identity").not_to_have_count(0)
    for key in ("ArrowDown", "x", "ArrowRight", "x", "g"):
        page.keyboard.press(key)
    expect(page, "#sure").to_be_visible()
    name = f"{running.root}/api/v1/classes/{made.fox}"
    with page.expect_response(lambda answer: "/classes?" in answer.url):
        assert httpx.patch(name, json={"name": "a fox behind it"}, headers=HEADERS).is_success
    for key in ("Escape", "Escape"):
        page.keyboard.press(key)
    expect(page, "main").to_contain_text("a fox behind it")
    page.keyboard.press("Enter")
    expect(page, OWN_TILE).not_to_have_count(0)
    assert httpx.post(f"{running.root}/api/v1/undo", json={}, headers=HEADERS).is_success


@in_browser
def test_the_next_questions_are_asked_for_once_after_an_answer(page: Page, running: Running) -> None:
    asked = list[str]()
    page.on("request", lambda request: asked.append(request.url) if "/questions?" in request.url else None)
    with page.expect_response(lambda answer: "/questions?" in answer.url):
        page.keyboard.press("Space")
    page.wait_for_timeout(1500)  # in which the event of the answer comes back
    assert len(asked) == 1
    assert httpx.post(f"{running.root}/api/v1/undo", json={}, headers=HEADERS).is_success


@in_browser
def test_keys_are_listed_and_pictures_are_seen_large(page: Page) -> None:
    page.keyboard.press("?")
    expect(page, "#all-keys").to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("v")
    expect(page, "#full").to_be_visible()
    expect(page, "#caption").to_contain_text("picture 1 of")
    while (page.text_content("#caption") or "").strip().endswith("of 1"):  # a question about a single picture
        page.keyboard.press("Escape")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("v")
        expect(page, "#caption").to_contain_text("picture 1 of")
    page.keyboard.press("ArrowRight")
    expect(page, "#caption").to_contain_text("picture 2 of")
    page.keyboard.press("Escape")
    expect(page, "#full").not_to_be_visible()


@in_browser
def test_a_name_is_never_markup(page: Page, running: Running) -> None:
    name = "<img src=x onerror=document.title=1><b>bold</b>"
    rows = api(running, "classes")["items"]
    for row in rows:
        body, path = {"name": f"{name}{row['class_id']}"}, f"{running.root}/api/v1/classes/{row['class_id']}"
        assert httpx.patch(path, json=body, headers=HEADERS).status_code == 200
    for screen, title in {"": "Questions", "#identities": "Identities", "#history": "History"}.items():
        page.goto(f"{running.root}/{screen}")
        page.reload()
        expect(page, "main").to_contain_text("<b>bold</b>")
        assert page.locator("b").count() == 0
        assert page.title() == f"{title} · ilap"
    for _ in rows:
        assert httpx.post(f"{running.root}/api/v1/undo", json={}, headers=HEADERS).status_code == 200


@in_browser
def test_another_window_hears_of_an_answer(page: Page, running: Running, made: Kept) -> None:
    page.locator("#status:not(:empty)").wait_for()
    before = page.text_content("#status")
    body = {"exposure": made.exposures["single"], "to": "new"}
    assert httpx.post(f"{running.root}/api/v1/move", json=body, headers=HEADERS).status_code == 200
    expect(page, "#status").to_contain_text("none tentative")
    assert httpx.post(f"{running.root}/api/v1/undo", json={}, headers=HEADERS).status_code == 200
    expect(page, "#status").to_have_text(before or "")


@in_browser
def test_what_happens_while_the_page_is_opened_is_heard_of(page: Page, running: Running, made: Kept) -> None:
    """An answer between the first look at the status and the first event that is listened for."""
    page.add_init_script(LATE)
    page.reload()
    page.locator("#status:not(:empty)").wait_for()
    body = {"exposure": made.exposures["single"], "to": "new"}
    assert httpx.post(f"{running.root}/api/v1/move", json=body, headers=HEADERS).is_success
    expect(page, "#status").to_contain_text("none tentative")
    assert httpx.post(f"{running.root}/api/v1/undo", json={}, headers=HEADERS).is_success


@in_browser
@pytest.mark.parametrize("width", [390, 2560])
def test_it_fits_a_telephone_and_a_wall(page: Page, running: Running, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 844})
    for screen in ("audit", "identities", "identity/0", "history", "questions"):
        page.goto(f"{running.root}/#{screen}")
        page.wait_for_selector("#keys button")
        assert page.evaluate("document.documentElement.scrollWidth") <= width, screen
    for button in page.locator("#keys button").all():
        box = button.bounding_box()
        assert box is not None
        assert box["height"] >= 44
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
