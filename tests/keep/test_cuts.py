"""A cut that goes through bursts is warned of, a right one is not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from commands import ilap
from ilap.backbones.stored import Cached
from ilap.data.contract import Dataset
from ilap.exact.cuts import Signs, signs
from ilap.exact.exact import Exact
from ilap.learner.learner import Learner

BURST, WRONG = 8, 10
LABELS = 20
POOL = 56  # digits of a kind that are looked at


def pool(digits: Dataset, label: int) -> NDArray[Any]:
    return np.flatnonzero(digits.train.labels == label)[:POOL]


def things(digits: Dataset, seed: int, count: int = LABELS) -> list[int]:
    """The rows of digits in bursts of 8, neighbours of two kinds."""
    rng = np.random.default_rng(seed)
    pools = {label: list(rng.permutation(pool(digits, label))) for label in range(10)}
    rows: list[int] = []
    label = 0
    for _ in range(count):
        label = int(rng.choice([other for other in range(10) if other != label]))
        rows += [int(pools[label].pop()) for _ in range(BURST)]
    return rows


def cut(stream: NDArray[Any], size: int) -> list[NDArray[Any]]:
    return [stream[first : first + size] for first in range(0, len(stream), size)]


@pytest.fixture(scope="module")
def features(digits: Dataset, lite0: Cached) -> NDArray[Any]:
    learner = Learner(backbone=lite0)
    assert isinstance(learner.exact, Exact)
    rows = np.concatenate([pool(digits, label) for label in range(10)])
    found = np.zeros((len(digits.train.labels), learner.exact.model.prior.dim))
    found[rows] = learner.samples([digits.train.pictures[int(row)] for row in rows])
    return found


@pytest.mark.parametrize("seed", range(6))
def test_digits_in_bursts_of_8_cut_by_10_are_warned_of(
    digits: Dataset, features: NDArray[Any], seed: int
) -> None:
    stream = features[things(digits, seed)]
    assert signs(cut(stream, BURST)) == Signs()
    wrong = signs(cut(stream, WRONG))
    assert len(wrong.mixed) >= 0.4 * len(stream) / WRONG
    assert len(wrong.alike) >= 0.4 * len(stream) / WRONG


@pytest.mark.parametrize("seed", range(6))
def test_things_that_turn_are_no_mixture(seed: int) -> None:
    """Every view resembles the one before it, as of things on a turntable; the last is far from the first."""
    rng = np.random.default_rng(seed)
    walks = [rng.normal(size=64) * 6 + np.cumsum(rng.normal(size=(BURST, 64)), 0) for _ in range(LABELS)]
    assert signs(walks) == Signs()
    wrong = signs(cut(np.concatenate(walks), WRONG))
    assert len(wrong.mixed) > 10
    assert len(wrong.alike) > 10
    one = [*walks[:2], np.concatenate(walks[2:4]), *walks[4:]]
    assert signs(one).mixed == ((2, BURST),)


def test_too_few_bursts_and_copies_tell_nothing() -> None:
    assert signs([np.zeros((8, 4))] * 3) == Signs()
    assert signs([]) == Signs()
    assert signs([np.zeros((8, 4))] * 8).mixed == ()
    assert signs([np.ones((1, 4))] * 8) == Signs()


@pytest.fixture(scope="module")
def flat(tmp_path_factory: pytest.TempPathFactory, digits: Dataset) -> Path:
    """A flat folder of numbered pictures, bursts of 8 one after the other."""
    root = tmp_path_factory.mktemp("flat") / "pictures"
    root.mkdir()
    for number, row in enumerate(things(digits, 1, 15)):
        Image.fromarray(digits.train.pictures[row]).save(root / f"{number:03}-{number // BURST:02}.png")
    return root


def test_a_dry_run_shows_the_bursts_and_learns_nothing(flat: Path, tmp_path: Path) -> None:
    learner = tmp_path / "a.ilap"
    done = ilap("learn", str(learner), str(flat), "--by-name", r"^(\d\d)\d", "--dry-run", "--json")
    planned = json.loads(done.stdout)
    assert (planned["bursts"], planned["pictures"], planned["median"]) == (12, 120, 10)
    assert planned["shortest"]["pictures"] == planned["longest"]["pictures"] == 10
    page = tmp_path / "a-bursts.html"
    assert planned["page"] == str(page)
    assert sorted(tmp_path.iterdir()) == [page]
    text = page.read_text(encoding="utf-8")
    assert text.count("data:image/jpeg") == 12 * 4
    assert "http" not in text
    again = ilap("learn", str(learner), str(flat), "--by-name", r"-(\d+)", "--dry-run")
    assert "15 bursts of 8" in again.stdout
    assert text != page.read_text(encoding="utf-8")
    page.write_text("mine")
    refused = ilap("learn", str(learner), str(flat), "--by-name", r"-(\d+)", "--dry-run")
    assert (refused.returncode, page.read_text()) == (1, "mine")


def test_the_command_says_so_in_a_sentence_each(flat: Path, tmp_path: Path) -> None:
    wrong = ilap("learn", str(tmp_path / "w.ilap"), str(flat), "--by-name", r"^(\d\d)\d", "--json")
    report = json.loads(wrong.stdout)["cut"]
    assert report["exposures"] == 12
    assert len(report["mixed"]) >= 4
    assert len(report["alike"]) >= 4
    assert "look mixed" in wrong.stderr
    assert "look alike" in wrong.stderr
    assert report["mixed"][0]["before"].endswith(".png")
    right = ilap("learn", str(tmp_path / "r.ilap"), str(flat), "--by-name", r"-(\d+)", "--json")
    assert json.loads(right.stdout)["cut"] == {"exposures": 15, "mixed": [], "alike": [], "said": []}
    assert "look" not in right.stderr
