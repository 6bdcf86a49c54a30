"""Somebody who works on the page by keys alone, and knows what every exposure shows."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from ilap.core.extras import installed
from ilap.learner.answers import question_of
from screens import CHROMIUM
from served import TOKEN, Running

if TYPE_CHECKING:
    from playwright.sync_api import Page

in_browser = pytest.mark.skipif(
    not CHROMIUM or not installed("playwright"), reason="needs Chromium and the package playwright"
)
HEADERS = {"Authorization": f"Bearer {TOKEN}"}


def api(running: Running, path: str) -> Any:
    """What the server tells."""
    return httpx.get(f"{running.root}/api/v1/{path}", headers=HEADERS, timeout=60).json()


def places(running: Running) -> dict[int, tuple[Any, ...]]:
    """Where every exposure is, how sure, and by whose word."""
    keys, found, cursor = ("class_id", "class_name", "certainty", "decided_by"), {}, ""
    while True:
        page = api(running, f"exposures?limit=500{cursor}")
        found |= {row["exposure"]: tuple(row[key] for key in keys) for row in page["items"]}
        if page["next"] is None:
            return found
        cursor = f"&cursor={page['next']}"


def groups(running: Running) -> set[frozenset[int]]:
    """Which exposures are together."""
    found: dict[Any, set[int]] = {}
    for number, (place, *_) in places(running).items():
        found.setdefault(place, set()).add(number)
    return {frozenset(own) for own in found.values()}


@dataclass
class Worker:
    """Looks at a question on the page and presses the keys of the right answer. ``questions`` counts those that
    were answered, ``keys`` the keys that were pressed."""

    page: Page
    truth: Mapping[int, int]
    questions: int = 0
    keys: int = 0
    events: list[int] = field(default_factory=list)

    def press(self, key: str) -> None:
        """One key."""
        self.keys += 1
        self.page.keyboard.press(key)

    def wait(self) -> None:
        """Until the last answer is taken and the next questions are there."""
        self.page.wait_for_selector("#screen[aria-busy=false]")

    def answer(self) -> bool:
        """Answer what is asked, and wait until that is taken; False where nothing is asked."""
        if not self.reply():
            return False
        self.questions += 1
        self.wait()
        self.take_note()
        return True

    def reply(self) -> bool:
        """Press the keys of the right answer; False where nothing is asked."""
        asked = self.page.get_attribute("#screen", "data-question")
        if not asked:
            return False
        question = question_of(asked)
        kind, about, shown = question.kind, question.exposure, list(question.shown)
        alike = [self.truth[number] == self.truth[about] for number in shown]
        if kind == "same":
            self.press("f" if alike[0] else "j")
        elif kind == "which":
            self.press(str(alike.index(True) + 1) if any(alike) else "n")
        elif kind == "batch":
            self.choose(shown, dict(zip(shown, alike, strict=True)))
            self.press("Enter")
        else:
            others = [self.truth[n] for n, same in zip(shown, alike, strict=True) if not same]
            part = max(others, key=others.count, default=None)
            self.choose(shown, {n: self.truth[n] == part for n in shown} if others else {})
            self.press("k" if others else "f")
        return True

    def choose(self, shown: list[int], wanted: Mapping[int, bool]) -> None:
        """Take tiles out or in, by the arrows and X."""
        tiles = self.page.locator(".tile")
        pressed = [tiles.nth(at).get_attribute("aria-pressed") == "true" for at in range(len(shown))]
        wrong = [at for at, n in enumerate(shown) if wanted and pressed[at] != wanted[n]]
        if not wrong:
            return
        self.press("ArrowDown")
        at = 0
        for place in wrong:
            for _ in range(place - at):
                self.press("ArrowRight")
            at = place
            self.press("x")

    def split_off(self, place: int) -> None:
        """Look a class up among all of them, and split off the thing of which it has fewer exposures."""
        self.press("i")
        self.page.wait_for_selector(f".identity[data-id='{place}']")
        ids = [tile.get_attribute("data-id") for tile in self.page.locator(".identity").all()]
        self.press("ArrowDown")
        for _ in range(ids.index(str(place))):
            self.press("ArrowRight")
        self.press("Enter")
        self.page.wait_for_selector(".tile")
        tiles = self.page.locator("[aria-label='Exposures over time'] .tile").all()
        shown = [int(tile.get_attribute("data-exposure") or "") for tile in tiles]
        things = [self.truth[number] for number in shown]
        rarer = min(things, key=things.count)
        self.choose(shown, {number: self.truth[number] == rarer for number in shown})
        self.press("k")
        self.press("Enter")
        self.take_note()
        self.press("q")
        self.page.wait_for_selector("#screen[data-question]")

    def take_note(self) -> None:
        """Of the event that the page tells."""
        self.page.locator("#said", has_text="(event ").wait_for()
        event = re.search(r"\(event (\d+)\)", self.page.text_content("#said") or "")
        assert event
        self.events.append(int(event[1]))
