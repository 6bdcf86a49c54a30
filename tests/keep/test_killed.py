"""A learner outlives its process: killed at random moments, its file is whole each time, and going on gives
what an uninterrupted run gives. An answer with all that follows from it, and an undo, are there whole or not at
all."""

from __future__ import annotations

import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from ilap.checks.digits import Pixels
from ilap.data.contract import Dataset
from ilap.keep.learner import LearnerInFile
from ilap.keep.store.check import problems

EXPOSURES, SIZE = 150, 10
LEARNING, CORRECTING, COMPACTING = 42, 5, 5  # how often it is killed

CORRECT = """
import sys
from ilap.keep.learner import LearnerInFile

learner = LearnerInFile(sys.argv[1], create=False)
done = sum(event.by == "person" for event in learner.history())
for step in range(done, int(sys.argv[2])):
    first, second = sorted(learner.classes)[:2]
    if step % 4 == 0:
        learner.merge(first, second)
    elif step % 4 == 1:
        learner.split([learner.classes[first].exposures[-1]])
    elif step % 4 == 2:
        learner.move(learner.classes[second].exposures[0], None)
    else:
        learner.undo()
"""


def ilap(*words: object) -> list[str]:
    return [sys.executable, "-c", "from ilap.cli import main; main()", *map(str, words)]


def run(command: list[str]) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def events(path: Path) -> int:
    """How many there are, by a reader that does not disturb the writer."""
    try:
        connection = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)
        try:
            return int(connection.execute("SELECT count(*) FROM events").fetchone()[0])
        finally:
            connection.close()
    except sqlite3.Error:
        return 0


def kill(command: list[str], path: Path, rng: random.Random, ready: Callable[[], bool]) -> bool:
    """Start a command, wait until it is ready and a random moment more, and kill it; False if it had ended."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    until = time.monotonic() + 120
    while process.poll() is None and not ready() and time.monotonic() < until:
        time.sleep(0.002)
    time.sleep(rng.uniform(0, 0.15))
    killed = process.poll() is None
    process.kill()
    process.wait()
    run(ilap("check", path))
    return killed


def contents(path: Path) -> tuple[list[tuple[object, ...]], dict[int, tuple[int, ...]], np.ndarray]:
    """Where everything is, and the classifier."""
    with LearnerInFile(path, writable=False) as learner:
        found = learner.file.connection.execute(
            "SELECT name, place, decided_by, tentative FROM exposures ORDER BY number"
        )
        rows = np.stack([learner.store.samples_of(number).rows[0] for number in range(0, EXPOSURES, 3)])
        named = learner.predict_samples(rows).probabilities
        return found.fetchall(), {k: own.exposures for k, own in learner.classes.items()}, named


def same(path: Path, other: Path) -> None:
    ours, theirs = contents(path), contents(other)
    assert ours[:2] == theirs[:2]
    np.testing.assert_allclose(ours[2], theirs[2], atol=1e-9)


@pytest.mark.slow
def test_killed_at_fifty_random_moments_it_goes_on_as_if_nothing_had_been(
    tmp_path: Path, digits: Dataset
) -> None:
    rng = random.Random(0)
    order = np.random.default_rng(0)
    for number in range(EXPOSURES):
        folder = tmp_path / "pictures" / f"{number:03}"
        folder.mkdir(parents=True)
        own = np.flatnonzero(digits.train.labels == order.integers(10))
        for place, row in enumerate(order.choice(own, SIZE, replace=False)):
            Image.fromarray(digits.train.pictures[int(row)]).save(folder / f"{place}.png")
    path, other = tmp_path / "killed.ilap", tmp_path / "whole.ilap"
    run(ilap("learn", other, tmp_path / "pictures"))
    learn = ilap("learn", path, tmp_path / "pictures")

    between = 0
    for _ in range(LEARNING):
        before = events(path)
        assert kill(learn, path, rng, lambda before=before: events(path) > before)  # type: ignore[misc]
        with LearnerInFile(path, writable=False) as learner:
            between += 0 < len(learner.state.sizes) < EXPOSURES
    assert between >= 40
    run(learn)
    same(path, other)

    steps = "60"
    for _ in range(CORRECTING):
        before = events(path)
        kill([sys.executable, "-c", CORRECT, str(path), steps], path, rng, lambda: events(path) > before)  # noqa: B023
    for file in (path, other):
        run([sys.executable, "-c", CORRECT, str(file), steps])
    same(path, other)

    for _ in range(COMPACTING):
        kill(ilap("compact", path), path, rng, lambda: Path(f"{path}-wal").exists())
    run(ilap("compact", path))
    same(path, other)


ANSWERING = 100  # how often it is killed


def answers_and_undos(path: Path) -> Iterator[int]:
    """Answer questions and take every third answer back; gives the last event after each."""
    with LearnerInFile(path, backbone=Pixels()) as learner:
        for step in range(30):
            questions = learner.ask(1)
            if step % 3 == 2 or not questions:
                learner.undo()
            else:
                key = ("different" if step % 2 else "same") if questions[0].kind == "same" else "1"
                learner.answer(questions[0], key)
            yield learner.history()[-1].id


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="a process cannot be forked here")
def test_killed_a_hundred_times_an_answer_or_an_undo_is_there_whole_or_not_at_all(
    tmp_path: Path, digits: Dataset
) -> None:
    base, whole = tmp_path / "base.ilap", tmp_path / "whole.ilap"
    with LearnerInFile(base, backbone=Pixels(), risk=0.2, caution=0) as learner:
        for number in range(40):
            own = np.flatnonzero(digits.train.labels == number % 5)[number // 5 * 6 :][:6]
            learner.observe([digits.train.pictures[int(row)] for row in own])
        start = learner.history()[-1].id
    shutil.copy(base, whole)
    started = time.monotonic()
    ends = [start, *answers_and_undos(whole)]
    lasts = time.monotonic() - started
    assert max(np.diff(ends)) > 1  # some action is more than one event

    rng, path, between = random.Random(0), tmp_path / "killed.ilap", 0
    for _ in range(ANSWERING):
        for file in tmp_path.glob("killed.ilap*"):
            file.unlink()
        shutil.copy(base, path)
        child = os.fork()
        if not child:
            for _ in answers_and_undos(path):
                pass
            os._exit(0)
        time.sleep(rng.uniform(0, lasts))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        with LearnerInFile(path, backbone=Pixels()) as learner:
            assert not list(problems(learner.file.connection))
            last = learner.history()[-1].id
        assert last in ends
        between += start < last < ends[-1]
    assert between >= ANSWERING / 2
