from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ilap.core.exemplars import Memory, empty, rank
from ilap.core.exposure import Samples, validation_mask


def exposure(number: int, count: int, seed: int) -> Samples:
    return Samples(number, np.random.default_rng(seed).normal(size=(count, 3)), validation_mask(count))


def same(samples: np.ndarray) -> np.ndarray:
    return samples


@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(1, 40)), max_size=12),
    st.integers(1, 20),
    st.integers(1, 8),
)
def test_pools_are_bounded_and_never_share_a_picture(
    stream: list[tuple[int, int]], train_bound: int, val_bound: int
) -> None:
    memory = Memory(train_bound, val_bound)
    for number, (class_id, count) in enumerate(stream):
        memory = memory.remember(class_id, exposure(number, count, number), same)
    for class_id in {class_id for class_id, _ in stream}:
        train, val = memory.train[class_id], memory.val[class_id]
        assert len(train) <= train_bound
        assert len(val) <= val_bound
        assert not {tuple(o) for o in train.origins.tolist()} & {tuple(o) for o in val.origins.tolist()}
        for number, row in val.origins.tolist():
            assert validation_mask(stream[number][1])[row]
        for number, row in train.origins.tolist():
            assert not validation_mask(stream[number][1])[row]


def test_samples_and_origins_stay_together() -> None:
    first, second = exposure(0, 30, 0), exposure(1, 30, 1)
    memory = Memory(20, 5).remember(7, first, same).remember(7, second, same)
    rows = {0: first.rows, 1: second.rows}
    for pool in (memory.train[7], memory.val[7]):
        for sample, (number, row) in zip(pool.samples, pool.origins.tolist(), strict=True):
            np.testing.assert_array_equal(sample, rows[number][row])


def test_a_repeated_class_is_pooled_and_ranked_anew() -> None:
    memory = Memory(16, 4).remember(0, exposure(0, 20, 0), same)
    assert set(memory.train[0].origins[:, 0].tolist()) == {0}
    merged = memory.remember(0, exposure(1, 20, 1), same).train[0]
    assert set(merged.origins[:, 0].tolist()) == {0, 1}


def test_the_most_typical_comes_first_and_the_odd_one_goes() -> None:
    rows = np.array([[1.0, 0.0], [1.0, 0.1], [1.0, -0.1], [-1.0, 0.0]])
    assert rank(rows)[-1] == 3
    kept = Memory(3, 1).remember(0, Samples(0, rows, np.zeros(4, bool)), same).train[0]
    assert 3 not in kept.origins[:, 1]


def test_ranking_asks_the_features_not_the_samples() -> None:
    pictures = np.arange(5, dtype=np.uint8).reshape(5, 1, 1)
    features = {0: [1, 0], 1: [0, 1], 2: [1, 1], 3: [1, 1], 4: [1, 1]}
    seen = Samples(0, pictures, np.zeros(5, bool))
    kept = (
        Memory(3, 1).remember(0, seen, lambda s: np.array([features[int(p.item())] for p in s], float)).train[0]
    )
    assert sorted(kept.origins[:, 1].tolist()) == [2, 3, 4]


def test_remembering_and_discarding_leave_the_old_memory_as_it_was() -> None:
    nothing = Memory(4, 2)
    one = nothing.remember(0, exposure(0, 10, 0), same)
    two = one.remember(1, exposure(1, 10, 1), same)
    assert (len(nothing.train), len(one.train), len(two.train)) == (0, 1, 2)
    assert list(two.discard(0).val) == [1]
    assert list(two.val) == [0, 1]


def test_herding_keeps_the_mean_of_a_class_and_nearest_only_its_core() -> None:
    """Most pictures lie together, a third lies apart; the class is both."""
    rng = np.random.default_rng(0)
    rows = np.concatenate([rng.normal((3, 0, 0), 0.2, (40, 3)), rng.normal((0, 3, 0), 0.2, (20, 3))])
    unit = rows / np.linalg.norm(rows, axis=1, keepdims=True)

    def away(ranking: str) -> float:
        return float(np.linalg.norm(unit[rank(rows, ranking)[:12]].mean(0) - unit.mean(0)))

    assert away("herding") < 0.05
    assert away("nearest") > 0.3


@given(st.integers(1, 12), st.integers(0, 100))
def test_herding_chooses_what_brings_the_mean_of_the_chosen_nearest(count: int, seed: int) -> None:
    rows = np.random.default_rng(seed).normal(size=(count, 4))
    unit = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    order = rank(rows, "herding").tolist()
    assert sorted(order) == list(range(count))
    for place, chosen in enumerate(order):
        reached = {
            other: np.linalg.norm(unit[[*order[:place], other]].mean(0) - unit.mean(0))
            for other in order[place:]
        }
        assert reached[chosen] <= min(reached.values()) + 1e-9


def test_a_random_ranking_is_drawn_by_the_exposure() -> None:
    rows = exposure(0, 30, 0).rows
    first, second = rank(rows, "random", seed=1).tolist(), rank(rows, "random", seed=2).tolist()
    assert sorted(first) == sorted(second) == list(range(30))
    assert first != second
    assert first == rank(rows, "random", seed=1).tolist()


def test_without_a_number_as_many_are_kept_as_the_largest_exposure_had() -> None:
    memory = empty(None)
    for number, (class_id, count) in enumerate([(0, 20), (0, 20), (1, 50), (0, 20), (0, 20)]):
        memory = memory.remember(class_id, exposure(number, count, number), same)
        if number == 1:
            assert (len(memory.train[0]), len(memory.val[0])) == (16, 4)
    assert (len(memory.train[0]), len(memory.val[0])) == (40, 10)
    again = memory.rechosen(0, [exposure(number, 20, number) for number in range(4)], same)
    assert (len(again.train[0]), len(again.val[0])) == (40, 10)
