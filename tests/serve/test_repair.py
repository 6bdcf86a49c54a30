"""A file with wrong merges and wrong splits is brought to perfect by keys alone, in a real browser; undo of
everything restores it; nothing that was answered is lost, whatever becomes of the server."""

from __future__ import annotations

import re
import shutil
import signal
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from commands import ilap
from ilap.checks.digits import Exposures, Pixels
from ilap.core.errors import MissingFile
from ilap.data import coil20
from ilap.keep.learner import LearnerInFile
from ilap.learner import corrections
from ilap.learner.log import ILAP, PERSON, Change
from ilap.learner.store import Entry
from keyboard import Worker, api, groups, in_browser, places
from pictures_in_file import exposure_of
from served import Running
from test_turntable import learn, make

if TYPE_CHECKING:
    from playwright.sync_api import Page

Start = Callable[..., Running]
Window = Callable[[str], "Page"]


@dataclass(frozen=True)
class Mistaken:
    """A learner's file with some ``mistakes`` of ilap, what every exposure shows, and the class that a person
    merged wrongly."""

    file: Path
    truth: Mapping[int, int]
    mistakes: int
    merged: int
    backbone: str

    @property
    def wanted(self) -> set[frozenset[int]]:
        """Which exposures belong together."""
        things = set(self.truth.values())
        return {frozenset(n for n, own in self.truth.items() if own == thing) for thing in things}

    def told(self) -> Any:
        """What the learner says of a picture of every exposure."""
        backbone = Pixels() if self.backbone == "pixels" else None
        with LearnerInFile(self.file, backbone=backbone, writable=False) as learner:
            rows = np.stack([learner.store.samples_of(number).rows[0] for number in self.truth])
            found = learner.predict_samples(rows)
        return found.classes, found.probabilities


def decided(learner: LearnerInFile, goes: Mapping[int, int]) -> None:
    """Let ilap have decided, wrongly, that exposures belong to these classes."""
    changes = tuple(Change(number, learner.place_of(number), place) for number, place in goes.items())
    with learner.store.transaction():
        after = corrections.applied(learner.state, changes, learner.store)
        learner.store.write(Entry(ILAP, "settle", {}, changes), learner.state, after)
    learner.state = after


def mistaken(learner: LearnerInFile, truth: Mapping[int, int], merges: int, splits: int) -> int:
    """Put mistakes in: ilap takes classes for one and for two, a person merges two. Gives the last of these."""
    pure = [k for k, own in learner.state.members.items() if len({truth[n] for n in own}) == 1]
    things = {truth[learner.state.members[k][0]]: k for k in pure if len(learner.state.members[k]) > 1}
    chosen = iter(things.values())
    for _ in range(merges):
        into, gone = next(chosen), next(chosen)
        decided(learner, dict.fromkeys(learner.state.members[gone], into))
    for _ in range(splits):
        own = learner.state.members[next(chosen)]
        decided(learner, dict.fromkeys(own[: len(own) // 2], learner.state.founded))
    into = next(chosen)
    learner.merge(into, next(chosen))
    return into


def said_by_people(running: Running, after: int) -> list[dict[str, Any]]:
    """The corrections in force since an event."""
    log = api(running, f"history?after={after}&limit=500")["items"]
    return [row for row in log if row["by"] == PERSON and row["kind"] != "undo" and not row["undone"]]


def entered(window: Window, running: Running, truth: Mapping[int, int]) -> Worker:
    """Somebody at the page of a server."""
    worker = Worker(window(running.address), truth)
    worker.wait()
    return worker


def mended(worker: Worker, running: Running, wanted: set[frozenset[int]], most: int) -> bool:
    """Answer until all is right, or so many questions were answered."""
    while groups(running) != wanted:
        if worker.questions >= most or not worker.answer():
            return False
    return True


def undone(worker: Worker, running: Running, after: int) -> None:
    """Take everything back, by one key each."""
    for _ in said_by_people(running, after):
        worker.press("z")
        worker.wait()
        assert "undone" in (worker.page.text_content("#said") or "")


def same_as(one: Any, other: Any) -> bool:
    """Whether two learners tell the same of all pictures."""
    return one[0] == other[0] and bool(np.allclose(one[1], other[1], atol=1e-9, rtol=0))


@pytest.fixture(scope="module")
def digits_mistaken(tmp_path_factory: pytest.TempPathFactory, exposures: Exposures) -> Mistaken:
    """Eight digits, three bursts each, and a mistake of each kind."""
    folder = tmp_path_factory.mktemp("repair")
    file, truth = folder / "digits.ilap", dict[int, int]()
    with LearnerInFile(file, backbone=Pixels(), risk=0.2, caution=0) as learner:
        for part in range(3):
            for label in range(8):
                burst = folder / "pictures" / f"burst {label}{part}"
                decision = learner.observe(exposure_of(exposures[label][part].pictures[:12], burst, None))
                truth[decision.exposure] = label
        merged = mistaken(learner, truth, merges=1, splits=1)
    return Mistaken(file, truth, 2, merged, "pixels")


@pytest.fixture(scope="module")
def arcs_mistaken(tmp_path_factory: pytest.TempPathFactory) -> Mistaken:
    """Twenty things on a turntable, four quarters of a turn each, and several mistakes of each kind."""
    try:
        paths = coil20.create().train.pictures.items  # type: ignore[attr-defined]
    except MissingFile as error:
        pytest.skip(str(error))
    folder = tmp_path_factory.mktemp("arcs")
    shown = make(paths[0].parent, folder / "pictures", shuffled=False, seed=1)
    learn(folder / "arcs.ilap", folder / "pictures")
    with LearnerInFile(folder / "arcs.ilap") as learner:
        truth = {number: shown[learner.name_of_exposure(number)] for number in range(len(shown))}
        merged = mistaken(learner, truth, merges=3, splits=3)
    return Mistaken(folder / "arcs.ilap", truth, 6, merged, "lite0")


@in_browser
@pytest.mark.parametrize("name", ["digits_mistaken", pytest.param("arcs_mistaken", marks=pytest.mark.slow)])
def test_a_file_with_mistakes_is_brought_to_perfect_by_keys_and_undo_restores_it(
    request: pytest.FixtureRequest, name: str, start: Start, window: Window
) -> None:
    mistakes: Mistaken = request.getfixturevalue(name)
    before = mistakes.told()
    running = start(mistakes.file, mistakes.backbone)
    first, at_first = api(running, "status")["event"], places(running)
    assert groups(running) != mistakes.wanted

    worker = entered(window, running, mistakes.truth)
    worker.split_off(mistakes.merged)
    assert not mended(worker, running, mistakes.wanted, most=mistakes.mistakes - 2)  # one is split off

    asked = worker.page.get_attribute("#screen", "data-question")
    assert worker.reply()
    running.process.send_signal(signal.SIGKILL)
    running.process.wait()
    running = start(mistakes.file, mistakes.backbone)
    kept = said_by_people(running, first)
    assert {row["event"] for row in kept} >= set(worker.events)
    assert len(kept) - len(worker.events) in (0, 1), asked

    again = entered(window, running, mistakes.truth)
    assert mended(again, running, mistakes.wanted, most=len(mistakes.truth) - worker.questions)
    questions, keys = worker.questions + again.questions, worker.keys + again.keys
    print(f"{name}: {len(mistakes.truth)} exposures, {questions} questions, {keys} keys")
    assert questions < len(mistakes.truth)

    undone(again, running, first)
    assert places(running) == at_first
    running.process.terminate()
    running.process.wait()
    assert same_as(mistakes.told(), before)
    assert ilap("check", str(mistakes.file)).returncode == 0


@in_browser
def test_two_windows_see_each_others_answers(
    digits_mistaken: Mistaken, tmp_path: Path, start: Start, window: Window
) -> None:
    from playwright.sync_api import expect

    file = Path(shutil.copy(digits_mistaken.file, tmp_path))
    running = start(file)
    one = entered(window, running, digits_mistaken.truth)
    other = entered(window, Running(running.process, running.root), digits_mistaken.truth)
    for answers, looks in ((one, other), (other, one)):
        looks.press("h")
        assert answers.answer()
        row = looks.page.locator(f"#events tr:has([data-event='{answers.events[-1]}'])")
        expect(row).to_contain_text(re.compile("a person.*answer"))
        expect(looks.page.locator("#status")).to_have_text(answers.page.text_content("#status") or "")
        looks.press("q")
        looks.wait()
