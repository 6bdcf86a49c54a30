"""Work on the page by keys alone: wrong merges and splits are mended, undone and kept, whatever happens."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from commands import ilap
from ilap.checks.digits import Exposures, Pixels
from ilap.keep.learner import LearnerInFile
from ilap.learner.corrections import applied
from ilap.learner.log import ILAP, Change
from ilap.learner.store import Entry
from keyboard import Worker, api, groups, in_browser, places
from served import Running

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = in_browser
COIL = Path(os.environ.get("ILAP_DATA", "")) / "coil-20"
ARCS, VIEWS = 8, 9
Start = Callable[..., Running]
Open = Callable[[str], "Page"]
Truth = Mapping[int, int]


def mistaken(learner: LearnerInFile, moves: Sequence[tuple[Sequence[int], int]]) -> None:
    """The learner has put these exposures into these classes by itself."""
    changes = [Change(n, learner.place_of(n), place) for numbers, place in moves for n in numbers]
    after = applied(learner.state, changes, learner.store)
    with learner.store.transaction():
        learner.store.write(Entry(ILAP, "anew", {}, tuple(changes)), learner.state, after)
    learner.state = after


def merge_and_split(learner: LearnerInFile, merges: int, splits: int) -> None:
    """Classes that are two things, and things that are two classes."""
    sure = sorted(learner.state.members.items(), key=lambda own: -len(own[1]))
    assert len(sure) >= 2 * merges + splits
    for at in range(merges):
        mistaken(learner, [(sure[2 * at + 1][1], sure[2 * at][0])])
    for _, numbers in sure[2 * merges : 2 * merges + splits]:
        mistaken(learner, [(numbers[: len(numbers) // 2], learner.state.founded)])


def right(truth: Truth) -> set[frozenset[int]]:
    """Which exposures belong together."""
    return {frozenset(n for n, own in truth.items() if own == one) for one in truth.values()}


def work(worker: Worker, running: Running, truth: Truth) -> None:
    """Answer until everything is where it belongs."""
    while groups(running) != right(truth):
        assert worker.questions < len(truth), "fewer questions than exposures were promised"
        assert worker.answer(), "nothing is asked any more"


@pytest.fixture
def digits_file(tmp_path: Path, exposures: Exposures) -> tuple[Path, Truth]:
    """Five digits of four exposures each; two are merged, and one is split."""
    file, truth = tmp_path / "digits.ilap", dict[int, int]()
    with LearnerInFile(file, backbone=Pixels(), risk=0.9, caution=0) as learner:
        for part in range(4):
            for label in (0, 1, 4, 6, 7):
                truth[learner.observe(exposures[label][part]).exposure] = label
        merge_and_split(learner, merges=1, splits=1)
    return file, truth


@pytest.mark.parametrize("bulk", [True, False])
def test_wrong_merges_and_splits_are_mended_by_keys_and_undo_restores_them(
    digits_file: tuple[Path, Truth], start: Start, window: Open, bulk: bool
) -> None:
    file, truth = digits_file
    running = start(file)
    before, worker = places(running), Worker(window(running.address), truth)
    if bulk:
        worker.press("b")
        worker.page.wait_for_function("document.querySelector('#keys .main')")
    work(worker, running, truth)
    for _ in worker.events:
        worker.page.keyboard.press("z")
        worker.wait()
    assert places(running) == before


def test_a_killed_server_loses_no_answer_and_two_windows_see_the_same(
    digits_file: tuple[Path, Truth], start: Start, window: Open
) -> None:
    file, truth = digits_file
    running = start(file)
    first = Worker(window(running.address), truth)
    second = window(running.root)
    first.answer()
    seen = first.page.text_content("#status") or ""
    second.wait_for_function("said => document.querySelector('#status').textContent === said", arg=seen)
    first.answer()
    first.page.keyboard.press({"same": "f", "which": "1", "split": "k"}.get("same", "f"))
    running.process.kill()
    running.process.wait()
    again = start(file)
    kept = {row["event"]: row for row in api(again, "history?limit=500")["items"]}
    for event in first.events:
        assert kept[event]["by"] == "person"
        assert not kept[event]["undone"]


@pytest.fixture
def turntable(tmp_path: Path) -> tuple[Path, Truth]:
    """160 bursts of 9 neighbouring views of 20 things, which ilap has learned; then three pairs of classes are
    merged, and three are split."""
    for thing in range(20):
        for arc in range(ARCS):
            burst = tmp_path / "bursts" / f"{arc}-{thing:02}"
            burst.mkdir(parents=True)
            for view in range(VIEWS):
                (burst / f"{view}.png").symlink_to(COIL / f"obj{thing + 1}__{arc * VIEWS + view}.png")
    file = tmp_path / "turntable.ilap"
    assert ilap("learn", str(file), str(tmp_path / "bursts")).returncode == 0
    with LearnerInFile(file) as learner:
        merge_and_split(learner, merges=3, splits=3)
        numbers = range(learner.state.seen)
        return file, {n: int(learner.name_of_exposure(n).partition("-")[2]) for n in numbers}


@pytest.mark.slow
@pytest.mark.skipif(not COIL.is_dir(), reason="COIL-20 is not in the folder that ILAP_DATA names")
def test_a_turntable_is_brought_to_perfect_by_keys_alone(
    turntable: tuple[Path, Truth], start: Start, window: Open, capsys: pytest.CaptureFixture[str]
) -> None:
    file, truth = turntable
    running = start(file, "lite0")
    before, worker = places(running), Worker(window(running.address), truth)
    assert len(truth) >= 80
    worker.press("b")
    worker.page.wait_for_function("document.querySelector('#keys .main')")
    work(worker, running, truth)
    with capsys.disabled():
        print(f"{worker.questions} questions, {worker.keys} keys, {len(truth)} exposures")
    for _ in worker.events:
        worker.page.keyboard.press("z")
        worker.wait()
    assert places(running) == before
