from __future__ import annotations

import numpy as np
import pytest
import torch
from sklearn.datasets import load_sample_image

from ilap.backbones import lite0 as lite0_file
from ilap.backbones import prior, runtime
from ilap.backbones.stored import Cached
from ilap.checks.digits import Pixels
from ilap.data.contract import Dataset


def test_features_are_parts_of_unit_length(lite0: Cached, digits: Dataset) -> None:
    rows = lite0.features(digits.test.pictures[:10])
    assert rows.shape == (10, 2048)
    for part in (rows[:, :1280], rows[:, 1280:1600], rows[:, 1600:]):
        np.testing.assert_allclose(np.linalg.norm(part, axis=1), 1, atol=1e-4)


def test_onnx_runtime_and_torch_agree(lite0: Cached, digits: Dataset) -> None:
    shown = digits.test.pictures[:6]
    by_torch = runtime.on_torch(lite0_file.load((7, 10)), "cpu")(runtime.square(shown, 128))
    np.testing.assert_allclose(lite0.features(shown), by_torch, atol=1e-4)


@pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no CUDA device here")
def test_cuda_and_cpu_agree(lite0: Cached, digits: Dataset) -> None:
    shown = digits.test.pictures[:6]
    by_gpu = runtime.on_torch(lite0_file.load((7, 10)), "cuda")(runtime.square(shown, 128))
    np.testing.assert_allclose(lite0.features(shown), by_gpu, atol=1e-2)


def test_a_picture_has_the_same_features_in_any_company(lite0: Cached, digits: Dataset) -> None:
    backbone = lite0_file.create(lite0_file.Parameters())
    together = backbone.features(digits.test.pictures[:11])
    alone = backbone.features([digits.test.pictures[9]])
    np.testing.assert_allclose(together[9], alone[0], atol=1e-5)


@pytest.mark.parametrize(("photo", "classes"), [("flower.jpg", {985}), ("china.jpg", {442, 663, 698})])
def test_with_the_head_that_comes_with_them_the_weights_name_photos(photo: str, classes: set[int]) -> None:
    """A daisy; a bell cote, monastery or palace: weights, padding and pixel scaling belong together."""
    weights = torch.load(lite0_file.weights_file(), weights_only=True)
    network = lite0_file.load(())
    pixels = torch.from_numpy(runtime.square([load_sample_image(photo)], 224))
    with torch.inference_mode():
        x = network.stem((pixels.permute(0, 3, 1, 2).float() - 127) / 128)
        for block in network.blocks:
            x = block(x)
        logits = network.top(x).mean((2, 3)) @ weights["_fc.weight"].T + weights["_fc.bias"]
    assert int(logits.argmax()) in classes


def test_fewer_taps_and_another_resolution_are_settings() -> None:
    assert (lite0_file.RESOLUTION, lite0_file.TAPS) == (128, (7, 10))
    top_only = lite0_file.load(())
    assert top_only(torch.zeros(1, 64, 64, 3, dtype=torch.uint8)).shape == (1, 1280)
    assert lite0_file.load((4,))(torch.zeros(1, 96, 96, 3, dtype=torch.uint8)).shape == (1, 1280 + 4 * 40)


def test_the_prior_belongs_to_the_default_and_whitens_natural_pictures(lite0: Cached) -> None:
    known = prior.load(lite0.key, lite0.dim)
    assert known.known
    assert known.projection.shape == (lite0.dim, known.dim)
    assert 20 < known.separation < 200


def test_cached_features_are_the_same_and_computed_once() -> None:
    class Counting(Pixels):
        looked_at = 0

        def features(self, pictures):  # type: ignore[no-untyped-def]
            Counting.looked_at += len(pictures)
            return super().features(pictures) if len(pictures) else np.empty((0, 64), np.float32)

    rng = np.random.default_rng(0)
    shown = [rng.integers(0, 255, (8, 8), np.uint8) for _ in range(5)]
    cached = Cached(Counting())
    first = cached.features([*shown, shown[0]])
    np.testing.assert_array_equal(first, Pixels().features([*shown, shown[0]]))
    np.testing.assert_array_equal(cached.features(shown[::-1]), first[:5][::-1])
    assert Counting.looked_at == 5


def test_grey_colour_and_transparent_pictures_become_rgb() -> None:
    grey = np.full((10, 20), 100, np.uint8)
    seen = runtime.square([grey, grey[..., None], np.stack([grey] * 3, 2), np.stack([grey] * 4, 2)], 8)
    assert seen.shape == (4, 8, 8, 3)
    assert (seen[:3] == 100).all()
    assert (seen[3] > 100).all()  # partly transparent over white
