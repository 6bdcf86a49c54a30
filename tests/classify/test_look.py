from __future__ import annotations

import numpy as np
import pytest

from ilap.backbones.cached import Cached
from ilap.backbones.prior import Prior
from ilap.core.exemplars import Memory
from ilap.core.exposure import Exposure, Samples, validation_mask
from ilap.exact import exact
from ilap.exact.class_prior import BLUR, FLOOR, SHARE, between
from ilap.exact.evidence import Traits, pooled_noise
from ilap.exact.exact import Exact, with_prior
from ilap.learner.learner import Learner

DIM = 40
VARIANCES = np.linspace(3, 0, DIM).astype(np.float32)
PRIOR = Prior(np.zeros(DIM, np.float32), np.eye(DIM, dtype=np.float32), separation=80.0, between=VARIANCES)


class Rows:
    key, dim = "rows", DIM

    def features(self, pictures: object) -> np.ndarray:
        raise NotImplementedError


def shown(number: int, centre: np.ndarray, count: int, rng: np.random.Generator) -> Samples:
    """An exposure of normal pictures around a class's mean, as the model has it."""
    rows = (centre + rng.normal(size=(count, DIM))).astype(np.float32)
    return Samples(number, rows, validation_mask(count))


def world(classes: int, count: int, seed: int) -> tuple[Exact, np.ndarray, np.random.Generator]:
    """A classifier that has learned one exposure of every class, in a world that is as the model has it."""
    rng = np.random.default_rng(seed)
    centres = rng.normal(size=(classes, DIM)) * np.sqrt(SHARE * VARIANCES + FLOOR)
    learned = with_prior(Rows(), PRIOR)
    for number, centre in enumerate(centres):
        learned = learned.learn(shown(number, centre, count, rng), number, Memory(40, 10), 0)
    return learned, centres, rng


def test_in_a_world_as_modelled_the_probabilities_are_right() -> None:
    """Of the answers given with 90 to 99 % about so many are right, and nearly all of those over 99 %."""
    sure, right = [], []
    for seed in range(40):
        learned, centres, rng = world(8, 6, seed)
        for label in range(8):
            for known in (True, False):
                centre = centres[label] if known else rng.normal(size=DIM) * np.sqrt(SHARE * VARIANCES + FLOOR)
                shares = learned.look(shown(99, centre, 6, rng)).posterior(8)
                sure.append(shares.max())
                right.append(shares.argmax() == (1 + label if known else 0))
    surely, rightly = np.array(sure), np.array(right)
    assert rightly.mean() > 0.9
    assert rightly[surely > 0.99].mean() > 0.97
    between_them = (surely > 0.9) & (surely <= 0.99)
    assert between_them.sum() > 20
    assert 0.8 < rightly[between_them].mean() <= 1


def test_more_pictures_make_an_answer_surer() -> None:
    few, many = [], []
    for seed in range(10):
        learned, centres, rng = world(6, 30, seed)
        few.append(learned.look(shown(99, centres[2], 2, rng)).posterior(6)[3])
        many.append(learned.look(shown(99, centres[2], 30, rng)).posterior(6)[3])
    assert np.mean(many) > 0.99
    assert np.mean(few) < np.mean(many)


def test_probabilities_sum_to_one_and_a_look_changes_nothing() -> None:
    learned, centres, rng = world(5, 8, 0)
    exposure = shown(99, centres[0], 8, rng)
    before = learned.probabilities(exposure.rows)
    shares = learned.look(exposure).posterior(5)
    assert shares.sum() == pytest.approx(1)
    np.testing.assert_array_equal(learned.probabilities(exposure.rows), before)
    assert learned.look(exposure) is learned.look(exposure)


def test_a_shortlist_gives_the_same_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    learned, centres, rng = world(60, 10, 3)
    exposures = [shown(99, centre, 10, rng) for centre in centres[:30]]
    full = [learned.look(exposure).posterior(60) for exposure in exposures]
    monkeypatch.setattr(exact, "SHORTLIST", 15)
    for exposure, whole in zip(exposures, full, strict=True):
        fresh = Samples(98, exposure.rows, exposure.held_out)
        seen = learned.look(fresh)
        assert len(seen.columns) == 15
        short = seen.posterior(60)
        best = int(short.argmax())
        assert (0 if best == 0 else 1 + seen.columns[best - 1]) == whole.argmax()


def test_weights_say_what_a_mean_of_so_many_pictures_tells() -> None:
    model = between(np.eye(DIM), VARIANCES)
    view = model.view(BLUR / 10)
    order = np.sort(SHARE * VARIANCES + FLOOR)
    np.testing.assert_allclose(np.sort(view.lead), order / (order + 0.15), rtol=1e-6)
    assert model.view(BLUR / 1000).total > view.total > model.view(BLUR).total


def test_the_noise_of_one_or_two_pictures_is_that_usual_in_the_stream() -> None:
    view = between(np.eye(DIM), VARIANCES).view(0.1)
    usual = [Traits(log_tr=np.log(2.0), log_ratio=np.log(0.1))] * 5
    one, _, _ = pooled_noise(np.zeros((1, DIM)), view, usual)
    assert one.tr == pytest.approx(2 * view.total)
    assert one.tr2 == pytest.approx(0.1 * one.tr**2)
    many, log_tr, _ = pooled_noise(np.random.default_rng(0).normal(size=(200, DIM)) * 3, view, usual)
    assert many.tr == pytest.approx(9 * DIM, rel=0.1)  # 200 pictures speak for themselves
    assert log_tr == pytest.approx(np.log(9 * DIM / view.total), abs=0.1)


def test_a_wrong_merge_is_undone_when_the_difference_becomes_plain() -> None:
    """Two classes that were taken for one fall apart at a later exposure; the founding part keeps the id."""
    learned, centres, rng = world(5, 10, 1)
    mixed = learned.learn(shown(50, centres[1], 10, rng), 0, Memory(40, 10), 0)
    again = shown(51, centres[1], 10, rng)
    parts = mixed.split(0, again)
    assert parts.probability > 0.95
    assert parts.together == (50,)
    assert parts.apart == (0,)
    pure = learned.learn(shown(52, centres[0], 10, rng), 0, Memory(40, 10), 0)
    assert pure.split(0, shown(53, centres[0], 10, rng)).probability < 0.5


def test_moving_an_exposure_equals_never_having_erred() -> None:
    learned, centres, rng = world(3, 10, 4)
    extra = shown(50, centres[1], 10, rng)
    right = learned.learn(extra, 1, Memory(40, 10), 0)
    moved = learned.learn(extra, 0, Memory(40, 10), 0).move([50], 1)
    rows = shown(60, centres[1], 20, rng).rows
    np.testing.assert_allclose(moved.probabilities(rows), right.probabilities(rows), atol=1e-9)
    assert moved.classes == right.classes


def test_strangers_are_found_and_left_out(lite0: Cached, exposures: dict[int, list[Exposure]]) -> None:
    learner = Learner(backbone=lite0)
    for label in range(5):
        learner.observe(exposures[label][0])
    pictures = [*exposures[0][1].pictures[:25], *exposures[3][1].pictures[:5]]
    decision = learner.observe(pictures)
    assert (decision.kind, decision.class_id) == ("known", 0)
    assert set(decision.strangers) <= set(range(25, 30))
    assert len(decision.strangers) >= 4
    assert learner.classes[0].pictures == 30 + 30  # the exposures' sizes; what was learned is less


def test_an_exposure_of_two_halves_is_unsure(lite0: Cached, exposures: dict[int, list[Exposure]]) -> None:
    learner = Learner(backbone=lite0)
    for label in range(5):
        learner.observe(exposures[label][0])
    decision = learner.observe([*exposures[1][1].pictures[:15], *exposures[4][1].pictures[:15]])
    assert decision.kind == "unsure"
    assert "two things" in decision.reason
