"""Every screen of the page of ``ilap serve``, visited by keys; and pictures of them in two widths and themes.

    ilap serve animals.ilap --no-open
    python tools/screens.py ADDRESS FOLDER

The visit draws an audit if there is none, and changes nothing else. Needs the extra dev, and Chromium.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from ilap.learner.answers import question_of

if TYPE_CHECKING:
    from playwright.sync_api import Page

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
ALONE = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update"),
]
"""With these Chromium runs in a container too, and asks nobody but the page's server."""
WIDTHS = {390: 844, 1440: 900}
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
LOADED = """Promise.race([
  Promise.all([...document.images].map((image) => image.decode().catch(() => 0))),
  new Promise((done) => setTimeout(done, 2000)),
])"""


def visit(page: Page) -> Iterator[str]:
    """Go through all screens and dialogs of a page that is open; gives the name of each as it is shown."""
    yield from questions(page)
    yield from others(page)


def questions(page: Page) -> Iterator[str]:
    """Every kind of question there is, and what can be opened over one."""
    screen(page, "q", "questions")
    seen = set[str]()
    for _ in range(10):
        asked = page.get_attribute("#screen", "data-question")
        kind = question_of(asked).kind if asked else "none"
        if kind not in seen:
            yield loaded(page, f"question-{kind}")
        if kind == "which" and kind not in seen:
            page.keyboard.press("/")
            page.locator("#found button").first.wait_for()
            yield loaded(page, "another")
            page.keyboard.press("Escape")
        seen.add(kind)
        page.keyboard.press("ArrowRight")
    page.keyboard.press("v")
    yield loaded(page, "full")
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    yield "keys"
    page.keyboard.press("Escape")
    page.keyboard.press("b")
    page.locator(".tile").first.wait_for()
    yield loaded(page, "bulk")
    page.keyboard.press("b")


def others(page: Page) -> Iterator[str]:
    """Audit, identities, one of them, and the log."""
    screen(page, "a", "audit")
    yield loaded(page, "audit")
    if page.get_by_role("button", name="Draw").count():
        page.keyboard.press("d")
    page.get_by_role("button", name="Right").wait_for()
    yield loaded(page, "audit-decision")
    screen(page, "i", "identities")
    page.locator(".identity").first.wait_for()
    yield loaded(page, "identities")
    for key in ("ArrowDown", "x", "ArrowRight", "x", "g"):
        page.keyboard.press(key)
    page.locator("#sure[open]").wait_for()
    yield loaded(page, "merge")
    for key in ("Escape", "Escape", "Enter"):
        page.keyboard.press(key)
    page.locator("body[data-screen=identity] .tile").first.wait_for()
    for key in ("ArrowDown", "x"):
        page.keyboard.press(key)
    yield loaded(page, "identity")
    screen(page, "h", "history")
    yield "history"


def screen(page: Page, key: str, name: str) -> None:
    """Change to a screen, and wait until it has what it shows."""
    page.keyboard.press(key)
    page.locator(f"body[data-screen={name}] #screen[aria-busy=false]").wait_for()


def loaded(page: Page, name: str) -> str:
    """The name, when all pictures are there."""
    page.evaluate(LOADED)
    return name


def main() -> None:
    """Take a picture of every screen."""
    from playwright.sync_api import sync_playwright

    address, out = sys.argv[1], Path(sys.argv[2])
    out.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM, args=ALONE)
        page = browser.new_page()
        page.goto(address)
        for theme in THEMES:
            page.emulate_media(color_scheme=theme)
            for width, height in WIDTHS.items():
                page.set_viewport_size({"width": width, "height": height})
                for name in visit(page):
                    page.screenshot(path=out / f"{name}-{width}-{theme}.png")
        browser.close()


if __name__ == "__main__":
    main()
