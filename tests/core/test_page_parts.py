from __future__ import annotations

from itertools import combinations

import numpy as np

from ilap.core.page_parts import colour


def lab(code: str) -> np.ndarray:
    """A colour in CIELAB (D65)."""
    share = np.array([int(code[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    light = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]) @ light
    x, y, z = np.cbrt(xyz / np.array([0.9505, 1.0, 1.089]))
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def test_the_colours_of_more_than_26_classes_can_be_told_apart() -> None:
    """A difference of 2 is just seen, one of 20 at a glance."""
    shown = [lab(colour(class_id)) for class_id in range(30)]
    assert min(np.linalg.norm(a - b) for a, b in combinations(shown, 2)) > 20
