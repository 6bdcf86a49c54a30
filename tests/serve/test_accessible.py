"""Every screen, looked at by axe-core for whoever cannot see it well, or not at all."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ilap.checks.digits import Exposures, Pixels
from ilap.keep.learner import LearnerInFile
from keyboard import in_browser
from pictures_in_file import exposure_of
from screens import visit
from served import Running

if TYPE_CHECKING:
    from playwright.sync_api import Browser

AXE = Path(__file__).parent / "vendor" / "axe.min.js"
RUN = "axe.run({resultTypes: ['violations']}).then((found) => found.violations)"
GRAVE = {"serious", "critical"}
SCREENS = {
    "question-same",
    "bulk",
    "full",
    "keys",
    "audit",
    "audit-decision",
    "identities",
    "merge",
    "identity",
    "history",
}


@pytest.fixture
def file(tmp_path: Path, exposures: Exposures) -> Path:
    """Six digits, three bursts each, some of them unsure."""
    with LearnerInFile(tmp_path / "digits.ilap", backbone=Pixels(), risk=0.05) as learner:
        for part in range(3):
            for label in range(6):
                burst = tmp_path / "pictures" / f"burst {label}{part}"
                learner.observe(exposure_of(exposures[label][part].pictures[:10], burst, None))
    return tmp_path / "digits.ilap"


def said(finding: dict[str, Any]) -> str:
    """A finding in a line."""
    return f"{finding['impact']} {finding['id']}: {finding['nodes'][0]['html'][:200]}"


@in_browser
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_no_screen_has_a_serious_barrier(
    file: Path, start: Callable[[Path], Running], browser: Browser, theme: Any
) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 800}, color_scheme=theme, bypass_csp=True)
    page.goto(start(file).address)
    page.evaluate(AXE.read_text())
    seen, found = set[str](), list[str]()
    for name in visit(page):
        seen.add(name)
        found += [f"{name}: {said(one)}" for one in page.evaluate(RUN) if one["impact"] in GRAVE]
    page.close()
    assert not found, "\n".join(found)
    assert seen >= SCREENS
