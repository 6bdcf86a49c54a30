"""A damaged file is told to be one: it never gives an answer as if it were whole, whatever happened to it.

A small learner is damaged in many ways, and every copy goes through check, show, identify, learn and repair.
Each of them gives what the whole file gives, or a warning, or an error of ours: no other error, and none takes
long.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import sys
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from damaged_files import Whole, damaged, made
from ilap.checks.digits import Pixels
from ilap.cli import main
from ilap.core.errors import Defect, IlapError
from ilap.data.contract import Dataset
from ilap.keep.identify import identify
from ilap.keep.learn import look_again
from ilap.keep.learner import LearnerInFile
from ilap.keep.overview import overview
from ilap.keep.store.check import checked
from ilap.keep.store.repair import repair

SECONDS = 20  # that a command may take on a damaged file


def check(path: Path, whole: Whole) -> Any:
    return [problem.said for problem in checked(path).problems]


def show(path: Path, whole: Whole) -> Any:
    with LearnerInFile(path, backbone=Pixels(), writable=False) as learner:
        return json.dumps({**asdict(overview(learner)), "bytes": 0}).replace(str(path), "small.ilap")


def name(path: Path, whole: Whole) -> Any:
    with LearnerInFile(path, backbone=Pixels(), writable=False) as learner:
        return repr(identify(learner, whole.pictures))


def learn(path: Path, whole: Whole) -> Any:
    with LearnerInFile(path, backbone=Pixels()) as learner:
        decision = learner.observe(list(whole.pictures))
        look_again(learner)
        return repr((decision.kind, decision.class_id, decision.error, decision.reason, learner.places))


def mended(path: Path, whole: Whole) -> Any:
    """Where a file was repaired, the new one is whole; where nothing is lost, it is as it was."""
    before = path.read_bytes()
    fixed = path.with_name("fixed.ilap")
    done = repair(path, fixed, lambda: NOTES)
    assert path.read_bytes() == before
    assert not checked(fixed).problems
    with LearnerInFile(fixed, backbone=Pixels()) as learner:
        if done.lost:
            learner.observe(list(whole.pictures))
            assert not checked(fixed).problems
            return [one.said for one in done.lost]
        return repr((learner.places, learner.names, [(e.id, e.kind, e.changes) for e in learner.history()]))


NOTES: dict[str, Any] = {}
COMMANDS: dict[str, Callable[[Path, Whole], Any]] = {
    "check": check,
    "show": show,
    "identify": name,
    "learn": learn,
    "repair": mended,
}


@contextmanager
def in_time() -> Iterator[None]:
    """An error if it takes too long, where a process can be told so."""
    if not hasattr(signal, "SIGALRM"):
        yield
        return

    def late(*_: object) -> None:
        raise AssertionError(f"it took more than {SECONDS} s")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def outcome(command: str, whole: Whole, folder: Path, expected: Any = None) -> tuple[str, Any]:
    """What a command says of a file: the same as of the whole one, something else with a warning, or an error.
    Something else without a word is *silent*."""
    path = whole.put(folder)
    with warnings.catch_warnings(record=True) as told, in_time():
        warnings.simplefilter("always")
        try:
            said = COMMANDS[command](path, whole)
        except Defect:
            raise
        except IlapError as error:
            return f"refused: {type(error).__name__}", str(error)
    if said == expected:
        return "same", said
    loud = [str(one.message) for one in told if "There is no prior" not in str(one.message)]
    if command == "check" and said:
        return "lists what is damaged", said
    if command == "repair" and isinstance(said, list):
        return "repaired, with losses named", said
    return ("a warning, and something else" if loud else "silent"), (said, loud)


@pytest.fixture(scope="module")
def wholes(tmp_path_factory: pytest.TempPathFactory, digits: Dataset) -> list[tuple[Whole, dict[str, Any]]]:
    """Each of the files, and what every command says of it."""
    folder = tmp_path_factory.mktemp("whole")
    found = []
    for whole in made(folder, digits):
        path = whole.put(folder / "read")
        with LearnerInFile(path, backbone=Pixels()) as learner:
            asked = learner.file.connection.execute("SELECT key, value FROM meta")
            NOTES.update({key: json.loads(value) for key, value in asked})
        said = {command: outcome(command, whole, folder / "copy")[1] for command in COMMANDS}
        found.append(
            (whole, {command: one[0] if isinstance(one, tuple) else one for command, one in said.items()})
        )
    return found


def fuzzed(
    wholes: list[tuple[Whole, dict[str, Any]]], copies: int, seed: int, folder: Path
) -> Counter[tuple[str, str]]:
    """So many damaged copies through all commands: how often each of them had which outcome."""
    rng, found = random.Random(seed), Counter[tuple[str, str]]()
    for number in range(copies):
        whole, expected = wholes[number % len(wholes)]
        kind, copy = damaged(whole, rng)
        for command in COMMANDS:
            try:
                what, said = outcome(command, copy, folder / "copy", expected[command])
            except Exception as error:
                raise AssertionError(f"copy {number} of seed {seed} ({kind}), {command}: {error!r}") from error
            assert what != "silent", f"copy {number} of seed {seed} ({kind}), {command}: {said}"
            found[command, what] += 1
    return found


pytestmark = pytest.mark.filterwarnings("ignore")


def test_what_is_whole_is_taken_for_whole(wholes: list[tuple[Whole, dict[str, Any]]], tmp_path: Path) -> None:
    for whole, expected in wholes:
        assert not expected["check"]
        for command in COMMANDS:
            assert outcome(command, whole, tmp_path / "copy", expected[command])[0] == "same"


def test_a_damaged_file_never_answers_as_if_it_were_whole(
    wholes: list[tuple[Whole, dict[str, Any]]], tmp_path: Path
) -> None:
    found = fuzzed(wholes, 32, 31, tmp_path)
    assert found["show", "refused: DamagedLearner"] > 5
    assert found["repair", "repaired, with losses named"] > 5


@pytest.mark.slow
def test_nor_does_any_of_two_thousand(wholes: list[tuple[Whole, dict[str, Any]]], tmp_path: Path) -> None:
    found = fuzzed(wholes, 2000, 12, tmp_path)
    print()
    for (command, what), count in sorted(found.items()):
        print(f"{command:<10}{what:<40}{count:>6}")
    assert found["show", "refused: DamagedLearner"] > 600


def run(folder: Path, *words: object) -> tuple[int, str, str]:
    """A command in a process of its own, a copy of this one: the code it ends with, and what it says."""
    out, err = folder / "out", folder / "err"
    child = os.fork()
    if not child:
        code = 1
        try:
            for stream, file in ((1, out), (2, err)):
                os.dup2(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), stream)
            sys.stdout, sys.stderr = open(1, "w", closefd=False), open(2, "w", closefd=False)  # noqa: SIM115
            sys.argv = ["ilap", *map(str, words)]
            signal.alarm(SECONDS)  # ends it, with the signal's number
            warnings.resetwarnings()
            main()
            code = 0
        except SystemExit as end:
            if isinstance(end.code, str):
                print(end.code, file=sys.stderr)
            code = end.code if isinstance(end.code, int) else int(end.code is not None)
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status), out.read_text("utf-8"), err.read_text("utf-8")


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="a process cannot be forked here")
def test_the_commands_themselves_say_so(tmp_path: Path, digits: Dataset) -> None:
    for number in range(6):
        folder = tmp_path / "pictures" / f"burst {number}"
        folder.mkdir(parents=True)
        own = np.flatnonzero(digits.train.labels == number % 3)[number * 5 : number * 5 + 5]
        for place, row in enumerate(own):
            Image.fromarray(digits.train.pictures[int(row)]).save(folder / f"{place}.png")
    pictures, new = tmp_path / "pictures", tmp_path / "new"
    shutil.copytree(pictures / "burst 5", new / "burst 5")
    shutil.rmtree(pictures / "burst 5")
    path, fixed = tmp_path / "small.ilap", tmp_path / "fixed.ilap"
    code, _, said = run(tmp_path, "learn", path, pictures)
    assert code == 0, said
    whole = Whole(path.read_bytes(), b"", ())
    commands = {
        "check": ("check", path, "--json"),
        "show": ("show", path, "--json"),
        "identify": ("identify", path, new / "burst 5" / "0.png", "--csv"),
        "learn": ("learn", path, new),
        "repair": ("repair", path, "--out", fixed, "--json"),
    }
    expected = {name: run(tmp_path, *commands[name]) for name in ("check", "show", "identify")}
    assert all(code == 0 for code, _, _ in expected.values()), expected
    rng, found = random.Random(31), Counter[tuple[str, str]]()
    for number in range(300):
        kind, copy = damaged(whole, rng)
        name = [*commands][number % len(commands)]
        for file in tmp_path.glob("*.ilap*"):
            file.unlink()
        path.write_bytes(copy.file)
        code, out, err = run(tmp_path, *commands[name])
        where = f"copy {number} ({kind}), {name}: {err}"
        assert code in (0, 1), where
        assert "Traceback" not in err, where
        if code == 1:
            assert err.startswith("ilap: ") or name == "check", where
        elif name in expected and out != expected[name][1]:
            assert "derived again" in err, where
        found[name, "said" if code or err else "same"] += 1
    print(found)
    assert found["show", "said"] > 10
