"""A network is trained on groups of pictures: by the seed, and on after a stop; its graph says what it says."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from ilap.backbones import runtime
from ilap.backbones.contract import Graph
from ilap.data.contract import Dataset
from ilap.network import adapt
from ilap.network.adapt import Recipe, train_groups

SMALL = Recipe(side=32, stage="stage5", steps=6, batch=8)

Shown = tuple[NDArray[np.uint8], NDArray[np.intp]]


@pytest.fixture
def shown(digits: Dataset) -> Shown:
    rows = np.flatnonzero(digits.train.labels < 3)[:60]
    pictures = runtime.square([digits.train.pictures[int(row)] for row in rows], SMALL.side)
    return pictures, digits.train.labels[rows].astype(np.intp)


@pytest.fixture
def weights(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, torch.Tensor]]:
    """The weights of every network that is trained, which is not exported: that takes seconds."""
    found: list[dict[str, torch.Tensor]] = []

    def export(network: torch.nn.Module, side: int) -> bytes:
        found.append({name: value.clone() for name, value in network.state_dict().items()})
        return b""

    monkeypatch.setattr(runtime, "export", export)
    monkeypatch.setattr(adapt, "agree", lambda whole, graph, pictures: None)
    return found


def same(one: dict[str, torch.Tensor], other: dict[str, torch.Tensor]) -> bool:
    return all(torch.equal(value, other[name]) for name, value in one.items())


def test_the_seed_says_what_is_learned(shown: Shown, weights: list[dict[str, torch.Tensor]]) -> None:
    for seed in (0, 0, 1):
        train_groups(*shown, shown[0][:1], SMALL, seed)
    assert same(weights[0], weights[1])
    assert not same(weights[0], weights[2])


def test_stopped_it_goes_on_as_if_it_had_not_been(
    shown: Shown, weights: list[dict[str, torch.Tensor]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(adapt, "CHECKPOINT", 2)
    checkpoint, done = tmp_path / "checkpoint", list[int]()

    def stop(step: int, steps: int) -> None:
        done.append(step)
        if step == 5:
            raise KeyboardInterrupt

    train_groups(*shown, shown[0][:1], SMALL)
    with pytest.raises(KeyboardInterrupt):
        train_groups(*shown, shown[0][:1], SMALL, watch=stop, checkpoint=checkpoint)
    assert checkpoint.exists()
    done.clear()
    train_groups(
        *shown, shown[0][:1], SMALL, watch=lambda step, steps: done.append(step), checkpoint=checkpoint
    )
    assert done == [5, 6]
    assert same(weights[0], weights[1])
    assert not checkpoint.exists()


def test_a_checkpoint_of_other_pictures_or_one_that_is_damaged_is_not_taken(
    shown: Shown, weights: list[dict[str, torch.Tensor]], tmp_path: Path
) -> None:
    checkpoint = tmp_path / "checkpoint"
    for content in (b"", b"not a checkpoint"):
        checkpoint.write_bytes(content)
        assert adapt.restored(checkpoint, "key") is None
    adapt.keep(checkpoint, {"key": "another", "step": 3})
    assert adapt.restored(checkpoint, "key") is None
    assert adapt.restored(checkpoint, "another") == {"key": "another", "step": 3}


def test_a_time_sets_the_number_of_steps(
    shown: Shown, weights: list[dict[str, torch.Tensor]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(adapt, "seconds_a_step", lambda *_: 1000.0)
    assert train_groups(*shown, shown[0][:1], SMALL, minutes=60).steps == 3
    assert train_groups(*shown, shown[0][:1], SMALL, minutes=6000).steps == SMALL.steps


def test_shifts_and_mirrors_move_what_is_shown(shown: Shown) -> None:
    maps = np.random.default_rng(0).normal(size=(60, 4, 6, 6)).astype(np.float16)
    lesson = adapt.Lesson((maps, maps[..., ::-1]), torch.from_numpy(shown[1]), torch.zeros(3))
    plain, _ = adapt.batch(adapt.Lesson((maps,), lesson.groups, lesson.shares), SMALL, 0, 0)
    turned, groups = adapt.batch(lesson, Recipe(batch=8, shift=1), 0, 0)
    assert turned.shape == plain.shape
    assert not torch.equal(turned, plain)
    again, same_groups = adapt.batch(lesson, Recipe(batch=8, shift=1), 0, 0)
    assert torch.equal(turned, again)
    assert torch.equal(groups, same_groups)


@pytest.mark.slow
def test_the_graph_tells_groups_apart_and_says_what_torch_says(shown: Shown) -> None:
    pictures, groups = shown
    trained = train_groups(
        pictures[:45], groups[:45], pictures[45:], Recipe(side=32, steps=60, batch=16, epochs=60)
    )
    assert isinstance(trained.graph, Graph)
    said = runtime.on_cpu(trained.graph.model)(pictures[45:])
    assert (said.argmax(1) == groups[45:]).mean() > 0.8
