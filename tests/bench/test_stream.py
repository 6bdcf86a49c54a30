from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from ilap.bench.stream import Plan, Stream, make, plan
from ilap.core.errors import BadStream
from ilap.data.contract import Dataset, Labelled


def test_every_class_comes_as_often_and_no_picture_twice(digits: Dataset) -> None:
    stream = make(digits, exposure_size=20, repeats=4, seed=0)
    assert Counter(stream.truths) == dict.fromkeys(range(10), 4)
    used = [i for pictures in stream.pictures for i in pictures]
    assert len(used) == len(set(used)) == 800
    for truth, pictures in zip(stream.truths, stream.pictures, strict=True):
        assert set(digits.train.labels[list(pictures)]) == {truth}


def test_a_seed_gives_the_same_stream_and_another_seed_another(digits: Dataset) -> None:
    assert make(digits, 20, 2, seed=5) == make(digits, 20, 2, seed=5)
    assert make(digits, 20, 2, seed=5).truths != make(digits, 20, 2, seed=6).truths


@pytest.mark.parametrize(
    ("size", "repeats", "advice"),
    [(0, 3, "take 1 or more"), (20, 0, "take 1 or more"), (60, 3, "need 180: take smaller or fewer")],
)
def test_a_stream_that_cannot_be_made_says_why(digits: Dataset, size: int, repeats: int, advice: str) -> None:
    with pytest.raises(BadStream, match=advice):
        make(digits, size, repeats, seed=0)


def test_one_class_makes_no_stream(digits: Dataset) -> None:
    ones = np.flatnonzero(digits.train.labels == 1)
    only = Labelled([digits.train.pictures[i] for i in ones], digits.train.labels[ones])
    with pytest.raises(BadStream, match="at least two"):
        make(replace(digits, train=only), 20, 3, seed=0)


def clips_of(digits: Dataset, length: int) -> Dataset:
    """The digits as if neighbours in the file were clips of this length."""
    train = digits.train
    clips = np.arange(len(train)) // length
    return replace(digits, train=replace(train, clips=clips))


def test_class_order_and_pictures_have_seeds_of_their_own(digits: Dataset) -> None:
    base = plan(digits, Plan(20, 2), order_seed=1, picture_seed=1)
    other_order = plan(digits, Plan(20, 2), order_seed=2, picture_seed=1)
    other_pictures = plan(digits, Plan(20, 2), order_seed=1, picture_seed=2)
    assert base == make(digits, 20, 2, seed=1)
    assert other_order.truths != base.truths
    assert set(other_order.pictures) == set(base.pictures)
    assert other_pictures.truths == base.truths
    assert set(other_pictures.pictures).isdisjoint(base.pictures)


def test_drawn_with_replacement_pictures_come_again(digits: Dataset) -> None:
    stream = plan(digits, Plan(100, 5, draw="replacement"), 0, 0)  # more than there are
    used = [i for pictures in stream.pictures for i in pictures]
    assert len(set(used)) < len(used)
    for truth, pictures in zip(stream.truths, stream.pictures, strict=True):
        assert set(digits.train.labels[list(pictures)]) == {truth}


def test_classes_can_come_differently_often(digits: Dataset) -> None:
    times = Counter(plan(digits, Plan(10, (1, 6)), 0, 0).truths)
    assert set(times) == set(range(10))
    assert len(set(times.values())) > 1
    assert all(1 <= count <= 6 for count in times.values())


def test_early_repeats_come_soon_after_a_class_was_first_shown(digits: Dataset) -> None:
    def new_in_first_half(stream: Stream) -> int:
        return len(set(stream.truths[: len(stream) // 2]))

    early = [plan(digits, Plan(10, 5, order="early"), seed, seed) for seed in range(5)]
    shuffled = [plan(digits, Plan(10, 5), seed, seed) for seed in range(5)]
    assert all(Counter(stream.truths) == dict.fromkeys(range(10), 5) for stream in early)
    assert max(map(new_in_first_half, early)) < min(map(new_in_first_half, shuffled))


def test_contiguous_exposures_are_neighbours_within_one_clip_and_in_order(digits: Dataset) -> None:
    dataset = clips_of(digits, 360)
    stream = plan(dataset, Plan(8, 3, draw="contiguous"), 0, 0)
    assert stream.ordered
    assert stream.exposure(0).ordered
    assert dataset.train.clips is not None
    used = [i for pictures in stream.pictures for i in pictures]
    assert len(used) == len(set(used))
    for truth, pictures in zip(stream.truths, stream.pictures, strict=True):
        own = np.flatnonzero(dataset.train.labels == truth)
        places = np.searchsorted(own, pictures)
        np.testing.assert_array_equal(np.diff(places), 1)
        assert len(set(dataset.train.clips[list(pictures)])) == 1


def test_every_clip_is_an_exposure_whole_and_in_order_with_nothing_held_out(digits: Dataset) -> None:
    whole = Labelled(digits.train.pictures, digits.train.labels, np.arange(len(digits.train)) // 360)
    stream = plan(replace(digits, whole=whole), Plan(draw="clips"), 0, 0)
    assert stream.ordered
    assert len(stream.dataset.test) == 0
    used = [i for pictures in stream.pictures for i in pictures]
    assert sorted(used) == list(range(len(whole)))
    assert len(stream) == 10 * len({i // 360 for i in used})
    assert all(list(pictures) == sorted(pictures) for pictures in stream.pictures)
    assert all(len({i // 360 for i in pictures}) == 1 for pictures in stream.pictures)


def test_clips_can_be_bounded_and_come_in_another_order_with_another_seed(digits: Dataset) -> None:
    dataset = clips_of(digits, 360)
    bounded = plan(dataset, Plan(repeats=2, draw="clips"), 0, 0)
    assert Counter(bounded.truths) == dict.fromkeys(range(10), 2)
    assert plan(dataset, Plan(draw="clips"), 0, 0) == plan(dataset, Plan(draw="clips"), 0, 0)
    assert plan(dataset, Plan(draw="clips"), 0, 0).pictures != plan(dataset, Plan(draw="clips"), 1, 1).pictures
    assert len(set(plan(dataset, Plan(draw="clips", classes=3), 0, 0).truths)) == 3


def test_sizes_are_drawn_evenly_in_the_logarithm_and_no_picture_comes_twice(digits: Dataset) -> None:
    streams = [plan(digits, Plan((1, 31), 6), seed, seed) for seed in range(20)]
    assert streams[3] == plan(digits, Plan((1, 31), 6), 3, 3)
    for stream in streams:
        used = [i for pictures in stream.pictures for i in pictures]
        assert len(used) == len(set(used))
        for truth, pictures in zip(stream.truths, stream.pictures, strict=True):
            assert set(digits.train.labels[list(pictures)]) == {truth}
    octaves = Counter(int(np.log2(len(pictures))) for stream in streams for pictures in stream.pictures)
    assert set(octaves) == {0, 1, 2, 3, 4}
    assert all(abs(count / sum(octaves.values()) - 1 / 5) < 0.05 for count in octaves.values())


def test_a_class_of_many_sizes_ends_with_its_pictures(digits: Dataset) -> None:
    stream = plan(digits, Plan((40, 60), 9), 0, 0)
    used = [i for pictures in stream.pictures for i in pictures]
    assert sorted(used) == list(range(len(digits.train)))
    assert set(Counter(stream.truths).values()) <= {3, 4}


def test_impure_exposures_show_one_other_class_besides_and_no_picture_twice(digits: Dataset) -> None:
    stream = plan(digits, Plan(20, 3, impurity=0.2), 0, 0)
    used = [i for pictures in stream.pictures for i in pictures]
    assert len(used) == len(set(used)) == 600
    for truth, pictures in zip(stream.truths, stream.pictures, strict=True):
        counts = Counter(digits.train.labels[list(pictures)].tolist())
        assert counts[truth] == 16
        assert sorted(counts.values()) == [4, 16]


def test_some_of_the_classes_can_be_taken(digits: Dataset) -> None:
    stream = plan(digits, Plan(20, 3, classes=4), 0, 0)
    assert len(set(stream.truths)) == 4
    assert set(stream.truths) != set(plan(digits, Plan(20, 3, classes=4), 1, 0).truths)


@pytest.mark.parametrize(
    ("wanted", "advice"),
    [
        ({"impurity": 0.5}, "no majority"),
        ({"impurity": 0.2, "draw": "contiguous"}, "disjoint"),
        ({"repeats": (4, 2)}, "lower number of two first"),
        ({"exposure_size": (0, 5)}, "take 1 or more"),
        ({"exposure_size": (5, 4)}, "lower number of two first"),
        ({"exposure_size": (1, 5), "draw": "contiguous"}, "many sizes are made of disjoint pictures"),
        ({"exposure_size": (1, 5), "impurity": 0.2}, "all of one class"),
        ({"classes": 11}, "take 2 to 10"),
        ({"classes": 1}, "take 2 to 10"),
        ({"draw": "clips"}, "leave the exposure size out"),
        ({"draw": "clips", "exposure_size": None}, "has no clips to draw: take another draw"),
        ({"exposure_size": None}, "Say how many pictures"),
        ({"repeats": None}, "how many exposures a class"),
    ],
)
def test_a_plan_that_cannot_be_kept_says_why(digits: Dataset, wanted: dict[str, Any], advice: str) -> None:
    with pytest.raises(BadStream, match=advice):
        plan(digits, Plan(**{"exposure_size": 10, "repeats": 2, **wanted}), 0, 0)
